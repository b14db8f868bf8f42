import type { ApiClient } from '../../support/api-client.ts';
import { bodyOf, type Fields, newUser } from './partner.ts';

/** A resource as a test uses it: where it lives, and what can be written to it. */
export interface Sample {
  readonly name: string;
  /** The list's path as it is declared, and the name of an item's id in it. */
  readonly template: string;
  readonly idName: string;
  readonly idField: string;
  readonly changedBy: 'PATCH' | 'PUT';
  /** The verbs that the interface itself has; all others are extensions. */
  readonly original: readonly ('GET' | 'POST' | 'PATCH' | 'PUT')[];
  /** A new one, with every field. */
  readonly creation: Fields;
  /** One field that an update changes, and what else stays. */
  readonly change: Fields;
  /** Fields whose value may be in one row only. */
  readonly unique?: string;
  readonly hidden?: readonly string[];
}

/** What the samples stand on. */
export interface Ground {
  readonly ids: Readonly<Record<string, string>>;
  readonly samples: readonly Sample[];
}

/** Makes what samples refer to: a profile, a group, users, a rate provider and a symbol. */
export async function prepare(client: ApiClient): Promise<Ground> {
  const make = async (path: string, body: Fields, id: string) =>
    bodyOf(await client.post(path, body), 201)[id] ?? '';
  const [child, parent, other] = [
    await newUser(client, 'Child'),
    await newUser(client, 'Parent'),
    await newUser(client, 'Other'),
  ];
  const ids = {
    profileId: await make('/profiles', { firstName: 'Base', lastName: 'Line' }, 'profileId'),
    groupId: await make('/groups', { name: 'Ground' }, 'groupId'),
    providerId: await make('/rates', { name: 'Ground' }, 'providerId'),
    symbolId: await make('/symbols', { name: 'GROUND' }, 'symbolId'),
    child,
    parent,
    other,
  };
  return { ids, samples: samplesOn(ids) };
}

/** The list's path with the ids of what it is kept under. */
export function listPath({ template }: Sample, ids: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? '');
}

type Ids = Readonly<Record<'profileId' | 'groupId' | 'child' | 'parent' | 'other', string>>;

const patched = { changedBy: 'PATCH', original: ['PATCH'] } as const;

function samplesOn(ids: Ids): readonly Sample[] {
  return [
    {
      ...patched,
      name: 'profiles',
      template: '/profiles',
      idName: 'profileId',
      idField: 'profileId',
      original: [],
      creation: {
        firstName: 'Ada',
        lastName: 'King',
        middleName: 'Byron',
        countryNumericCode: '826',
        enabled: true,
      },
      change: { middleName: null },
    },
    {
      ...patched,
      name: 'contacts',
      template: '/profiles/{profileId}/contacts',
      idName: 'contactId',
      idField: 'contactId',
      original: ['POST'],
      creation: { key: 'phone', value: '+44 20 7946 0000' },
      change: { value: '+44 20 7946 0001' },
    },
    {
      ...patched,
      name: 'groups',
      template: '/groups',
      idName: 'groupId',
      idField: 'groupId',
      creation: {
        name: 'Gold',
        formula: 'volume * ratio',
        levels: [
          { level: 1, formulaValue: '0.5' },
          { level: 2, formulaValue: '0.25' },
        ],
        tiers: [{ name: 'base', ratio: '0.1', users: 10, volume: '1000' }],
      },
      change: { formula: 'volume' },
      unique: 'name',
    },
    {
      ...patched,
      name: 'resources',
      template: '/groups/{groupId}/resources',
      idName: 'resourceId',
      idField: 'resourceId',
      original: ['GET'],
      creation: { languageCode: 'en', key: 'title', value: 'Welcome' },
      change: { value: 'Hello' },
    },
    {
      ...patched,
      name: 'users',
      template: '/users',
      idName: 'userId',
      idField: 'userId',
      original: [],
      creation: {
        profileId: ids.profileId,
        groupId: ids.groupId,
        enabled: true,
        master: true,
        masterMaxLevel: 3,
        masterRatio: '0.5',
        ratio: '1.25',
        tag: 'vip',
      },
      change: { tag: null },
    },
    {
      ...patched,
      name: 'relations',
      template: '/relations',
      idName: 'relationId',
      idField: 'relationId',
      creation: { childUserId: ids.child, parentUserId: ids.parent },
      change: { parentUserId: ids.other },
      unique: 'childUserId',
    },
    {
      ...patched,
      name: 'links',
      template: '/links',
      idName: 'linkId',
      idField: 'linkId',
      creation: {
        name: 'spring',
        uri: 'https://partners.test/spring',
        userId: ids.parent,
        languages: [{ languageCode: 'de', uri: 'https://partners.test/de/spring' }],
      },
      change: { uri: 'https://partners.test/summer' },
    },
    {
      ...patched,
      name: 'providers',
      template: '/rates',
      idName: 'providerId',
      idField: 'providerId',
      original: [],
      creation: { name: 'Rates Ltd' },
      change: { name: 'Rates plc' },
      unique: 'name',
    },
    {
      ...patched,
      name: 'drivers',
      template: '/rates/{providerId}/drivers',
      idName: 'driverId',
      idField: 'driverId',
      creation: {
        driverNumber: '17',
        address: 'rates.test:443',
        name: 'primary',
        version: 5,
        credentials: { username: 'feed', password: 'feed-password-1' },
      },
      change: { address: 'rates.test:8443' },
      unique: 'driverNumber',
      hidden: ['credentials'],
    },
    {
      name: 'languages',
      template: '/banners/languages',
      idName: 'languageId',
      idField: 'languageId',
      changedBy: 'PUT',
      original: ['PUT'],
      creation: { name: 'English', code: 'en' },
      change: { name: 'British English' },
      unique: 'code',
    },
    {
      ...patched,
      name: 'symbols',
      template: '/symbols',
      idName: 'symbolId',
      idField: 'symbolId',
      original: [],
      creation: { name: 'EURUSD' },
      change: { name: 'EURUSD.pro' },
      unique: 'name',
    },
    {
      ...patched,
      name: 'preferences',
      template: '/symbols/{symbolId}/preferences',
      idName: 'paymentPlanId',
      idField: 'preferenceId',
      creation: {
        groupId: ids.groupId,
        formula: 'lots * value',
        levelTable: { 1: ['0.5', '0.25'], 2: ['0.1'] },
        ratio: '1.5',
        unit: 'lot',
        position: 'close',
        side: 'any',
        precision: 4,
      },
      change: { precision: 6 },
      hidden: ['groupId'],
    },
    {
      name: 'savingsPrograms',
      template: '/savings-programs',
      idName: 'savingsProgram',
      idField: 'id',
      changedBy: 'PUT',
      original: ['PUT'],
      creation: {
        name: 'Saver',
        description: 'Pays for patience',
        currency: 'USDT',
        isActive: true,
        levels: [{ level: 1, rewardValue: '0.05', isActive: true }],
      },
      change: { currency: 'EUR' },
    },
  ];
}
