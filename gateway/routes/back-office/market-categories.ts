import { randomUUID } from 'node:crypto';
import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { MarketCategory } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { Nullable } from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';
import type { RouteContext } from '../context.ts';
import { GUEST } from '../guest/guest.ts';
import { isGuestVisible } from '../guest/guest-markets.ts';

const BACK = '/back-api/backoffice/v2/markets-categories';
/** Every market of a large venue, in several categories. */
const TREE_BYTES_MAX = 128 * 1024;
const DEPTH_MAX = 8;
const CATEGORIES_MAX = 500;
const MARKETS_MAX = 1000;
const ID_LENGTH_MAX = 64;
const NAME_LENGTH_MAX = 100;

/** Categories within categories, `DEPTH_MAX` levels of them. */
function nested<T>(level: (below: TSchema) => TSchema): TUnsafe<T[]> {
  let categories: TSchema = Type.Array(level(Type.Array(Type.Unknown(), { maxItems: 0 })));
  for (let depth = 1; depth < DEPTH_MAX; depth++) categories = Type.Array(level(categories));
  return Type.Unsafe<T[]>({ ...categories, maxItems: CATEGORIES_MAX });
}

interface SentCategory {
  readonly id?: string | null;
  readonly name: string;
  readonly categories?: readonly SentCategory[] | null;
  readonly markets?: readonly string[] | null;
}
const Id = Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX });
const SentCategories = nested<SentCategory>((below) =>
  Type.Object({
    id: Type.Optional(Nullable(Id)),
    name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX }),
    categories: Type.Optional(Nullable(below)),
    markets: Type.Optional(Nullable(Type.Array(Id, { maxItems: MARKETS_MAX }))),
  }),
);

interface NamedCategory {
  readonly id: string;
  readonly name: string;
  readonly categories: NamedCategory[];
}
const named = { id: Type.String(), name: Type.String() };
const NamedCategories = Type.Object({
  categories: nested<NamedCategory>((categories) => Type.Object({ ...named, categories })),
});

const Member = Type.Object({
  id: Type.String(),
  displayName: Type.String(),
  fullName: Nullable(Type.String()),
});
interface FullCategory {
  readonly id: string;
  readonly name: string;
  readonly categories: FullCategory[];
  readonly markets: Static<typeof Member>[];
}
const FullCategories = Type.Object({
  categories: nested<FullCategory>((categories) =>
    Type.Object({ ...named, categories, markets: Type.Array(Member) }),
  ),
});

/** The tree that markets are sorted into: traders read it, the back office replaces it. */
export function marketCategoryRoutes(context: RouteContext): Route[] {
  return [
    readForTraders(context),
    readForGuests(context),
    readWithMarkets(context),
    replaceTree(context),
  ];
}

function readForTraders({ directory }: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/markets-categories',
    area: 'trading',
    operation: 'trading-ui',
    summary: 'The tree of market categories.',
    responses: { 200: NamedCategories },
    handler: async () => {
      const tree = await orBusy(directory.marketCategories.tree());
      return tree instanceof Refused ? tree : { categories: tree.map(namedForm) };
    },
  });
}

function readForGuests({ directory, venue }: RouteContext): Route {
  return route({
    ...GUEST,
    method: 'GET',
    path: '/frontoffice/api/v4/guest/markets-categories',
    summary: 'The branches of the tree that hold a market which guests see.',
    responses: { 200: NamedCategories },
    handler: async () => {
      const tree = await orBusy(directory.marketCategories.tree());
      if (tree instanceof Refused) return tree;
      return { categories: tree.flatMap((category) => guestForm(category, venue.reference)) };
    },
  });
}

/** None where no market of the whole branch is for guests. */
function guestForm(category: MarketCategory, reference: Reference): NamedCategory[] {
  const { id, name, markets } = category;
  const categories = category.categories.flatMap((below) => guestForm(below, reference));
  const isShown = markets.some((marketId) => {
    const market = reference.marketOf(marketId);
    return market !== undefined && isGuestVisible(market);
  });
  return isShown || categories.length > 0 ? [{ id, name, categories }] : [];
}

function readWithMarkets({ directory, venue }: RouteContext): Route {
  return route({
    method: 'GET',
    path: BACK,
    area: 'trading',
    operation: 'view-common',
    summary: 'The tree of market categories with their markets.',
    responses: { 200: FullCategories },
    handler: () => fullTree(directory, venue.reference),
  });
}

function replaceTree({ directory, venue }: RouteContext): Route {
  return route({
    method: 'PUT',
    path: BACK,
    area: 'trading',
    operation: 'manage-markets-categories',
    summary: 'Makes the tree exactly this one; ids that are sent are kept, others are made.',
    bodyBytesMax: TREE_BYTES_MAX,
    body: Type.Object({ categories: SentCategories }),
    responses: { 200: FullCategories },
    handler: async ({ body, session, now }) => {
      const categories = body.categories.map(identified);
      const refused = checkTree(categories, venue.reference);
      if (refused !== undefined) return refused;
      const actor = `user:${session.userId}` as const;
      const replaced = directory.marketCategories.replace({ categories, actor, at: now });
      return (await orBusy(replaced)) ?? fullForms(categories, venue.reference);
    },
  });
}

async function fullTree(directory: RouteContext['directory'], reference: Reference) {
  const tree = await orBusy(directory.marketCategories.tree());
  if (tree instanceof Refused) return tree;
  return fullForms(tree, reference);
}

function fullForms(tree: readonly MarketCategory[], reference: Reference) {
  return { categories: tree.map((category) => fullForm(category, reference)) };
}

function identified({ id, name, categories, markets }: SentCategory): MarketCategory {
  return {
    id: id ?? randomUUID(),
    name,
    categories: (categories ?? []).map(identified),
    markets: markets ?? [],
  };
}

function checkTree(
  categories: readonly MarketCategory[],
  reference: Reference,
  seen = new Set<string>(),
): Refused | undefined {
  for (const { id, categories: below, markets } of categories) {
    if (seen.has(id)) return refuse(Refusals.CategoryRepeated, { field: 'id', value: id });
    seen.add(id);
    const unknown = markets.find((marketId) => reference.marketOf(marketId) === undefined);
    if (unknown !== undefined) {
      return refuse(Refusals.MarketUnknown, { field: 'markets', value: unknown });
    }
    const twice = markets.find((marketId, place) => markets.indexOf(marketId) !== place);
    if (twice !== undefined) {
      return refuse(Refusals.CategoryRepeated, { field: 'markets', value: twice });
    }
    const refused = checkTree(below, reference, seen);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function namedForm({ id, name, categories }: MarketCategory): NamedCategory {
  return { id, name, categories: categories.map(namedForm) };
}

function fullForm(category: MarketCategory, reference: Reference): FullCategory {
  const { id, name, categories, markets } = category;
  return {
    id,
    name,
    categories: categories.map((below) => fullForm(below, reference)),
    markets: markets.flatMap((marketId) => {
      const known = reference.marketOf(marketId)?.configuration;
      if (known === undefined) return [];
      return [{ id: marketId, displayName: known.displayName, fullName: known.fullName }];
    }),
  };
}
