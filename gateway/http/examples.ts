import { FORMATS } from './formats.ts';

/**
 * Values for fields by their names, best first: a field gets the first one that its schema takes.
 */
export type Vocabulary = Readonly<Record<string, readonly unknown[]>>;

/** The parts of a JSON Schema that tell what a value may be. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
}

const PLAIN_TEXT = 'text';

/** Formats that requests are checked for by a conversion. */
const CONVERTED_FORMS: Readonly<Record<string, RegExp>> = {
  decimal: /^-?\d+(?:\.\d+)?$/,
  'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
};

/**
 * Examples of values, made of schemas: what a schema shows itself in `examples` comes first, then what
 * the vocabulary has for the field, then whatever the schema takes.
 */
export class Examples {
  private readonly vocabulary: Vocabulary;
  /** Lists that are being made: one within one of its own kind ends the nesting. */
  private readonly open = new Set<string>();

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** `name` is that of the field, or of the parameter, that has the schema. */
  of(schema: object, name = ''): unknown {
    const shape: Shape = schema;
    if (shape.examples !== undefined && shape.examples.length > 0) return shape.examples[0];
    if (shape.const !== undefined) return shape.const;
    const [first] = shape.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (first !== undefined) return this.of(first, name);
    const types = typesOf(shape);
    if (types.includes('object')) return this.ofObject(shape, name);
    if (types.includes('array')) return this.ofArray(shape, name);
    const known = (this.vocabulary[name] ?? []).find((value) => fits(shape, value));
    return known ?? anyOf(shape, types);
  }

  private ofObject({ properties, patternProperties }: Shape, name: string): object {
    const fields = Object.entries(properties ?? {});
    const entries = fields.map(([field, part]) => [field, this.of(part, field)]);
    const [values] = Object.values(patternProperties ?? {});
    const [key] = this.vocabulary[`${name} keys`] ?? [];
    if (values !== undefined && typeof key === 'string') entries.push([key, this.of(values, name)]);
    return Object.fromEntries(entries);
  }

  private ofArray({ items, minItems = 0, maxItems = 1 }: Shape, name: string): unknown[] {
    const isNested = minItems === 0 && this.open.has(name);
    if (items === undefined || isNested || !isDescribed(items)) return [];
    this.open.add(name);
    const length = Math.min(Math.max(1, minItems), Math.max(minItems, maxItems));
    const list = Array.from({ length }, () => this.of(items, name));
    this.open.delete(name);
    return list;
  }
}

function typesOf({ type = [] }: Shape): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

function isDescribed({ type, anyOf: choices, const: value, enum: values }: Shape): boolean {
  return [type, choices, value, values].some((part) => part !== undefined);
}

function anyOf(shape: Shape, types: readonly string[]): unknown {
  if (shape.default !== undefined) return shape.default;
  if (shape.enum !== undefined) return shape.enum.find((value) => value !== null);
  if (types.includes('string')) return FORMATS[shape.format ?? '']?.example ?? PLAIN_TEXT;
  if (types.includes('boolean')) return true;
  return types.includes('null') ? null : Math.max(1, shape.minimum ?? 1);
}

/** Whether a value that is no object and no list is one of the schema's. */
function fits(shape: Shape, value: unknown): boolean {
  const types = typesOf(shape);
  if (shape.enum !== undefined) return shape.enum.includes(value);
  if (value === null) return types.includes('null');
  if (typeof value === 'string') return types.includes('string') && fitsText(shape, value);
  if (typeof value === 'boolean') return types.includes('boolean');
  if (typeof value !== 'number') return false;
  const isOfType = types.includes(Number.isInteger(value) ? 'integer' : 'number');
  const { minimum = value, maximum = value } = shape;
  return (isOfType || types.includes('number')) && minimum <= value && value <= maximum;
}

function fitsText(shape: Shape, text: string): boolean {
  const { minLength = 0, maxLength = text.length, pattern, format = '' } = shape;
  if (text.length < minLength || text.length > maxLength) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  const form = FORMATS[format]?.pattern ?? CONVERTED_FORMS[format];
  return form === undefined || form.test(text);
}
