/**
 * The one catalogue of refusals. A code is stable for ever: `TR` and four digits on the wire.
 *
 * Bands: 0001-0099 the request itself, 0100-0199 who asks, 0200-0299 orders, 0300-0399 market and
 * session, 0400-0499 funds and limits, 0500-0599 transfers, 0600-0699 administration,
 * 0700-0799 partner area and exports, 0900-0999 the venue's own condition.
 *
 * Templates name `{field}` (what was wrong), `{value}` (what came) and `{limit}` (what would do).
 */
export interface Refusal {
  readonly code: number;
  readonly name: string;
  readonly status: number;
  readonly message: string;
}

const catalogue = {
  MalformedJson: [1, 400, 'The body is not valid JSON: {value}.'],
  NotUtf8: [2, 400, 'The body is not valid UTF-8.'],
  DuplicateKey: [3, 400, '{field} appears more than once.'],
  TooDeep: [4, 400, 'The body nests deeper than {limit} levels.'],
  TooManyKeys: [5, 400, 'The body has more than {limit} keys.'],
  NumberNotExact: [6, 400, '{field} {value} is not exact as a number; send it as a string.'],
  LoneSurrogate: [7, 400, '{field} holds half of a surrogate pair.'],
  FieldMissing: [8, 400, '{field} is required.'],
  WrongType: [9, 400, '{field} must be {limit}.'],
  UnknownField: [10, 400, '{field} is not a field of this request.'],
  NotOneOf: [11, 400, '{field} {value} is not one of {limit}.'],
  BadFormat: [12, 400, '{field} {value} does not have the form {limit}.'],
  TooLong: [13, 400, '{field} is longer than {limit} characters.'],
  TooShort: [14, 400, '{field} is shorter than {limit} characters.'],
  OutOfRange: [15, 400, '{field} {value} is out of range: it must be {limit}.'],
  TooManyItems: [16, 400, '{field} has more than {limit} items.'],
  TooFewItems: [17, 400, '{field} has fewer than {limit} items.'],
  BadEscape: [18, 400, '{field} has a broken percent-escape.'],
  WindowReversed: [19, 400, '{field} must not be after {limit}.'],
  EmptyOrderType: [20, 400, 'Order type is empty or null.'],
  UnknownRoute: [30, 404, 'There is nothing at this path.'],
  MethodNotAllowed: [31, 405, 'This path takes {limit}.'],
  UnsupportedMediaType: [32, 415, 'Content-Type must be {limit}.'],
  BodyTooLarge: [33, 413, 'The body is larger than {limit} bytes.'],
  HeadersTooLarge: [34, 431, 'The headers are larger than {limit} bytes.'],
  RepeatedHeader: [35, 400, 'The header {field} appears more than once.'],
  TransferEncodingRefused: [36, 411, 'Transfer-Encoding is not taken; send Content-Length.'],
  BodyNotTaken: [37, 400, '{limit} takes no body.'],
  TargetTooLong: [38, 414, 'The path and query are longer than {limit} bytes.'],
  TooManyRequests: [40, 429, 'Too many requests; try again in {limit} s.'],
  AnswerTooLarge: [41, 400, 'The answer would be larger than {limit} bytes; ask for less.'],

  Unauthorised: [100, 401, 'A valid access token is required.'],
  Forbidden: [101, 403, 'This needs the operation {limit}.'],
  AccountMissing: [102, 400, 'The header accountId is required.'],
  AccountUnknown: [103, 403, 'No account {value} is open to you.'],
  AccountHalted: [104, 403, 'Account {value} is halted: it may not trade.'],
  AccountFrozen: [105, 403, 'Account {value} is frozen: it is read-only.'],
  FieldForbidden: [106, 403, '{field} may only be changed with the operation {limit}.'],
  TimestampRefused: [
    107,
    401,
    '{field} {value} is more than {limit} s from the time of the venue.',
  ],
  NonceUsed: [108, 401, '{field} {value} was used within the last {limit} s.'],
  CountryRestricted: [110, 403, 'Access from your country is restricted.'],

  OrderUnknown: [200, 404, 'No order {value} is open on this account.'],
  OrderClosed: [201, 409, 'Order {value} is not open any more.'],
  PriceRequired: [202, 400, '{field} is required for a Limit order.'],
  PriceForbidden: [203, 400, '{field} must be null or omitted for a Market order.'],
  TimeInForceMismatch: [204, 400, '{field} {value} does not go with this order type; use {limit}.'],
  CancellationDateRequired: [205, 400, '{field} is required when timeInForce is Gtd.'],
  CancellationDatePast: [206, 400, '{field} {value} is not in the future.'],
  PriceOffStep: [207, 400, '{field} {value} is not a multiple of the price step {limit}.'],
  AmountOffStep: [208, 400, '{field} {value} is not a multiple of the amount step {limit}.'],
  AmountTooSmall: [209, 400, '{field} {value} is below the minimum {limit}.'],
  AmountTooLarge: [210, 400, '{field} {value} is above the maximum {limit}.'],
  PriceTooLarge: [211, 400, '{field} {value} is above the maximum {limit}.'],
  PriceNotPositive: [212, 400, '{field} {value} must be greater than 0.'],
  AmountNotPositive: [213, 400, '{field} {value} must be greater than 0.'],
  PriceOutsideCollar: [215, 400, '{field} {value} deviates by more than {limit} from the market.'],
  PostOnlyWouldTake: [216, 400, 'A post-only order at {value} would take liquidity.'],
  PostOnlyMismatch: [217, 400, '{field} needs a Limit order that may rest: Gtc, Gtd or Day.'],
  NothingToAmend: [218, 400, 'An amend needs requestedPrice or requestedAmount.'],
  AmendBelowFilled: [219, 400, '{field} {value} is not above the filled amount {limit}.'],
  AmendMarketOrder: [220, 400, 'Only Limit orders can be amended.'],
  AmendInProgress: [221, 409, 'Order {value} is being amended by another request.'],
  NoReferencePrice: [222, 400, 'There is no price to compute the hold of this order from.'],
  PriceTooSmall: [224, 400, '{field} {value} is below the minimum {limit}.'],
  PrecisionChanged: [223, 409, 'The precision of market {value} has just changed; send again.'],

  ClientOrderIdInUse: [225, 409, '{field} {value} names an order that is still open.'],
  ClientOrderIdElsewhere: [227, 409, '{field} {value} names what another kind of request placed.'],
  StopOrdersUnsupported: [226, 400, '{field}: stop orders are not supported.'],

  PositionUnknown: [240, 404, 'No position {value} is open on this account.'],
  CloseTooMuch: [241, 409, '{field} {value} is more than the {limit} that can still be closed.'],
  LotOffStep: [242, 400, '{field} {value} is not a multiple of the lot step {limit}.'],
  TriggerWrongSide: [243, 400, '{field} {value} is on the wrong side of the price {limit}.'],
  TriggerNotTaken: [244, 400, '{field} does not go with an order that closes a position.'],
  ClosingSide: [245, 400, '{field} {value} does not close the position; it takes a {limit}.'],
  TrailingNeedsStop: [246, 400, 'A trailing stop-loss needs its price.'],
  AmendClosing: [247, 400, '{field} {value}: an order that closes a position can only be lowered.'],
  MarginOrderMarket: [248, 400, 'Market {value} is a Spot market; it takes no orders on margin.'],
  PositionClosed: [249, 409, 'Position {value} is not open any more.'],
  TriggerBelowZero: [250, 400, '{field} {value} would put the price at zero or below.'],

  MarketUnknown: [300, 400, 'There is no market {value}.'],
  MarketNotOpen: [301, 400, 'Market {value} takes no orders: it is {limit}.'],
  MarketClosed: [302, 400, 'Market {value} is outside its trading session; it opens at {limit}.'],
  MarketTypeMismatch: [303, 400, 'Market {value} is not a {limit} market.'],
  MarketOneSided: [304, 400, 'Market {value} takes {limit} orders only.'],

  InsufficientFunds: [400, 400, 'Insufficient funds: {value} {field} needed, {limit} available.'],
  TooManyOpenOrders: [401, 400, 'The account has {value} open orders; {limit} is the most.'],

  InsufficientMargin: [410, 400, 'Insufficient margin: {value} {field} needed, {limit} free.'],
  MarginCall: [411, 409, 'The margin level would be {value}, below {limit}: only reduce.'],
  LeverageTooHigh: [412, 400, '{field} {value} is above the maximum {limit}.'],
  LeverageFixed: [413, 400, '{field} {value}: this market takes {limit} only.'],
  NoRootRate: [414, 400, 'There is no rate from {value} to the root asset.'],
  PositionTooLarge: [415, 400, '{field} {value} would make a position of more than {limit}.'],
  MarginNeeded: [416, 400, '{value} {field} would leave, but only {limit} is free of margin.'],
  NotCollateral: [417, 400, 'Asset {value} does not count as collateral.'],
  RootIsCollateral: [418, 409, 'Asset {value} is the root asset: it is always collateral.'],

  AssetUnknown: [500, 400, 'There is no asset {value}.'],
  TransferUnknown: [501, 404, 'No transfer {value} on this account.'],
  TransferFinal: [502, 409, 'Transfer {value} is already {limit}.'],
  DeduplicationConflict: [503, 409, 'deduplicationId {value} was used by a different transfer.'],
  TransferAmount: [504, 400, '{field} {value} is not a positive multiple of {limit}.'],
  TransferAccount: [506, 400, 'There is no account {value}.'],
  DepositsClosed: [507, 400, 'Asset {value} takes no deposits.'],
  WithdrawalsClosed: [508, 400, 'Asset {value} allows no withdrawals.'],
  BalanceOverflow: [505, 400, '{field} {value} would push a balance beyond {limit}.'],

  ConfigurationInvalid: [600, 400, '{field} {value} is not allowed: {limit}.'],
  ConfigurationInUse: [
    601,
    409,
    '{field} cannot change while {value} has open orders or positions.',
  ],
  ScaleFixed: [608, 409, '{field} of {value} cannot change: every balance counts in it.'],
  AlreadyExists: [602, 409, '{field} {value} exists already.'],
  UserUnknown: [603, 404, 'There is no user {value}.'],
  RoleUnknown: [604, 400, 'There is no role {value}.'],
  CategoryRepeated: [605, 400, '{field} {value} is named more than once.'],

  RuleTarget: [610, 400, 'A rule names a market or a market group: {limit}.'],
  RuleTargetTaken: [611, 409, '{field} {value} is named by rule {limit} already.'],
  RulePriorityTaken: [612, 409, 'Two rules would have the priority {value}: {limit}.'],
  DefaultRule: [613, 409, 'Rule {value} is the default rule: it {limit}.'],

  ExecutionUnknown: [606, 404, 'The user has no execution {value} of order {limit}.'],
  ReversalUncovered: [607, 409, 'Execution {value} cannot be undone: {limit}.'],

  ResourceUnknown: [700, 404, '{field} {value} names nothing that exists.'],
  ReferenceUnknown: [701, 400, '{field} {value} names nothing that exists.'],
  ValueTaken: [702, 409, '{field} {value} is taken.'],
  StillInUse: [703, 409, '{field} {value} is still in use.'],
  ChainCycle: [704, 409, '{field} {value} would close the chain on itself.'],
  ChainTooLong: [705, 409, '{field} would make a chain of more than {limit} levels.'],
  ChainsMoving: [706, 409, 'Relations stand still until reassignment {value} is done.'],
  NotAChild: [707, 409, '{field} {value} does not stand under the user that it would leave.'],
  FieldNotTaken: [708, 400, '{field} does not go with {limit}.'],
  WrongState: [709, 409, '{field} {value} is {limit}.'],
  AppUnknown: [710, 401, 'The client is unknown, or its secret is wrong.'],
  AppAuthenticationTwice: [711, 400, '{field} goes in the body or in the header, not in both.'],
  ChainTooLarge: [712, 400, 'There are more than {limit} nodes below {field}; ask further down.'],
  ExportNotReady: [720, 409, 'Export {value} is {limit}: there is no file.'],
  ExportLinkRefused: [721, 403, 'The link is not valid, or has expired.'],
  ExportGone: [722, 410, 'The file of export {value} is no longer kept.'],

  Overloaded: [900, 503, 'The venue is busy; try again in a moment.'],
  NotReady: [901, 503, 'The venue is starting; try again in a moment.'],
  Unexpected: [999, 500, 'The venue failed to answer this request.'],
} as const satisfies Record<string, readonly [number, number, string]>;

export type RefusalName = keyof typeof catalogue;

const byCode = new Map<number, Refusal>();

/** Every refusal by its name. */
export const Refusals = Object.fromEntries(
  Object.entries(catalogue).map(([name, [code, status, message]]) => {
    if (byCode.has(code)) throw new Error(`refusal code ${code} is used twice`);
    const refusal: Refusal = { code, name, status, message };
    byCode.set(code, refusal);
    return [name, refusal];
  }),
) as { readonly [K in RefusalName]: Refusal };

/** The refusal with this number. Throws where there is none: numbers come only from the catalogue. */
export function refusalByCode(code: number): Refusal {
  const refusal = byCode.get(code);
  if (refusal === undefined) throw new Error(`no refusal has the code ${code}`);
  return refusal;
}

/** `TR0020`: how a code is written on the wire. */
export function refusalCode(refusal: Refusal): string {
  return `TR${String(refusal.code).padStart(4, '0')}`;
}
