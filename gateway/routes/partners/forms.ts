import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { DecimalOutput, Int32, Nullable, OneOf, TimestampOutput } from '../../http/schema.ts';

/** The shapes in which the partner area answers. */

const Id = Type.String({ description: 'Given by the system' });
const Uuid = Type.String({ format: 'uuid' });
const Text = Type.String();
const Times = { createTime: TimestampOutput(), updateTime: TimestampOutput() };
const Traces = { ...Times, uuid: Uuid };

const form = <P extends TProperties>(properties: P) => Type.Object(properties);
const listOf = (item: TSchema) => Type.Array(item);

export const Contact = form({ contactId: Id, key: Text, value: Text, ...Traces });

export const Profile = form({
  profileId: Id,
  firstName: Text,
  lastName: Text,
  middleName: Nullable(Text),
  countryNumericCode: Nullable(Text),
  enabled: Type.Boolean(),
  contacts: listOf(Contact),
  ...Traces,
});

const GroupLevel = form({
  levelId: Id,
  groupId: Id,
  level: Int32(),
  formulaValue: Text,
  ...Traces,
});
const GroupTier = form({
  tierId: Id,
  groupId: Id,
  name: Text,
  ratio: DecimalOutput(),
  users: Int32(),
  volume: DecimalOutput(),
  ...Traces,
});
export const Group = form({
  groupId: Id,
  name: Text,
  formula: Nullable(Text),
  levels: listOf(GroupLevel),
  tiers: listOf(GroupTier),
  ...Traces,
});

export const GroupResource = form({
  resourceId: Id,
  groupId: Id,
  languageCode: Text,
  key: Text,
  value: Text,
  ...Times,
});

export const UserNode = form({
  userId: Uuid,
  profileId: Id,
  profile: Profile,
  groupId: Nullable(Id),
  group: Nullable(Group),
  enabled: Type.Boolean(),
  master: Type.Boolean(),
  masterMaxLevel: Nullable(Int32()),
  masterRatio: Nullable(DecimalOutput()),
  ratio: Nullable(DecimalOutput()),
  tag: Nullable(Text),
  ...Traces,
});

export const Relation = form({
  relationId: Id,
  childUserId: Uuid,
  parentUserId: Uuid,
  childUser: UserNode,
  parentUser: UserNode,
  ...Traces,
});

const LinkLanguage = form({
  languageId: Id,
  linkId: Id,
  languageCode: Text,
  uri: Text,
  ...Times,
});
export const Link = form({
  linkId: Id,
  name: Text,
  uri: Text,
  userId: Nullable(Uuid),
  languages: listOf(LinkLanguage),
  ...Traces,
});

export const RateProvider = form({ providerId: Id, name: Text, ...Traces });

export const RateDriver = form({
  driverId: Id,
  driverNumber: Text,
  address: Text,
  credentials: form({ username: Text }),
  name: Text,
  provider: Text,
  version: Int32(),
  ...Traces,
});

export const BannerLanguage = form({ languageId: Id, name: Text, code: Text, ...Times });

export const PartnerSymbol = form({ symbolId: Id, name: Text, ...Traces });

export const POSITIONS = ['any', 'open', 'close'] as const;
export const SIDES = ['any', 'buy', 'sell'] as const;

export const SymbolPreference = form({
  preferenceId: Id,
  formula: Nullable(Text),
  levelTable: Type.Record(Type.String(), Type.Array(Type.String())),
  ratio: DecimalOutput(),
  unit: Text,
  position: OneOf(POSITIONS),
  side: OneOf(SIDES),
  scope: form({ groupId: Id, name: Text, uuid: Uuid }),
  precision: Int32(),
  ...Traces,
});

const SavingsTimes = { createdAt: TimestampOutput(), updatedAt: TimestampOutput() };
const SavingsLevel = form({
  id: Uuid,
  savingsProgramId: Uuid,
  level: Int32(),
  rewardValue: DecimalOutput(),
  isActive: Type.Boolean(),
  ...SavingsTimes,
});
export const SavingsProgram = form({
  id: Uuid,
  name: Text,
  description: Text,
  currency: Text,
  isActive: Type.Boolean(),
  levels: listOf(SavingsLevel),
  createdBy: Text,
  updatedBy: Text,
  ...SavingsTimes,
});
