/**
 * Requests made of the schemas in the API document: one that fits, and every way in which one field of
 * it can be wrong.
 */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: object;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
}

type Path = readonly (string | number)[];

/** One thing that is wrong with a body; `value` undefined takes the field out. */
export interface Fault {
  readonly how: string;
  readonly path: Path;
  readonly value: unknown;
}

const SAMPLES_BY_FORMAT: Readonly<Record<string, unknown>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-01-01T00:00:00.000Z',
  date: '2026-01-01',
  email: 'somebody@example.test',
  uri: 'https://example.test/',
  decimal: '1',
};
/** Texts of which one fits every pattern that the interface has. */
const SAMPLE_TEXTS = [
  ...['x', '1', 'EN', 'en', '123', 'aa', 'a@b', 'USD', '00:00:00', '2026-01-01'],
  ...['btc_usdt', 'spot.btc_usdt', '#ffffff'],
];
/** Longer lists and texts than this are not sent: they are beyond what a body may hold. */
const SIZE_MAX = 20_000;

const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

/** Of a schema that also allows null, the one that says what else it allows. */
function coreOf(schema: Schema): { readonly core: Schema; readonly isNullable: boolean } {
  if (schema.anyOf === undefined) {
    return { core: schema, isNullable: typesOf(schema).includes('null') };
  }
  const others = schema.anyOf.filter((choice) => choice.type !== 'null');
  const isNullable = others.length < schema.anyOf.length;
  return { core: others.length === 1 ? (others[0] ?? {}) : {}, isNullable };
}

/** A value that the schema takes, with every field that it knows. */
export function sampleOf(schema: Schema): unknown {
  const { core } = coreOf(schema);
  if (core.enum !== undefined) return core.enum.find((choice) => choice !== null);
  const types = typesOf(core);
  if (types.includes('object')) {
    const fields = Object.entries(core.properties ?? {});
    return Object.fromEntries(fields.map(([name, part]) => [name, sampleOf(part)]));
  }
  if (types.includes('array')) {
    const length = Math.min(
      Math.max(1, core.minItems ?? 0),
      core.maxItems ?? Number.MAX_SAFE_INTEGER,
    );
    return Array.from({ length: core.items === undefined ? 0 : length }, () =>
      sampleOf(core.items ?? {}),
    );
  }
  if (types.includes('string')) return sampleText(core);
  if (types.includes('integer') || types.includes('number')) {
    return core.minimum ?? (core.exclusiveMinimum ?? 0) + 1;
  }
  return types.includes('boolean') ? true : 'x';
}

function sampleText({ format, pattern, minLength = 0 }: Schema): unknown {
  const known = SAMPLES_BY_FORMAT[format ?? ''];
  if (known !== undefined) return known;
  const texts = [...SAMPLE_TEXTS, 'x'.repeat(Math.max(1, minLength))];
  const fitting = texts.filter((text) => text.length >= minLength);
  if (pattern === undefined) return fitting[0];
  const sample = fitting.find((text) => new RegExp(pattern, 'u').test(text));
  if (sample === undefined) throw new Error(`no sample fits ${pattern}: add one`);
  return sample;
}

/** Every fault that one field of a body may have. */
export function* faultsOf(schema: Schema, path: Path = []): Generator<Fault> {
  const { core } = coreOf(schema);
  const types = typesOf(core);
  if (types.includes('array') && core.items !== undefined && core.maxItems !== 0) {
    yield* valueFaults(core.items, [...path, 0]);
    yield* faultsOf(core.items, [...path, 0]);
  }
  if (core.properties === undefined) return;
  for (const [name, part] of Object.entries(core.properties)) {
    const field = [...path, name];
    const isRequired = core.required?.includes(name) === true && !('default' in part);
    if (isRequired) yield { how: 'missing', path: field, value: undefined };
    yield* valueFaults(part, field);
    yield* faultsOf(part, field);
  }
  const isOpen = core.additionalProperties !== undefined && core.additionalProperties !== false;
  if (!isOpen && core.patternProperties === undefined) {
    yield { how: 'unknown', path: [...path, 'surprise'], value: 1 };
  }
}

