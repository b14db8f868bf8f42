import type { TObject, TSchema } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { compileFields, decodePercent } from './fields.ts';
import { type Refused, refuse } from './refused.ts';

/** Reads the texts of a path, in the order of its names and as they were sent, into one object. */
export type PathReader = (texts: readonly string[]) => object | Refused;

/** Texts of this length fit wherever a path takes any text at all. */
const LENGTH_MAX = 128;

/**
 * Most parameters are ids: any text that is not long. Such a path is an object with the texts as they
 * are; escapes, long texts and all that a schema says more of go the way of other fields.
 */
export function compilePath(names: readonly string[], schema: TObject): PathReader {
  const general = compileGeneral(names, schema);
  if (!names.every((name) => takesAnyText(schema.properties[name]))) return general;
  const members = names.map((name, index) => `${JSON.stringify(name)}: texts[${index}]`);
  const build = new Function('texts', `return { ${members.join(', ')} };`) as PathReader;
  return (texts) => (texts.every(isPlain) ? build(texts) : general(texts));
}

function compileGeneral(names: readonly string[], schema: TObject): PathReader {
  const read = compileFields(schema);
  return (texts) => {
    const pairs: string[] = [];
    for (const [index, name] of names.entries()) {
      const text = decodePercent(texts[index] ?? '');
      if (text === undefined) return refuse(Refusals.BadEscape, { field: name });
      pairs.push(name, text);
    }
    return read(pairs);
  };
}

/** What the schema says of texts is their length, and at most that they are not empty and not long. */
function takesAnyText(schema: TSchema | undefined): boolean {
  if (schema === undefined) return false;
  const { type, minLength = 0, maxLength = LENGTH_MAX, description, examples, ...more } = schema;
  return (
    type === 'string' && minLength <= 1 && maxLength >= LENGTH_MAX && Object.keys(more).length === 0
  );
}

function isPlain(text: string): boolean {
  return text.length > 0 && text.length <= LENGTH_MAX && !text.includes('%');
}
