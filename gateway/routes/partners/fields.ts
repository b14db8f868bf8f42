import { type TProperties, Type } from '@sinclair/typebox';
import { DecimalInput, Int32, Nullable, OneOf } from '../../http/schema.ts';
import { POSITIONS, SIDES } from './forms.ts';

/**
 * What clients may write, resource by resource. A field that is no `Type.Optional` must be given when
 * a resource is made; an update names what it changes and nothing else.
 */

const ITEMS_MAX = 100;
const URI_LENGTH_MAX = 2048;

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const name = text(128);
const id = text(36);
const uuid = Type.String({ format: 'uuid' });
const uri = Type.String({ format: 'uri', maxLength: URI_LENGTH_MAX });
const language = Type.String({ pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$', maxLength: 35 });
const count = Int32({ minimum: 0 });
const { Optional, Boolean: flag } = Type;

/** A list of something new: nothing in it has an id yet. */
const listOf = (fields: TProperties) =>
  Optional(Type.Array(Type.Object(fields), { maxItems: ITEMS_MAX }));

/** A list as a whole, in a change. Items that carry their id stay themselves, whatever else they say. */
const changedListOf = (idField: string, fields: TProperties) =>
  Optional(
    Type.Array(
      Type.Object({
        [idField]: Optional(id),
        ...Object.fromEntries(
          Object.entries(fields).map(([field, schema]) => [field, Optional(schema)]),
        ),
      }),
      { maxItems: ITEMS_MAX },
    ),
  );

export const profileFields = {
  firstName: name,
  lastName: name,
  middleName: Optional(Nullable(name)),
  countryNumericCode: Optional(Nullable(Type.String({ pattern: '^[0-9]{3}$' }))),
  enabled: Optional(flag()),
};

export const contactFields = { key: text(64), value: text(256) };

const groupLevel = { level: Int32({ minimum: 1, maximum: 64 }), formulaValue: text(256) };
const groupTier = {
  name,
  ratio: DecimalInput(),
  users: Optional(count),
  volume: Optional(DecimalInput()),
};
export const groupCreationFields = {
  name,
  formula: Optional(Nullable(text(256))),
  levels: listOf(groupLevel),
  tiers: listOf(groupTier),
};
export const groupUpdateFields = {
  ...groupCreationFields,
  levels: changedListOf('levelId', groupLevel),
  tiers: changedListOf('tierId', groupTier),
};

export const groupResourceFields = {
  languageCode: language,
  key: text(128),
  value: Type.String({ maxLength: 4096 }),
};

const userFields = {
  profileId: id,
  groupId: Optional(Nullable(id)),
  enabled: Optional(flag()),
  master: Optional(flag()),
  masterMaxLevel: Optional(Nullable(Int32({ minimum: 0, maximum: 64 }))),
  masterRatio: Optional(Nullable(DecimalInput())),
  ratio: Optional(Nullable(DecimalInput())),
  tag: Optional(Nullable(name)),
};
export const userUpdateFields = userFields;
export const userCreationFields = {
  userId: Optional(
    Type.String({ format: 'uuid', description: 'The trading user that this is; else a new id' }),
  ),
  ...userFields,
};

export const relationFields = { childUserId: uuid, parentUserId: uuid };

const linkLanguage = { languageCode: language, uri };
export const linkCreationFields = {
  name,
  uri,
  userId: Optional(Nullable(uuid)),
  languages: listOf(linkLanguage),
};
export const linkUpdateFields = {
  ...linkCreationFields,
  languages: changedListOf('languageId', linkLanguage),
};

export const rateProviderFields = { name };

const username = text(128);
const password = text(256);
const driverFields = {
  driverNumber: text(64),
  address: text(256),
  name,
  version: Optional(count),
};
export const driverCreationFields = {
  ...driverFields,
  credentials: Type.Object({ username, password }),
};
export const driverUpdateFields = {
  ...driverFields,
  credentials: Optional(
    Type.Object({ username: Optional(username), password: Optional(password) }),
  ),
};

export const bannerLanguageFields = { name, code: language };

export const symbolFields = { name: text(64) };

export const preferenceFields = {
  groupId: id,
  formula: Optional(Nullable(text(256))),
  levelTable: Optional(
    Type.Record(
      Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }),
      Type.Array(text(64), { maxItems: ITEMS_MAX }),
      { additionalProperties: false, maxProperties: ITEMS_MAX },
    ),
  ),
  ratio: Optional(DecimalInput()),
  unit: text(32),
  position: OneOf(POSITIONS),
  side: OneOf(SIDES),
  precision: Optional(Int32({ minimum: 0, maximum: 18 })),
};

const savingsLevel = {
  level: Int32({ minimum: 1, maximum: 1000 }),
  rewardValue: DecimalInput(),
  isActive: Optional(flag()),
};
export const savingsProgramCreationFields = {
  name,
  description: Optional(Type.String({ maxLength: 1024 })),
  currency: Type.String({ pattern: '^[A-Za-z0-9]{2,15}$' }),
  isActive: Optional(flag()),
  levels: listOf(savingsLevel),
};
export const savingsProgramUpdateFields = {
  ...savingsProgramCreationFields,
  levels: changedListOf('id', savingsLevel),
};
