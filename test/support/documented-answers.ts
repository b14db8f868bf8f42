import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { FORMATS } from '../../gateway/http/formats.ts';
import type { WireAnswer } from './connection.ts';

interface Content {
  readonly schema?: AnySchemaObject;
}
interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

/** How what the server writes looks, which is less than what it reads. */
const WRITTEN_FORMS: Readonly<Record<string, RegExp>> = {
  decimal: /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,}Z$/,
};

/** Judges answers by the API document of the server that gave them. */
export class DocumentedAnswers {
  private readonly document: ApiDocument;
  private readonly templates: readonly (readonly [template: string, segments: string[]])[];
  private readonly validators = new Map<Content, ValidateFunction>();
  private readonly ajv = new Ajv2020({ strict: false });

  constructor(document: ApiDocument) {
    this.document = document;
    const named = Object.keys(document.paths).map((path) => [path, path.split('/')] as const);
    // What is spelled out goes before what is a parameter, as on the server.
    this.templates = named.toSorted(([left], [right]) => weight(left) - weight(right));
    for (const [name, { pattern }] of Object.entries(FORMATS)) {
      this.ajv.addFormat(name, WRITTEN_FORMS[name] ?? pattern ?? true);
    }
  }

  /** What is wrong with an answer; undefined where nothing is, or where the document knows no such path. */
  fault(method: string, target: string, answer: WireAnswer): string | undefined {
    const operation = this.operationOf(method, target);
    if (operation === undefined) return undefined;
    const { responses } = operation;
    const response = this.resolved(responses[answer.status] ?? responses['default']);
    const type = answer.headers['content-type'] ?? '';
    const content = response?.content?.[type];
    if (response?.content === undefined) return answer.text === '' ? undefined : 'has a body';
    if (content?.schema === undefined) return `is ${type === '' ? 'of no type' : type}`;
    if (type !== 'application/json' || content.schema['contentMediaType'] !== undefined) return;
    const validate = this.validator(content);
    return validate(JSON.parse(answer.text)) ? undefined : this.ajv.errorsText(validate.errors);
  }

  private operationOf(method: string, target: string): Operation | undefined {
    const segments = (target.split('?')[0] ?? '').split('/');
    const found = this.templates.find(
      ([, parts]) =>
        parts.length === segments.length &&
        parts.every((part, index) => part.startsWith('{') || part === segments[index]),
    );
    return this.document.paths[found?.[0] ?? '']?.[method.toLowerCase()];
  }

  private resolved(response: Response | undefined): Response | undefined {
    const name = response?.$ref?.split('/').at(-1);
    return name === undefined ? response : this.document.components.responses[name];
  }

  private validator(content: Content): ValidateFunction {
    const known = this.validators.get(content);
    if (known !== undefined) return known;
    const validate = this.ajv.compile(closed(content.schema) as AnySchemaObject);
    this.ajv.removeSchema();
    this.validators.set(content, validate);
    return validate;
  }
}

const weight = (template: string): number => template.split('{').length;

/** Answers have the fields that are described and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([name, part]) => [name, closed(part)]);
  const isOpen = !('properties' in schema) || 'additionalProperties' in schema;
  const isShape = 'type' in schema && JSON.stringify(schema.type).includes('object');
  return Object.fromEntries(
    isOpen || !isShape ? parts : [...parts, ['additionalProperties', false]],
  );
}
