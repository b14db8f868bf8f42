import { type RefusalName, Refusals } from '../../core/messages/refusals.ts';
import type {
  Directory,
  RoleDefinition,
  User,
  UserStatus,
} from '../../persistence/directory/index.ts';
import type { Operation, Session } from '../http/authorisation.ts';
import { Refused, refuse } from '../http/refused.ts';
import type { RoleTable } from './roles.ts';
import type { UserRights } from './user-rights.ts';

/** Carries a status over to the user's trading accounts. */
export type ApplyUserStatus = (
  userId: string,
  status: UserStatus,
  now: number,
) => Promise<Refused | undefined>;

export interface UserAdministrationOptions {
  readonly directory: Directory;
  readonly roles: RoleTable;
  readonly rights: UserRights;
  readonly applyStatus: ApplyUserStatus;
  /** Told of every change before it is acknowledged: what is remembered of users is out of date. */
  readonly onChange: () => void;
}

type Result<Value> = Promise<Value | Refused>;

/**
 * Roles, and who has them. Nobody hands out, or takes from others, what they may not do themselves,
 * and nobody changes themselves: so there is always somebody left who administers users.
 */
export class UserAdministration {
  readonly #options: UserAdministrationOptions;

  constructor(options: UserAdministrationOptions) {
    this.#options = options;
  }

  async createRole(session: Session, role: RoleDefinition, now: number): Result<undefined> {
    const refused = await this.#options.rights.toGrant(
      session,
      role.operations as readonly Operation[],
    );
    if (refused !== undefined) return refused;
    const { directory, roles } = this.#options;
    const isNew = await directory.roles.create({ ...role, ...by(session, now) });
    if (!isNew) return refuse(Refusals.AlreadyExists, { field: 'name', value: role.name });
    await roles.reload();
    return undefined;
  }

  async updateRole(session: Session, role: RoleDefinition, now: number): Result<undefined> {
    const before = this.#options.roles.allOperationsOf([role.name]);
    const touched = [...before, ...(role.operations as readonly Operation[])];
    const refused = await this.#options.rights.toGrant(session, touched);
    if (refused !== undefined) return refused;
    const { directory, roles } = this.#options;
    const result = await directory.roles.update({ ...role, ...by(session, now) });
    if (result !== 'changed') return roleRefusal(result, role.name);
    await roles.reload();
    this.#options.onChange();
    return undefined;
  }

  async removeRole(session: Session, name: string, now: number): Result<undefined> {
    const { directory, roles } = this.#options;
    const refused = await this.#options.rights.toGrant(session, [...roles.allOperationsOf([name])]);
    if (refused !== undefined) return refused;
    const result = await directory.roles.remove({ name, ...by(session, now) });
    if (result !== 'changed') return roleRefusal(result, name);
    await roles.reload();
    return undefined;
  }

  /** Takes effect with the user's next token. */
  async setRoles(
    session: Session,
    userId: string,
    names: readonly string[],
    now: number,
  ): Result<User> {
    const { directory, roles } = this.#options;
    const target = await this.#target(session, userId);
    if (target instanceof Refused) return target;
    const known = new Set((await directory.roles.list()).map(({ name }) => name));
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined) {
      return refuse(Refusals.RoleUnknown, { field: 'roles', value: unknown });
    }
    const refused = await this.#options.rights.toGrant(session, [...roles.allOperationsOf(names)]);
    if (refused !== undefined) return refused;
    await directory.users.setRoles({ userId, roles: names, ...by(session, now) });
    this.#options.onChange();
    return { ...target, roles: [...new Set(names)].sort() };
  }

  /** Frozen and Terminated end every session; the user's accounts follow. May be repeated. */
  async setStatus(session: Session, userId: string, status: UserStatus, now: number): Result<User> {
    const target = await this.#target(session, userId);
    if (target instanceof Refused) return target;
    const isHold = status === 'Halted' || status === 'Frozen';
    if (isHold && target.roles.includes('Admin')) {
      const limit = 'administrators are Active or Terminated';
      return refuse(Refusals.ConfigurationInvalid, { field: 'status', value: status, limit });
    }
    if (target.status === 'Terminated' && status !== 'Terminated') {
      const limit = 'a terminated user stays so';
      return refuse(Refusals.ConfigurationInvalid, { field: 'status', value: status, limit });
    }
    const { directory, applyStatus } = this.#options;
    await directory.users.setStatus({ userId, status, ...by(session, now) });
    this.#options.onChange();
    const refused = await applyStatus(userId, status, now);
    return refused ?? { ...target, status };
  }

  /** For somebody who has lost their authenticator. */
  async resetSecondFactor(session: Session, userId: string, now: number): Result<undefined> {
    const target = await this.#target(session, userId);
    if (target instanceof Refused) return target;
    await this.#options.directory.secondFactors.disable({ userId, ...by(session, now) });
    return undefined;
  }

  #target(session: Session, userId: string): Result<User> {
    return this.#options.rights.overAnother(session, userId, { field: 'userId', value: userId });
  }
}

function by({ userId }: Session, now: number) {
  return { actor: `user:${userId}`, at: now } as const;
}

const ROLE_REFUSALS = {
  'unknown-role': 'ResourceUnknown',
  preconfigured: 'ConfigurationInvalid',
  'in-use': 'StillInUse',
} as const satisfies Record<string, RefusalName>;

function roleRefusal(reason: keyof typeof ROLE_REFUSALS, name: string): Refused {
  const details = { field: 'name', value: name, limit: 'it is preconfigured' };
  return refuse(Refusals[ROLE_REFUSALS[reason]], details);
}
