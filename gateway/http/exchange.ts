import { Refusals } from '../../core/messages/refusals.ts';
import type { Answer } from './answer-writer.ts';
import type { AccountReference, Session } from './authorisation.ts';
import type { CompiledRoute } from './compiled-route.ts';
import { parsePairs } from './fields.ts';
import { checkFraming, declaredLength, incoming, readHeaders } from './incoming-headers.ts';
import { CLIENT_WENT_AWAY } from './observer.ts';
import { refusalAnswer } from './refusal-answer.ts';
import { Refused, refuse } from './refused.ts';
import { Reply } from './reply.ts';
import { ResponseSlot, type SlotOwner } from './response-slot.ts';
import type { AnyRequest } from './route.ts';
import type { ServerState } from './server-state.ts';
import type { HttpRequest, HttpResponse } from './uws.ts';

const TOO_MANY = Refusals.TooManyRequests.status;
const NO_BYTES = Buffer.alloc(0);
const NO_TEXTS: readonly string[] = [];
const NO_FIELDS = Object.freeze({});

/**
 * One request from its head to its answer, and what its handler sees of it.
 *
 * The way: head → who → body → handler → answer. "Who" and "handler" may take a promise; whatever is
 * there at once goes on at once. The signed interface signs its body, so there "who" comes after it.
 * No exception leaves: what is not a refusal is reported and answered 500.
 */
export class Exchange implements AnyRequest, SlotOwner {
  params: unknown = NO_FIELDS;
  query: unknown = NO_FIELDS;
  headers: unknown = NO_FIELDS;
  body: unknown = undefined;
  account: AccountReference | undefined = undefined;
  session: Session | undefined = undefined;
  readonly now: number;
  authorization = '';

  private readonly state: ServerState;
  private readonly route: CompiledRoute;
  private readonly slot: ResponseSlot;
  private readonly started: number;

  private pathTexts: readonly string[] = NO_TEXTS;
  private queryText = '';
  private headerPairs: readonly string[] = NO_TEXTS;
  private accountId = '';
  private contentType = '';
  private key = '';
  private sign = '';

  private chunks: Buffer[] | undefined = undefined;
  /** The whole body, once it is here. */
  private bytes: Buffer | undefined = undefined;
  private isAuthorised = false;
  /** The address that a gate found; undefined where there is none. */
  private callerAddress: string | undefined = undefined;

  constructor(state: ServerState, route: CompiledRoute, response: HttpResponse, isHead: boolean) {
    this.state = state;
    this.route = route;
    this.now = state.clock.now();
    this.started = state.clock.monotonic();
    this.slot = new ResponseSlot(state, response, isHead, this);
  }

  get remoteAddress(): string {
    if (this.callerAddress !== undefined) return this.callerAddress;
    if (this.slot.isOver) return '';
    return Buffer.from(this.slot.response.getRemoteAddressAsText()).toString('latin1');
  }

  /** Takes the request as far as it goes at once. */
  begin(request: HttpRequest): void {
    try {
      this.takeHead(request);
      const refused = this.judgeHead() ?? this.state.admit() ?? this.judgeCaller(request);
      if (refused !== undefined) return this.refuse(refused);
      if (declaredLength() > 0) this.receive();
      else this.bytes = NO_BYTES;
      if (this.route.isSigned) this.proceed();
      else this.identify();
    } catch (error) {
      this.fail(error);
    } finally {
      this.slot.isInCallback = false;
    }
  }

  /** Copies what is needed of the request's head: it is gone when the callback ends. */
  private takeHead(request: HttpRequest): void {
    readHeaders(request, this.route.headerNames);
    this.authorization = incoming.authorization ?? '';
    this.accountId = incoming.accountId ?? '';
    this.contentType = incoming.contentType ?? '';
    this.key = incoming.key ?? '';
    this.sign = incoming.sign ?? '';
    if (incoming.pairs !== undefined) this.headerPairs = incoming.pairs;
    this.queryText = request.getQuery() ?? '';
    const names = this.route.pathNames.length;
    if (names === 0) return;
    const texts: string[] = [];
    for (let index = 0; index < names; index++) texts.push(request.getParameter(index));
    this.pathTexts = texts;
  }

