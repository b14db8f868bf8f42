import { compileRenderer } from '../../http/answer-serialiser.ts';
import type { RenderedJson } from '../../http/reply.ts';
import type { Reference } from '../../venue/reference.ts';
import { Balances, balancesForm } from './balance-forms.ts';

interface Told {
  readonly account: number;
  readonly packed: Uint8Array;
  readonly revision: number;
  /** From the second time on. */
  rendered: RenderedJson<Balances> | undefined;
}

/** A power of two. */
const PLACES = 4096;

const render = compileRenderer(Balances);

/**
 * Answers to reads of balances, as they were told last: clearing is asked each time, and where it tells
 * the same units of the same assets as before, the answer is the same text. It is kept when it has been
 * told twice. Accounts share a place with those that are a multiple of the places away.
 */
export class KeptBalances {
  private readonly reference: Reference;
  private readonly told: (Told | undefined)[] = new Array(PLACES).fill(undefined);

  constructor(reference: Reference) {
    this.reference = reference;
  }

  /** `packed` is what clearing tells of the account. */
  answer(account: number, packed: Uint8Array): Balances | RenderedJson<Balances> {
    const { revision } = this.reference;
    const place = account & (PLACES - 1);
    const before = this.told[place];
    if (before?.account === account && before.revision === revision) {
      if (isSame(before.packed, packed)) {
        before.rendered ??= render(balancesForm(this.reference, packed));
        return before.rendered;
      }
    }
    this.told[place] = { account, packed, revision, rendered: undefined };
    return balancesForm(this.reference, packed);
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
