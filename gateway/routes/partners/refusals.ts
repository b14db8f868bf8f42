import { type Refusal, Refusals } from '../../../core/messages/refusals.ts';
import type { Attempt, Violation } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';

const BY_RULE: Readonly<Record<Violation['rule'], Refusal>> = {
  unknown: Refusals.ResourceUnknown,
  'unknown-reference': Refusals.ReferenceUnknown,
  missing: Refusals.FieldMissing,
  'out-of-range': Refusals.OutOfRange,
  taken: Refusals.ValueTaken,
  'in-use': Refusals.StillInUse,
  cycle: Refusals.ChainCycle,
  'too-deep': Refusals.ChainTooLong,
  'chains-moving': Refusals.ChainsMoving,
  'not-a-child': Refusals.NotAChild,
  'forbidden-field': Refusals.FieldNotTaken,
  'wrong-state': Refusals.WrongState,
  'too-many': Refusals.Overloaded,
};

/** Fills in what only the request knows of a refusal: the name that its path or body has for it. */
type Complete = (violation: Violation) => Violation;

const asIs: Complete = (violation) => violation;

/** What the directory answered, or the refusal for what it would not do. */
export async function outcomeOf<T>(
  answer: Promise<Attempt<T>>,
  complete: Complete = asIs,
): Promise<T | Refused> {
  const attempt = await orBusy(answer);
  if (attempt instanceof Refused) return attempt;
  if (attempt.outcome === 'done') return attempt.value;
  const { rule, field, value, limit } = complete(attempt.violation);
  return refuse(BY_RULE[rule], { field, value, limit });
}
