import type { Directory, RoleDefinition } from '../../persistence/directory/index.ts';
import { OPERATIONS, type Operation } from '../http/authorisation.ts';

const FRONT_OFFICE = ['trading-ui'] as const satisfies readonly Operation[];

const BACK_OFFICE_VIEWS = [
  'view-common',
  'view-users',
  'view-trades',
  'view-commission-rules',
] as const satisfies readonly Operation[];

const BACK_OFFICE = [
  ...BACK_OFFICE_VIEWS,
  'manage-users',
  'manage-trades',
  'manage-transfers',
  'manage-commission-rules',
  'manage-assets',
  'manage-markets',
  'hide-markets',
  'manage-markets-categories',
] as const satisfies readonly Operation[];

/** Scopes of a token that open an area; what a token may do is this and its user's roles. */
const AREA_SCOPES = {
  FrontOffice: FRONT_OFFICE,
  BackOffice: BACK_OFFICE,
} as const satisfies Record<string, readonly Operation[]>;

/** What roles are made of; operations of apps are none of a person's. */
export const ROLE_OPERATIONS = [...FRONT_OFFICE, ...BACK_OFFICE] as const;

/** The roles that exist everywhere. This table is their only source: it is written at every start. */
const PRECONFIGURED_ROLES = [
  {
    name: 'Admin',
    description: 'Runs the venue: everything in the back office.',
    operations: [...FRONT_OFFICE, ...BACK_OFFICE],
  },
  {
    name: 'Support',
    description: 'Looks after traders: sees the back office, rolls back trades, hides markets.',
    operations: [...FRONT_OFFICE, ...BACK_OFFICE_VIEWS, 'manage-trades', 'hide-markets'],
  },
  {
    name: 'Trader',
    description: 'Trades on accounts of their own.',
    operations: [...FRONT_OFFICE],
  },
] as const satisfies ReadonlyArray<RoleDefinition & { operations: readonly Operation[] }>;

const APP_OPERATIONS = ['read', 'write'] as const satisfies readonly Operation[];

/**
 * What an app may do: no role stands behind it, its scopes are named like the operations that they
 * open. A token is an app's when its subject is the client itself (RFC 9068, 2.2).
 */
export function appOperations(scopes: readonly string[]): ReadonlySet<Operation> {
  return new Set(APP_OPERATIONS.filter((operation) => scopes.includes(operation)));
}

/** Writes the table above into the directory, where custom roles live beside it. */
export async function synchroniseRoles(directory: Directory, now: number): Promise<void> {
  await directory.roles.synchronisePreconfigured({
    roles: PRECONFIGURED_ROLES,
    actor: 'system:start',
    at: now,
  });
}

/** What each role may do, in memory: asked once a token, read again by `reload`. */
export class RoleTable {
  readonly #directory: Directory;
  #operations: ReadonlyMap<string, readonly Operation[]> = new Map();

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  /** Operations that this program does not know (any more) open nothing. */
  async reload(): Promise<void> {
    const roles = await this.#directory.roles.list();
    this.#operations = new Map(
      roles.map(({ name, operations }) => [name, operations.filter(isOperation)]),
    );
  }

  /** The scopes without those of areas in which the roles may do nothing. */
  limitScopes(roles: readonly string[], scopes: readonly string[]): readonly string[] {
    return scopes.filter(
      (scope) => !isAreaScope(scope) || this.operationsOf(roles, [scope]).size > 0,
    );
  }

  /** All that the roles allow, whatever the scopes of a token. */
  allOperationsOf(roles: readonly string[]): ReadonlySet<Operation> {
    return new Set(roles.flatMap((role) => this.#operations.get(role) ?? []));
  }

  operationsOf(roles: readonly string[], scopes: readonly string[]): ReadonlySet<Operation> {
    const allowed = this.allOperationsOf(roles);
    const opened = scopes.flatMap((scope) => (isAreaScope(scope) ? AREA_SCOPES[scope] : []));
    return new Set(opened.filter((operation) => allowed.has(operation)));
  }
}

function isOperation(name: string): name is Operation {
  return OPERATIONS.some((operation) => operation === name);
}

function isAreaScope(scope: string): scope is keyof typeof AREA_SCOPES {
  return Object.hasOwn(AREA_SCOPES, scope);
}
