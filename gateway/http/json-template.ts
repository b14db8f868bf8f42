/**
 * Serialisers for bodies of the usual kind: objects and lists of texts, whole numbers and flags. The text
 * of an object is one sum of as few pieces as there can be: keys, quotes and commas between two values are
 * one. fast-json-stringify adds twice as many, and pieces are what such a text costs, when they are added
 * and once more when the whole is read.
 */

/** The text of a body; undefined for one that does not fit the schema. */
export type TemplateSerialiser = (body: unknown) => string | undefined;

type Schema = Readonly<Record<string, unknown>>;

/** What stands in the text as it is, or the expression whose value does. */
type Piece = string | { readonly expression: string };

/** What makes a schema another kind. */
const BEYOND = [
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'const',
  '$ref',
  'patternProperties',
  'additionalProperties',
] as const;

/** The format of texts that never hold a character to escape. */
const UNSAFE = 'unsafe';

/** A serialiser for the schema; undefined where it is not of the usual kind. */
export function compileTemplate(schema: Schema): TemplateSerialiser | undefined {
  const template = new Template();
  const pieces = template.of(schema, 'body');
  if (pieces === undefined) return undefined;
  const { checks, items } = template;
  const source = `return (body) => { ${checks.join('\n')} return ${sum(pieces)}; };`;
  const names = items.map((_, index) => `item${index}`);
  return new Function('escaped', 'listed', ...names, source)(escaped, listed, ...items);
}

/** The source of one serialiser: what is checked and taken out of the body, before the text is made. */
class Template {
  readonly checks: string[] = [];
  /** The serialisers of what lists hold. */
  readonly items: TemplateSerialiser[] = [];
  private values = 0;

  of(schema: Schema, value: string): Piece[] | undefined {
    if (BEYOND.some((keyword) => keyword in schema)) return undefined;
    switch (String(schema['type'])) {
      case 'string':
        this.require(`typeof ${value} === 'string'`);
        return ['"', { expression: inside(schema, value) }, '"'];
      case 'string,null':
        this.require(`${value} === null || typeof ${value} === 'string'`);
        return this.nullable(schema, value);
      case 'integer':
        this.require(`Number.isSafeInteger(${value})`);
        return [{ expression: `String(${value})` }];
      case 'boolean':
        this.require(`typeof ${value} === 'boolean'`);
        return [{ expression: `(${value} ? 'true' : 'false')` }];
      case 'array':
        return this.list(schema, value);
      case 'object':
        return this.object(schema, value);
      default:
        return undefined;
    }
  }

  private nullable(schema: Schema, value: string): Piece[] {
    const quote = this.name(`${value} === null ? '' : '"'`);
    const text = this.name(`${value} === null ? 'null' : ${inside(schema, value)}`);
    return [{ expression: quote }, { expression: text }, { expression: quote }];
  }

  private list({ items }: Schema, value: string): Piece[] | undefined {
    const item = compileTemplate((items ?? {}) as Schema);
    if (item === undefined) return undefined;
    this.require(`Array.isArray(${value})`);
    const text = this.name(`listed(${value}, item${this.items.length})`);
    this.items.push(item);
    this.require(`${text} !== undefined`);
    return ['[', { expression: text }, ']'];
  }

  private object({ properties = {}, required = [] }: Schema, value: string): Piece[] | undefined {
    this.require(`typeof ${value} === 'object' && ${value} !== null`);
    const pieces: Piece[] = ['{'];
    for (const [name, schema] of Object.entries(properties as Record<string, Schema>)) {
      const isFirst = pieces.length === 1;
      const isRequired = (required as readonly string[]).includes(name);
      // Where nothing is sure to stand before it, what may be absent cannot bring its comma.
      if (isFirst && !isRequired) return undefined;
      const member = this.name(`${value}[${JSON.stringify(name)}]`);
      const key = `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
      const text = isRequired ? this.of(schema, member) : this.optional(schema, member, key);
      if (text === undefined) return undefined;
      pieces.push(...(isRequired ? [key] : []), ...text);
    }
    return [...pieces, '}'];
  }

  /** Texts alone may be absent. */
  private optional(schema: Schema, value: string, key: string): Piece[] | undefined {
    const type = String(schema['type']);
    if (type !== 'string' && type !== 'string,null') return undefined;
    const isText = `typeof ${value} === 'string'`;
    const isNull = type === 'string' ? 'false' : `${value} === null`;
    this.require(`${value} === undefined || ${isNull} || ${isText}`);
    const [open, none] = [JSON.stringify(`${key}"`), JSON.stringify(`${key}null`)];
    const before = this.name(`${isText} ? ${open} : ${isNull} ? ${none} : ''`);
    const text = this.name(`${isText} ? ${inside(schema, value)} : ''`);
    const after = this.name(`${isText} ? '"' : ''`);
    return [{ expression: before }, { expression: text }, { expression: after }];
  }

  private require(condition: string): void {
    this.checks.push(`if (!(${condition})) return undefined;`);
  }

  /** The name of a new value. */
  private name(expression: string): string {
    const name = `value${this.values++}`;
    this.checks.push(`const ${name} = ${expression};`);
    return name;
  }
}

/** What stands between the quotes of a text. */
function inside({ format }: Schema, value: string): string {
  return format === UNSAFE ? value : `escaped(${value})`;
}

function sum(pieces: readonly Piece[]): string {
  const terms: string[] = [];
  let constant = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      constant += piece;
      continue;
    }
    terms.push(JSON.stringify(constant), piece.expression);
    constant = '';
  }
  return [...terms, JSON.stringify(constant)].filter((term) => term !== '""').join(' + ');
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SURROGATES = 0xd800;
const BEHIND_SURROGATES = 0xe000;

function escaped(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isPlain = unit >= SPACE && unit !== QUOTE && unit !== BACKSLASH;
    if (!isPlain || (unit >= SURROGATES && unit < BEHIND_SURROGATES)) {
      return JSON.stringify(text).slice(1, -1);
    }
  }
  return text;
}

function listed(values: readonly unknown[], item: TemplateSerialiser): string | undefined {
  let text = '';
  for (let at = 0; at < values.length; at++) {
    const next = item(values[at]);
    if (next === undefined) return undefined;
    text = at === 0 ? next : `${text},${next}`;
  }
  return text;
}