function* valueFaults(schema: Schema, path: Path): Generator<Fault> {
  const { core, isNullable } = coreOf(schema);
  const types = typesOf(core);
  if (types.length === 0) return;
  if (!isNullable) yield { how: 'null', path, value: null };
  const isText = types.includes('string');
  const isNumber = types.includes('integer') || types.includes('number');
  yield { how: 'of another type', path, value: types.includes('object') ? 'x' : { a: 1 } };
  if (!types.includes('boolean')) yield { how: 'of another type', path, value: true };
  if (!isText && !types.includes('array')) yield { how: 'of another type', path, value: ['x'] };
  if (!isText && isNumber) yield { how: 'of another type', path, value: '1' };
  if (types.includes('integer') && !types.includes('number')) {
    yield { how: 'no integer', path, value: 1.5 };
  }
  if (core.enum !== undefined && isText) yield { how: 'none of those', path, value: '\u00a7none' };
  else if (isText) yield* textFaults(core, path);
  if (isNumber && !isText) yield* numberFaults(core, path);
  if (types.includes('array')) yield* listFaults(core, path);
}

function* textFaults(schema: Schema, path: Path): Generator<Fault> {
  const { format, pattern, minLength = 0, maxLength } = schema;
  if (maxLength !== undefined && maxLength < SIZE_MAX) {
    yield { how: 'too long', path, value: '1'.repeat(maxLength + 1) };
  }
  if (minLength > 0) yield { how: 'too short', path, value: '' };
  if (format !== undefined || pattern !== undefined) {
    yield { how: 'of another form', path, value: '\u00a7 no form' };
  }
}

function* numberFaults({ minimum, maximum }: Schema, path: Path): Generator<Fault> {
  if (minimum !== undefined) yield { how: 'too small', path, value: minimum - 1 };
  if (maximum !== undefined) yield { how: 'too large', path, value: maximum + 1 };
}

function* listFaults(schema: Schema, path: Path): Generator<Fault> {
  const { minItems = 0, maxItems, items = {} } = schema;
  if (minItems > 0) yield { how: 'too few', path, value: [] };
  if (maxItems === undefined || maxItems >= SIZE_MAX / 10) return;
  const value = Array.from({ length: maxItems + 1 }, () => sampleOf(items));
  yield { how: 'too many', path, value };
}

/** The body with the fault in it. */
export function withFault(body: unknown, { path, value }: Fault): unknown {
  const copy = structuredClone(body);
  const name = path.at(-1);
  let part = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) part = part[key] as Record<string | number, unknown>;
  if (name === undefined) return value;
  if (value === undefined) delete part[name];
  else part[name] = value;
  return copy;
}

/** `order.amounts[2]`: how refusals name a field. */
export function writtenPath(path: Path): string {
  return path.join('.').replace(/(?:^|\.)(\d+)(?=\.|$)/g, '[$1]');
}

/** Texts that a field of a query, a path or a form may not have. */
export function* textsThatDoNotFit(schema: Schema): Generator<{ how: string; text: string }> {
  const { core } = coreOf(schema);
  const types = typesOf(core);
  if (core.enum !== undefined) yield { how: 'none of those', text: '\u00a7none' };
  else if (types.includes('string')) {
    for (const { how, value } of textFaults({ ...core, minLength: 0 }, [])) {
      yield { how, text: String(value) };
    }
  } else if (types.includes('integer')) {
    yield { how: 'no integer', text: '1.5' };
    yield { how: 'no integer', text: 'x' };
    for (const { how, value } of numberFaults(core, [])) yield { how, text: String(value) };
  } else if (types.includes('boolean')) yield { how: 'no boolean', text: 'maybe' };
}
