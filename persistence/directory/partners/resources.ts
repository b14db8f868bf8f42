/**
 * The resources of the partner area as a table: what each keeps, in which table, under which id, and
 * what it shows of its neighbours. Reading and writing (records.ts) know nothing but this.
 *
 * A field `masterMaxLevel` lies in the column `master_max_level`. A field without a fallback must be
 * given when a row is made.
 */

type Fallback = string | number | boolean | null | Readonly<Record<string, unknown>>;

export interface Field {
  readonly type: 'text' | 'integer' | 'decimal' | 'flag' | 'json' | 'reference';
  /** The resource that a reference names by its id. */
  readonly to?: string;
  /** What a row gets where nothing is given; undefined: something must be. */
  readonly fallback: Fallback | undefined;
  /** Never in the audit trail. */
  readonly isSecret: boolean;
}

export interface Embedded {
  /** The reference whose row is shown. */
  readonly by: string;
  readonly resource: string;
  /** Only this field of it. */
  readonly pick?: string;
}

export interface ResourceDefinition {
  readonly table: string;
  /** How answers call the id. */
  readonly idField: string;
  /** The column that the id is taken from. */
  readonly key: 'id' | 'user_id' | 'uuid';
  /** The reference under which rows are listed and looked up, where ids alone do not name them. */
  readonly parent?: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Lists that belong to the row and are written with it. */
  readonly owned: Readonly<Record<string, string>>;
  readonly embedded: Readonly<Record<string, Embedded>>;
  /** The field that is different in every row of one owner's list. */
  readonly distinct?: string;
  readonly times: readonly [created: string, updated: string];
  /** Keeps which app made the row and which changed it last. */
  readonly hasAuthors: boolean;
}

const field =
  (type: Field['type']) =>
  (fallback?: Fallback): Field => ({ type, fallback, isSecret: false });
const text = field('text');
const integer = field('integer');
const decimal = field('decimal');
const flag = field('flag');
const json = field('json');
const secret = (): Field => ({ type: 'text', fallback: undefined, isSecret: true });
const reference = (to: string, fallback?: null): Field => ({
  type: 'reference',
  to,
  fallback,
  isSecret: false,
});

type Definition = Pick<ResourceDefinition, 'table' | 'idField' | 'fields'> &
  Partial<ResourceDefinition>;

function define(definition: Definition): ResourceDefinition {
  return {
    key: 'id',
    owned: {},
    embedded: {},
    times: ['createTime', 'updateTime'],
    hasAuthors: false,
    ...definition,
  };
}

