import type { ErrorObject } from 'ajv';
import { type Refusal, type RefusalName, Refusals } from '../../core/messages/refusals.ts';
import { FORMATS } from './formats.ts';
import { type Refused, refuse } from './refused.ts';
import { REFUSAL } from './schema.ts';

/** Turns what the validator found into an entry of the catalogue that names the field. */

interface Schema {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly pattern?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [REFUSAL]?: unknown;
}

/** What the validator says about an error, by keyword. */
interface Parameters {
  readonly type?: unknown;
  readonly limit?: unknown;
  readonly multipleOf?: unknown;
  readonly missingProperty?: string;
  readonly additionalProperty?: string;
  readonly allowedValues?: readonly unknown[];
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** `/order/amounts/2` as clients write it: `order.amounts[2]`. */
function fieldPath(pointer: string, member?: unknown): string {
  let path = '';
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^\d+$/.test(name)) path += `[${name}]`;
    else path += path === '' ? name : `.${name}`;
  }
  if (typeof member !== 'string') return path === '' ? 'body' : path;
  return path === '' ? member : `${path}.${member}`;
}

function typeNames(type: unknown): string {
  const names = Array.isArray(type) ? type : [type];
  return names.map((name) => TYPES[String(name)] ?? String(name)).join(' or ');
}

/** A scalar as it came, for the message; what is inside objects is not repeated. */
function shown(value: unknown): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return value === null || typeof value === 'boolean' ? String(value) : '';
}

const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
};

const SIZES: Readonly<Record<string, Refusal>> = {
  maxLength: Refusals.TooLong,
  minLength: Refusals.TooShort,
  maxItems: Refusals.TooManyItems,
  minItems: Refusals.TooFewItems,
};

/** The refusal that a schema names for its own absence. */
function ownRefusal(error: ErrorObject, schema: Schema, missing?: string): Refusal | undefined {
  const subject = missing === undefined ? schema : schema.properties?.[missing];
  const name = subject?.[REFUSAL];
  if (typeof name !== 'string' || !(name in Refusals)) return undefined;
  const isEmpty = missing !== undefined || error.data === null || error.data === '';
  return isEmpty ? Refusals[name as RefusalName] : undefined;
}

function wantedForm(schema: Schema): string {
  const { format, pattern } = schema;
  const named = typeof format === 'string' ? FORMATS[format] : undefined;
  return named?.form ?? String(pattern);
}

/** The refusal for the first error of a failed validation. */
export function refuseInvalid(errors: readonly ErrorObject[]): Refused {
  const error = errors.find(({ params }) => (params as Parameters).type !== 'null') ?? errors[0];
  if (error === undefined) return refuse(Refusals.WrongType, { field: 'body', limit: 'valid' });
  const schema = (error.parentSchema ?? {}) as Schema;
  const params = error.params as Parameters;
  const field = fieldPath(error.instancePath, params.missingProperty);
  const own = ownRefusal(error, schema, params.missingProperty);
  if (own !== undefined) return refuse(own, { field });
  const value = shown(error.data);
  const bound = BOUNDS[error.keyword];
  if (bound !== undefined) {
    const limit = `${bound} ${params.limit ?? params.multipleOf}`;
    return refuse(Refusals.OutOfRange, { field, value, limit });
  }
  const size = SIZES[error.keyword];
  if (size !== undefined) return refuse(size, { field, limit: Number(params.limit) });
  switch (error.keyword) {
    case 'required':
      return refuse(Refusals.FieldMissing, { field });
    case 'additionalProperties': {
      const unknown = fieldPath(error.instancePath, params.additionalProperty);
      return refuse(Refusals.UnknownField, { field: unknown });
    }
    case 'enum': {
      const choices = params.allowedValues?.filter((choice) => choice !== null) ?? [];
      return refuse(Refusals.NotOneOf, { field, value, limit: choices.join(', ') });
    }
    case 'type':
      return refuse(Refusals.WrongType, { field, limit: typeNames(schema.type) });
    default:
      return refuse(Refusals.BadFormat, { field, value, limit: wantedForm(schema) });
  }
}