  private judgeHead(): Refused | undefined {
    const { headerBytesMax, targetBytesMax } = this.state.limits;
    const { takesBody, bodyBytesMax, route } = this.route;
    const refused = checkFraming(headerBytesMax);
    if (refused !== undefined) return refused;
    if (this.queryText.length > targetBytesMax) {
      return refuse(Refusals.TargetTooLong, { limit: targetBytesMax, close: true });
    }
    const length = declaredLength();
    if (length > 0 && !takesBody) {
      return refuse(Refusals.BodyNotTaken, { limit: route.method, close: true });
    }
    if (length > bodyBytesMax) {
      return refuse(Refusals.BodyTooLarge, { limit: bodyBytesMax, close: true });
    }
    return undefined;
  }

  private judgeCaller(request: HttpRequest): Refused | undefined {
    const { gate } = this.state;
    if (gate === undefined) return undefined;
    const origin = gate.originOf(this.remoteAddress, (name) => request.getHeader(name));
    this.callerAddress = origin.address;
    return gate.judge(this.route.route, origin);
  }

  private receive(): void {
    this.slot.receive();
    // What came with the head is read behind this callback.
    if (this.state.isReceivingMuch) setImmediate(() => this.hurry());
    this.slot.response.onData((chunk, isLast) => {
      if (this.slot.isOver) return;
      this.slot.isInCallback = true;
      try {
        this.take(Buffer.from(chunk), isLast);
      } catch (error) {
        this.fail(error);
      } finally {
        this.slot.isInCallback = false;
      }
    });
  }

  private hurry(): void {
    if (this.bytes === undefined) this.refuse(refuse(Refusals.Overloaded, { close: true }));
  }

  /** A chunk is valid within its callback only: it is used at once or copied. */
  private take(chunk: Buffer, isLast: boolean): void {
    const isWhole = isLast && this.chunks === undefined;
    if (isWhole && this.isAuthorised) return this.takeWhole(chunk);
    this.chunks ??= [];
    this.chunks.push(Buffer.from(chunk));
    if (isLast) this.takeWhole(Buffer.concat(this.chunks));
  }

  private takeWhole(bytes: Buffer): void {
    this.bytes = bytes;
    const refused = this.state.admit();
    this.slot.received();
    if (refused === undefined) this.proceed();
    else this.refuse(refused);
  }

  private identify(): void {
    const { operation } = this.route.route;
    if (operation === 'none') return this.authorised();
    const session = this.state.authoriser.authorise(this.authorization, operation, this.now, this);
    this.whenDone(session, this.identified);
  }

  private identifySigned(bytes: Buffer): void {
    const isPost = this.route.route.method === 'POST';
    const payload = isPost ? bytes.toString('utf8') : `?${this.queryText}`;
    const { authoriser } = this.state;
    const session = authoriser.authoriseSigned(this.key, this.sign, payload, this.now);
    this.whenDone(session, this.identified);
  }

  private identified(session: Session | Refused): void {
    if (session instanceof Refused) {
      return this.refuse(this.state.budgets.countFailure(session, this, this.started));
    }
    if (session.isReadOnly === true && !this.route.isRead) {
      return this.refuse(refuse(Refusals.Forbidden, { limit: 'trade' }));
    }
    this.session = session;
    if (!this.route.route.account) return this.authorised();
    if (this.accountId === '') {
      return this.refuse(refuse(Refusals.AccountMissing, { field: 'accountId' }));
    }
    const account = this.state.authoriser.resolveAccount(session, this.accountId);
    this.whenDone(account, this.accountResolved);
  }

  private accountResolved(account: AccountReference | Refused): void {
    if (account instanceof Refused) return this.refuse(account);
    this.account = account;
    this.authorised();
  }