export const partnerResources = {
  profiles: define({
    table: 'partner_profiles',
    idField: 'profileId',
    fields: {
      firstName: text(),
      lastName: text(),
      middleName: text(null),
      countryNumericCode: text(null),
      enabled: flag(true),
    },
    owned: { contacts: 'contacts' },
  }),
  contacts: define({
    table: 'partner_contacts',
    idField: 'contactId',
    parent: 'profileId',
    fields: { profileId: reference('profiles'), key: text(), value: text() },
  }),
  groups: define({
    table: 'partner_groups',
    idField: 'groupId',
    fields: { name: text(), formula: text(null) },
    owned: { levels: 'groupLevels', tiers: 'groupTiers' },
  }),
  groupLevels: define({
    table: 'partner_group_levels',
    idField: 'levelId',
    parent: 'groupId',
    fields: { groupId: reference('groups'), level: integer(), formulaValue: text() },
    distinct: 'level',
  }),
  groupTiers: define({
    table: 'partner_group_tiers',
    idField: 'tierId',
    parent: 'groupId',
    fields: {
      groupId: reference('groups'),
      name: text(),
      ratio: decimal(),
      users: integer(0),
      volume: decimal('0'),
    },
    distinct: 'name',
  }),
  groupResources: define({
    table: 'partner_group_resources',
    idField: 'resourceId',
    parent: 'groupId',
    fields: {
      groupId: reference('groups'),
      languageCode: text(),
      key: text(),
      value: text(),
    },
  }),
  users: define({
    table: 'partner_users',
    idField: 'userId',
    key: 'user_id',
    fields: {
      profileId: reference('profiles'),
      groupId: reference('groups', null),
      enabled: flag(true),
      master: flag(false),
      masterMaxLevel: integer(null),
      masterRatio: decimal(null),
      ratio: decimal(null),
      tag: text(null),
    },
    embedded: {
      profile: { by: 'profileId', resource: 'profiles' },
      group: { by: 'groupId', resource: 'groups' },
    },
  }),
  relations: define({
    table: 'partner_relations',
    idField: 'relationId',
    fields: { childUserId: reference('users'), parentUserId: reference('users') },
    embedded: {
      childUser: { by: 'childUserId', resource: 'users' },
      parentUser: { by: 'parentUserId', resource: 'users' },
    },
  }),
  links: define({
    table: 'partner_links',
    idField: 'linkId',
    fields: { name: text(), uri: text(), userId: reference('users', null) },
    owned: { languages: 'linkLanguages' },
  }),
  linkLanguages: define({
    table: 'partner_link_languages',
    idField: 'languageId',
    parent: 'linkId',
    fields: { linkId: reference('links'), languageCode: text(), uri: text() },
    distinct: 'languageCode',
  }),
  rateProviders: define({
    table: 'partner_rate_providers',
    idField: 'providerId',
    fields: { name: text() },
  }),
  rateDrivers: define({
    table: 'partner_rate_drivers',
    idField: 'driverId',
    parent: 'providerId',
    fields: {
      providerId: reference('rateProviders'),
      driverNumber: text(),
      address: text(),
      name: text(),
      version: integer(1),
      sealedUsername: secret(),
      sealedPassword: secret(),
    },
    embedded: { provider: { by: 'providerId', resource: 'rateProviders', pick: 'name' } },
  }),
  bannerLanguages: define({
    table: 'partner_banner_languages',
    idField: 'languageId',
    fields: { name: text(), code: text() },
  }),
  symbols: define({
    table: 'partner_symbols',
    idField: 'symbolId',
    fields: { name: text() },
  }),
  symbolPreferences: define({
    table: 'partner_symbol_preferences',
    idField: 'preferenceId',
    parent: 'symbolId',
    fields: {
      symbolId: reference('symbols'),
      groupId: reference('groups'),
      formula: text(null),
      levelTable: json({}),
      ratio: decimal('1'),
      unit: text(),
      position: text(),
      side: text(),
      precision: integer(2),
    },
    embedded: { scope: { by: 'groupId', resource: 'groups' } },
  }),
  savingsPrograms: define({
    table: 'partner_savings_programs',
    idField: 'id',
    key: 'uuid',
    fields: { name: text(), description: text(''), currency: text(), isActive: flag(true) },
    owned: { levels: 'savingsLevels' },
    times: ['createdAt', 'updatedAt'],
    hasAuthors: true,
  }),
  savingsLevels: define({
    table: 'partner_savings_levels',
    idField: 'id',
    key: 'uuid',
    parent: 'savingsProgramId',
    fields: {
      savingsProgramId: reference('savingsPrograms'),
      level: integer(),
      rewardValue: decimal(),
      isActive: flag(true),
    },
    distinct: 'level',
    times: ['createdAt', 'updatedAt'],
  }),
} as const satisfies Record<string, ResourceDefinition>;

export type PartnerResourceName = keyof typeof partnerResources;

const byName: Readonly<Record<string, ResourceDefinition>> = partnerResources;

/** Throws for a name that no resource has: names come from this program alone. */
export function definitionOf(name: string): ResourceDefinition {
  const definition = byName[name];
  if (definition === undefined) throw new Error(`directory: no partner resource ${name}`);
  return definition;
}

/** `masterMaxLevel` as the tables write it: `master_max_level`. */
export function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
