import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { PartnerRecord, Violation } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import type { Session } from '../../http/authorisation.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Method, type Route, route } from '../../http/route.ts';
import { Int32, UuidInput } from '../../http/schema.ts';
import type { PartnerContext } from './context.ts';
import { outcomeOf } from './refusals.ts';
import type { PartnerResource, Verb } from './resources.ts';

const PAGE_MAX = 100;
const PAGE_DEFAULT = 20;

type Params = Readonly<Record<string, string>>;
type Builder = (context: PartnerContext, resource: PartnerResource) => Route;

const BUILDERS: Readonly<Record<Verb, Builder>> = {
  list: listRoute,
  read: readRoute,
  create: createRoute,
  update: changeRoute('PATCH', 'amend'),
  replace: changeRoute('PUT', 'replace'),
  remove: removeRoute,
};

/** Every endpoint of a resource: list, read, create, change, remove. */
export function resourceRoutes(context: PartnerContext, resource: PartnerResource): Route[] {
  const verbs: readonly Verb[] = ['list', 'read', 'create', resource.changedBy, 'remove'];
  return verbs.map((verb) => {
    const built = BUILDERS[verb](context, resource);
    return resource.original.includes(verb) ? built : { ...built, extension: true };
  });
}

/** `?after=<id>&limit=…`: the query of every list of the partner area. */
export const PAGE_QUERY = {
  after: Type.Optional(
    Type.String({ maxLength: 64, description: 'The id of the last item of the page before' }),
  ),
  limit: Type.Optional(Int32({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT })),
};

/** A page of a list: the items under their name, and whether there are more behind them. */
export const pageOf = (many: string, form: TSchema) =>
  Type.Object({ isExceeded: Type.Boolean(), [many]: Type.Array(form) });

function listRoute(context: PartnerContext, resource: PartnerResource): Route {
  const { path, many, form, filters = [] } = resource;
  const filterFields = filters.map((name) => [
    name,
    Type.Optional(isUserId(name) ? UuidInput() : Type.String({ minLength: 1, maxLength: 64 })),
  ]);
  return route({
    ...common(resource, path),
    method: 'GET',
    operation: 'read',
    summary: `Lists ${many}, oldest first`,
    query: Type.Object({ ...PAGE_QUERY, ...Object.fromEntries(filterFields) }),
    responses: { 200: pageOf(many, form) },
    handler: async ({ params, query }) => {
      const { after, limit, ...equal } = query as Params & { readonly limit?: number };
      const page = await outcomeOf(
        context.directory.partnerRecords.list({
          resource: resource.resource,
          parentId: parentId(resource, params as Params),
          filters: equal as Params,
          after,
          limit: limit ?? PAGE_DEFAULT,
        }),
        inPathOf(resource),
      );
      if (page instanceof Refused) return page;
      const items = page.items.map((record) => answered(context, resource, record));
      return { isExceeded: page.isExceeded, [many]: items };
    },
  });
}

function readRoute(context: PartnerContext, resource: PartnerResource): Route {
  return route({
    ...common(resource, itemPath(resource)),
    method: 'GET',
    operation: 'read',
    summary: `Reads ${resource.one}`,
    responses: { 200: resource.form },
    handler: async ({ params }) => {
      const address = addressOf(resource, params as Params);
      const record = await orBusy(context.directory.partnerRecords.get(address));
      if (record instanceof Refused) return record;
      if (record !== null) return answered(context, resource, record);
      return refuse(Refusals.ResourceUnknown, { field: resource.idName, value: address.id });
    },
  });
}

function createRoute(context: PartnerContext, resource: PartnerResource): Route {
  return route({
    ...common(resource, resource.path),
    method: 'POST',
    operation: 'write',
    summary: `Creates ${resource.one}`,
    body: Type.Object(resource.creation),
    responses: { 201: resource.form },
    handler: async ({ params, body, session, now }) => {
      const values = body as PartnerRecord;
      const created = context.directory.partnerRecords.create({
        resource: resource.resource,
        parentId: parentId(resource, params as Params),
        ...writing(context, resource, values, session, now),
      });
      const record = await outcomeOf(created, completed(resource, values));
      return record instanceof Refused ? record : answered(context, resource, record);
    },
  });
}