  private authorised(): void {
    const refused = this.state.budgets.take(this.route.rateClass, this, this.started);
    if (refused !== undefined) return this.refuse(refused);
    this.isAuthorised = true;
    this.proceed();
  }

  /** Goes on when both are there: who is calling, and the body. */
  private proceed(): void {
    const { bytes } = this;
    if (bytes === undefined || this.slot.isOver) return;
    if (this.isAuthorised) this.handle(bytes);
    else if (this.route.isSigned) this.identifySigned(bytes);
  }

  private handle(bytes: Buffer): void {
    const refused = this.readFields(bytes);
    if (refused !== undefined) return this.refuse(refused);
    this.whenDone(this.route.route.handler(this), this.answer);
  }

  private readFields(bytes: Buffer): Refused | undefined {
    const { route } = this;
    if (this.pathTexts.length > 0) {
      this.params = route.readPath(this.pathTexts);
      if (this.params instanceof Refused) return this.params;
    }
    if (this.queryText !== '' || route.readsQuery) {
      this.query = this.readQuery();
      if (this.query instanceof Refused) return this.query;
    }
    if (route.headerNames !== undefined) {
      this.headers = route.readHeaders(this.headerPairs);
      if (this.headers instanceof Refused) return this.headers;
    }
    if (!route.takesBody) return undefined;
    this.body = route.readBody(this.contentType, bytes);
    return this.body instanceof Refused ? this.body : undefined;
  }

  private readQuery(): object | Refused {
    const pairs = parsePairs(this.queryText);
    return pairs instanceof Refused ? pairs : this.route.readQuery(pairs);
  }

  /** Calls `next` with the value: now, or when its promise resolves. */
  private whenDone<T>(value: T | Promise<T>, next: (this: Exchange, value: T) => void): void {
    if (!(value instanceof Promise)) return next.call(this, value);
    const resolved = (result: T) => {
      try {
        next.call(this, result);
      } catch (error) {
        this.fail(error);
      }
    };
    this.slot.await(value, resolved, (error) => this.fail(error));
  }

  private answer(outcome: unknown): void {
    if (outcome instanceof Refused) return this.refuse(outcome);
    const isReply = outcome instanceof Reply;
    const status = isReply ? outcome.status : this.route.successStatus;
    const format = this.route.answers.get(status);
    if (format === undefined) throw new Error(`the route declares no answer ${status}`);
    const payload = format.serialise(isReply ? outcome.body : outcome);
    const { answerBytesMax } = this.state.limits;
    if (payload.length > answerBytesMax) {
      return this.refuse(refuse(Refusals.AnswerTooLarge, { limit: answerBytesMax }));
    }
    const { headers } = this.route;
    const extra = isReply ? outcome.headers : undefined;
    this.send({
      status,
      contentType: format.contentType,
      payload,
      headers: extra === undefined ? headers : [...headers, ...Object.entries(extra)],
      close: false,
    });
    this.observe(status);
  }

  private refuse(refused: Refused): void {
    if (this.slot.isOver) return;
    this.send(refusalAnswer(this.route.route.area, refused));
    this.observe(refused.refusal.status);
  }

  /** Whoever asks as a guest is told with every answer what is left of the budget; a 429 says it itself. */
  private send(answer: Answer): void {
    const { route, slot, state, started } = this;
    if (slot.isOver) return;
    if (route.rateClass !== 'guest' || answer.status === TOO_MANY) return slot.send(answer);
    const left = Object.entries(state.budgets.left(route.rateClass, this, started));
    slot.send({ ...answer, headers: [...answer.headers, ...left] });
  }

  private fail(error: unknown): void {
    if (error instanceof Refused) return this.refuse(error);
    this.state.onError(error, this.route.route);
    this.refuse(refuse(Refusals.Unexpected));
  }

  clientWentAway(): void {
    this.observe(CLIENT_WENT_AWAY);
  }

  private observe(status: number): void {
    const { clock, observer } = this.state;
    observer.observe(this.route.index, status, clock.monotonic() - this.started);
  }
}
