import { Refusals } from '../../core/messages/refusals.ts';
import type { Directory, User } from '../../persistence/directory/index.ts';
import type { Operation, Session } from '../http/authorisation.ts';
import { type Refused, refuse } from '../http/refused.ts';
import type { RoleTable } from './roles.ts';

/**
 * Who may act on whom: the operations that a change hands out, and those of the user that it
 * concerns, must all be the caller's own, by the roles that the caller has now and whatever the
 * scopes of the token.
 */
export class UserRights {
  readonly #directory: Directory;
  readonly #roles: RoleTable;

  constructor(directory: Directory, roles: RoleTable) {
    this.#directory = directory;
    this.#roles = roles;
  }

  /** A user who may do nothing that the caller may not. */
  async over(session: Session, userId: string): Promise<User | Refused> {
    const user = await this.#directory.users.get(userId);
    if (user === null) return refuse(Refusals.UserUnknown, { field: 'userId', value: userId });
    return (await this.toGrant(session, [...this.#roles.allOperationsOf(user.roles)])) ?? user;
  }

  /** The same of somebody else. `field` is what named the user, with `value`. */
  async overAnother(
    session: Session,
    userId: string,
    { field, value }: { readonly field: string; readonly value: string },
  ): Promise<User | Refused> {
    if (userId !== session.userId) return this.over(session, userId);
    const limit = 'nobody changes themselves';
    return refuse(Refusals.ConfigurationInvalid, { field, value, limit });
  }

  /** Nothing, where the caller may hand these out. */
  async toGrant(session: Session, operations: readonly Operation[]): Promise<Refused | undefined> {
    const caller = await this.#directory.users.get(session.userId);
    const own = this.#roles.allOperationsOf(caller?.roles ?? []);
    const missing = operations.find((operation) => !own.has(operation));
    return missing === undefined ? undefined : refuse(Refusals.Forbidden, { limit: missing });
  }
}
