import type { TObject, TProperties } from '@sinclair/typebox';
import type { PartnerResourceName } from '../../../persistence/directory/index.ts';
import * as fields from './fields.ts';
import * as forms from './forms.ts';
import { driverCredentials, type RecordCodec } from './rate-credentials.ts';

export type Verb = 'list' | 'read' | 'create' | 'update' | 'replace' | 'remove';

/** One resource of the partner area; its endpoints derive from this (resource-routes.ts). */
export interface PartnerResource {
  readonly resource: PartnerResourceName;
  /** Where it is listed; `{idName}` below it is one of it. */
  readonly path: string;
  /** How the path calls the id. */
  readonly idName: string;
  readonly idFormat?: 'uuid';
  /** What a summary calls one of it, and what a list is called in answers. */
  readonly one: string;
  readonly many: string;
  readonly form: TObject;
  readonly creation: TProperties;
  /** Where it differs from the creation. */
  readonly change?: TProperties;
  /** The verbs of the original interface; the others make them usable and are extensions. */
  readonly original: readonly Verb[];
  readonly changedBy: 'update' | 'replace';
  /** Lists may be narrowed to those with these values. */
  readonly filters?: readonly string[];
  /** What lies otherwise in the directory than it is written and answered. */
  readonly codec?: RecordCodec;
}

export const RESOURCES: readonly PartnerResource[] = [
  {
    resource: 'profiles',
    path: '/profiles',
    idName: 'profileId',
    one: 'a profile',
    many: 'profiles',
    form: forms.Profile,
    creation: fields.profileFields,
    original: [],
    changedBy: 'update',
  },
  {
    resource: 'contacts',
    path: '/profiles/{profileId}/contacts',
    idName: 'contactId',
    one: 'a contact of a profile',
    many: 'contacts',
    form: forms.Contact,
    creation: fields.contactFields,
    original: ['create'],
    changedBy: 'update',
  },
  {
    resource: 'groups',
    path: '/groups',
    idName: 'groupId',
    one: 'a group with its levels and tiers',
    many: 'groups',
    form: forms.Group,
    creation: fields.groupCreationFields,
    change: fields.groupUpdateFields,
    original: ['update'],
    changedBy: 'update',
  },
  {
    resource: 'groupResources',
    path: '/groups/{groupId}/resources',
    idName: 'resourceId',
    one: 'a localization resource of a group',
    many: 'resources',
    form: forms.GroupResource,
    creation: fields.groupResourceFields,
    original: ['read'],
    changedBy: 'update',
    filters: ['languageCode'],
  },
  {
    resource: 'users',
    path: '/users',
    idName: 'userId',
    idFormat: 'uuid',
    one: 'a user of the partner network',
    many: 'users',
    form: forms.UserNode,
    creation: fields.userCreationFields,
    change: fields.userUpdateFields,
    original: [],
    changedBy: 'update',
    filters: ['groupId', 'profileId'],
  },
  {
    resource: 'relations',
    path: '/relations',
    idName: 'relationId',
    one: 'a relation of a child to its parent',
    many: 'relations',
    form: forms.Relation,
    creation: fields.relationFields,
    original: ['update'],
    changedBy: 'update',
    filters: ['childUserId', 'parentUserId'],
  },
  {
    resource: 'links',
    path: '/links',
    idName: 'linkId',
    one: 'a referral link with its languages',
    many: 'links',
    form: forms.Link,
    creation: fields.linkCreationFields,
    change: fields.linkUpdateFields,
    original: ['update'],
    changedBy: 'update',
    filters: ['userId'],
  },
  {
    resource: 'rateProviders',
    path: '/rates',
    idName: 'providerId',
    one: 'a rate provider',
    many: 'providers',
    form: forms.RateProvider,
    creation: fields.rateProviderFields,
    original: [],
    changedBy: 'update',
  },
  {
    resource: 'rateDrivers',
    path: '/rates/{providerId}/drivers',
    idName: 'driverId',
    one: 'a driver of a rate provider',
    many: 'drivers',
    form: forms.RateDriver,
    creation: fields.driverCreationFields,
    change: fields.driverUpdateFields,
    original: ['update'],
    changedBy: 'update',
    codec: driverCredentials,
  },
  {
    resource: 'bannerLanguages',
    path: '/banners/languages',
    idName: 'languageId',
    one: 'a language of banners',
    many: 'languages',
    form: forms.BannerLanguage,
    creation: fields.bannerLanguageFields,
    original: ['replace'],
    changedBy: 'replace',
  },
  {
    resource: 'symbols',
    path: '/symbols',
    idName: 'symbolId',
    one: 'a symbol',
    many: 'symbols',
    form: forms.PartnerSymbol,
    creation: fields.symbolFields,
    original: [],
    changedBy: 'update',
  },
  {
    resource: 'symbolPreferences',
    path: '/symbols/{symbolId}/preferences',
    idName: 'paymentPlanId',
    one: 'a preference (payment plan) of a symbol',
    many: 'preferences',
    form: forms.SymbolPreference,
    creation: fields.preferenceFields,
    original: ['update'],
    changedBy: 'update',
    filters: ['groupId'],
  },
  {
    resource: 'savingsPrograms',
    path: '/savings-programs',
    idName: 'savingsProgram',
    idFormat: 'uuid',
    one: 'a savings program with its levels',
    many: 'savingsPrograms',
    form: forms.SavingsProgram,
    creation: fields.savingsProgramCreationFields,
    change: fields.savingsProgramUpdateFields,
    original: ['replace'],
    changedBy: 'replace',
  },
];
