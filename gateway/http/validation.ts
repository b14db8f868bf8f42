import type { TSchema } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseTimestamp } from '../../core/messages/timestamp.ts';
import { FORMATS } from './formats.ts';
import type { Refused } from './refused.ts';
import { CONVERT, REFUSAL } from './schema.ts';
import { refuseInvalid } from './validation-refusal.ts';

/**
 * Request schemas, compiled. Nothing is coerced but what a schema's `x-convert` names: decimals to
 * their text, timestamps to UTC milliseconds and UUIDs to lower case, in place, while the value is
 * validated.
 */

/** Judges a value and converts inside it; undefined when it fits. */
export type Validator = (value: unknown) => Refused | undefined;

const converters: Readonly<Record<string, (value: string | number) => string | number>> = {
  decimal: String,
  timestamp: (value) => parseTimestamp(String(value)),
  uuid: (value) => String(value).toLowerCase(),
};

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    useDefaults: true,
    verbose: true,
    addUsedSchema: false,
  });
  for (const [name, { pattern }] of Object.entries(FORMATS)) ajv.addFormat(name, pattern ?? true);
  ajv.addKeyword({ keyword: REFUSAL, schemaType: 'string' });
  ajv.addKeyword({
    keyword: CONVERT,
    // With its types named, the conversion comes after the checks of what was sent, not before.
    type: ['string', 'number'],
    schemaType: 'string',
    modifying: true,
    errors: false,
    compile: (conversion: string) => {
      const convert = converters[conversion];
      if (convert === undefined) throw new Error(`there is no conversion ${conversion}`);
      return (value: string | number, context) => {
        const converted = convert(value);
        if (Number.isNaN(converted)) return false;
        if (context) context.parentData[context.parentDataProperty] = converted;
        return true;
      };
    },
  });
  return ajv;
}

const ajv = createAjv();

/** A copy in which every object that does not say otherwise takes no fields but its own. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  if (!('properties' in copy) || 'additionalProperties' in copy) return copy;
  return { ...copy, additionalProperties: false };
}

/** Removes the unknown field of this error if it is null: it asks for nothing. */
function dropUnknownNull(root: unknown, error: ErrorObject): boolean {
  const { additionalProperty: member } = error.params as { additionalProperty?: string };
  if (member === undefined) return false;
  let holder = root as Record<string, unknown>;
  for (const part of error.instancePath.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    holder = holder[name] as Record<string, unknown>;
  }
  return holder[member] === null && delete holder[member];
}

/** Compiles a schema; throws on one that is not valid or not strict. */
export function compileValidator(schema: TSchema): Validator {
  const validate = ajv.compile(closed(schema) as object);
  return (value) => {
    while (!validate(value)) {
      const errors = validate.errors ?? [];
      const [first] = errors;
      if (first === undefined || !dropUnknownNull(value, first)) return refuseInvalid(errors);
    }
    return undefined;
  };
}
