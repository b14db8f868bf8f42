import type { Actor, Directory, User } from '../../persistence/directory/index.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { RandomSource } from './random.ts';

export interface UserCreation {
  readonly email: string;
  readonly password: string;
  readonly nickname: string;
  readonly roles: readonly string[];
  readonly isEmailConfirmed: boolean;
  readonly actor: Actor;
  /** UTC milliseconds. */
  readonly at: number;
}

export interface UserCreationParts {
  readonly directory: Directory;
  readonly passwords: PasswordHasher;
  readonly random: RandomSource;
}

/** Creates a user with a hashed password; null when the email is taken. */
export async function createUser(
  { directory, passwords, random }: UserCreationParts,
  { password, ...user }: UserCreation,
): Promise<User | null> {
  const passwordHash = await passwords.hash(password);
  const result = await directory.users.create({ id: random.uuid(), passwordHash, ...user });
  return result.outcome === 'created' ? result.user : null;
}
