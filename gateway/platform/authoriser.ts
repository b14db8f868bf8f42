import { HOUSE_ACCOUNT } from '../../core/clearing/index.ts';
import { Refusals } from '../../core/messages/refusals.ts';
import type { AccountReference, Authoriser, Session } from '../http/authorisation.ts';
import { type Refused, refuse } from '../http/refused.ts';
import type { Reference } from '../venue/reference.ts';

/** Tokens by identity, signatures by their keys, accounts by the venue's own reference. */
export class TradingAuthoriser implements Authoriser {
  private readonly access: Pick<Authoriser, 'authorise'>;
  private readonly signed: Pick<Authoriser, 'authoriseSigned'>;
  private readonly reference: Reference;
  /** One object an account, so that the hot path allocates none. */
  private readonly references = new Map<string, AccountReference>();

  constructor(
    access: Pick<Authoriser, 'authorise'>,
    signed: Pick<Authoriser, 'authoriseSigned'>,
    reference: Reference,
  ) {
    this.access = access;
    this.signed = signed;
    this.reference = reference;
  }

  authorise: Authoriser['authorise'] = (authorization, operation, now, caller) =>
    this.access.authorise(authorization, operation, now, caller);

  resolveAccount(session: Session, accountId: string): AccountReference | Refused {
    const account = this.reference.accountOf(accountId);
    const owned = account?.configuration.ownerUserId === session.userId;
    if (account === undefined || !owned || account.index === HOUSE_ACCOUNT) {
      return refuse(Refusals.AccountUnknown, { field: 'accountId', value: accountId });
    }
    const known = this.references.get(accountId);
    if (known !== undefined) return known;
    const reference = { accountId, index: account.index };
    this.references.set(accountId, reference);
    return reference;
  }

  /** An unknown key and a wrong signature read the same. */
  authoriseSigned: Authoriser['authoriseSigned'] = (key, sign, payload, now) =>
    this.signed.authoriseSigned(key, sign, payload, now);
}
