import type { DirectoryDatabase } from '../database.ts';

/** Why a change of the partner area was not made. Nothing of it was written then. */
export interface Violation {
  readonly rule:
    | 'unknown'
    | 'unknown-reference'
    | 'missing'
    | 'out-of-range'
    | 'taken'
    | 'in-use'
    | 'cycle'
    | 'too-deep'
    | 'chains-moving'
    | 'not-a-child'
    | 'forbidden-field'
    | 'wrong-state'
    | 'too-many';
  /** The field as the client wrote it: `levels[1].level`. */
  readonly field: string;
  readonly value?: string;
  /** What would have done, or what stands in the way. */
  readonly limit?: string;
}

export type Attempt<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'refused'; readonly violation: Violation };

/** Thrown inside a transaction, so that it is rolled back. */
class Refusal {
  readonly violation: Violation;

  constructor(violation: Violation) {
    this.violation = violation;
  }
}

export function refuse(violation: Violation): never {
  throw new Refusal(violation);
}

/** Runs the body in a transaction; a refusal inside undoes all of it. */
export function attempt<T>(database: DirectoryDatabase, body: () => T): Attempt<T> {
  try {
    return { outcome: 'done', value: database.transaction(body) };
  } catch (error) {
    if (error instanceof Refusal) return { outcome: 'refused', violation: error.violation };
    const violation = constraintViolation(error);
    if (violation === undefined) throw error;
    return { outcome: 'refused', violation };
  }
}

/** What the tables themselves refuse: a value that is taken, a row that others need. */
function constraintViolation(error: unknown): Violation | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return { rule: 'in-use', field: '' };
  if (error.code !== 'SQLITE_CONSTRAINT_UNIQUE') return undefined;
  const column = /\.(\w+)$/.exec(error.message)?.[1] ?? '';
  const field = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { rule: 'taken', field };
}

/** The violation that a refusal carries; undefined for what is no refusal. */
export function violationIn(error: unknown): Violation | undefined {
  return error instanceof Refusal ? error.violation : undefined;
}

const DESCRIPTIONS: Partial<Readonly<Record<Violation['rule'], string>>> = {
  cycle: 'The chain would close on itself',
  'too-deep': 'The chain would become too long',
  'not-a-child': 'A user is no child of the source any more',
};

/** What went wrong, for people who read it later. */
export function describeViolation({ rule, field, value, limit }: Violation): string {
  const what = DESCRIPTIONS[rule] ?? rule;
  const details = [field, value, limit].filter((part) => part !== undefined && part !== '');
  return `${what}: ${details.join(' ')}.`;
}