function changeRoute(method: Method & ('PATCH' | 'PUT'), mode: 'amend' | 'replace'): Builder {
  return (context, resource) => {
    const fields = resource.change ?? resource.creation;
    return route({
      ...common(resource, itemPath(resource)),
      method,
      operation: 'write',
      summary:
        mode === 'amend' ? `Changes what is named of ${resource.one}` : `Replaces ${resource.one}`,
      body: Type.Object(mode === 'amend' ? partial(fields) : fields),
      responses: { 200: resource.form },
      handler: async ({ params, body, session, now }) => {
        const values = body as PartnerRecord;
        const changed = context.directory.partnerRecords.update({
          ...addressOf(resource, params as Params),
          ...writing(context, resource, values, session, now),
          mode,
        });
        const record = await outcomeOf(changed, completed(resource, values));
        return record instanceof Refused ? record : answered(context, resource, record);
      },
    });
  };
}

function removeRoute(context: PartnerContext, resource: PartnerResource): Route {
  return route({
    ...common(resource, itemPath(resource)),
    method: 'DELETE',
    operation: 'write',
    summary: `Removes ${resource.one}`,
    responses: { 204: null },
    handler: async ({ params, session, now }) => {
      const address = addressOf(resource, params as Params);
      const removed = await outcomeOf(
        context.directory.partnerRecords.remove({ ...address, ...by(session, now) }),
        (violation) =>
          violation.rule === 'in-use'
            ? { ...violation, field: resource.idName, value: address.id }
            : inPathOf(resource)(violation),
      );
      return removed instanceof Refused ? removed : undefined;
    },
  });
}

/** Of all that lists are filtered by, only users are known by UUID. */
function isUserId(name: string): boolean {
  return name.toLowerCase().endsWith('userid');
}

function common(resource: PartnerResource, path: string) {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const text = Type.String({ minLength: 1, maxLength: 64 });
  const id = resource.idFormat === 'uuid' ? UuidInput() : text;
  const params = names.map((name) => [name, name === resource.idName ? id : text]);
  return { path, area: 'partner', params: Type.Object(Object.fromEntries(params)) } as const;
}

function itemPath({ path, idName }: PartnerResource): string {
  return `${path}/{${idName}}`;
}

/** The path parameter of what a resource is kept under. */
function parentName({ path }: PartnerResource): string | undefined {
  return /\{([^}]+)\}/.exec(path)?.[1];
}

function parentId(resource: PartnerResource, params: Params): string | undefined {
  const name = parentName(resource);
  return name === undefined ? undefined : params[name];
}

function addressOf(resource: PartnerResource, params: Params) {
  return {
    resource: resource.resource,
    id: params[resource.idName] ?? '',
    parentId: parentId(resource, params),
  };
}

function partial(fields: TProperties): TProperties {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  );
}

/** Who changes something, and when. */
export function by(session: Session, now: number) {
  return { actor: `client:${session.clientId}`, at: now } as const;
}

function writing(
  { random, secrets }: PartnerContext,
  { codec }: PartnerResource,
  values: PartnerRecord,
  session: Session,
  now: number,
) {
  const parts = Object.values(values).map((value) => (Array.isArray(value) ? value.length : 0));
  const fresh = parts.reduce((sum, length) => sum + length, 1);
  return {
    values: codec === undefined ? values : codec.stored(values, secrets),
    uuids: Array.from({ length: fresh }, () => random.uuid()),
    ...by(session, now),
  };
}

function answered(
  { secrets }: PartnerContext,
  { codec }: PartnerResource,
  record: PartnerRecord,
): PartnerRecord {
  return codec === undefined ? record : codec.answered(record, secrets);
}

/** What the path names is called as the path calls it. */
function inPathOf(resource: PartnerResource): (violation: Violation) => Violation {
  return (violation) => {
    if (violation.rule !== 'unknown' || violation.field === parentName(resource)) return violation;
    return { ...violation, field: resource.idName };
  };
}

/** A value that is taken is told as it was sent. */
function completed(
  resource: PartnerResource,
  values: PartnerRecord,
): (violation: Violation) => Violation {
  return (violation) => {
    const { rule, field } = violation;
    if (rule !== 'taken' || violation.value !== undefined) return inPathOf(resource)(violation);
    const value = values[field];
    return typeof value === 'string' ? { ...violation, value } : violation;
  };
}
