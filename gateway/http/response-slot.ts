import { type Answer, writeAnswer, writeRest } from './answer-writer.ts';
import type { ServerState } from './server-state.ts';
import type { HttpResponse } from './uws.ts';

/** Told when the client goes away before its answer. */
export interface SlotOwner {
  clientWentAway(): void;
}

/**
 * The response of one request and the rules of uWebSockets.js about it: whoever does not answer
 * within the callback has registered `onAborted`; nothing is written after an answer or an abort;
 * what is written outside a callback is corked.
 *
 * A request that is answered within its callback is not held: it costs no registration.
 */
export class ResponseSlot {
  readonly response: HttpResponse;
  private readonly state: ServerState;
  private readonly isHead: boolean;
  private readonly owner: SlotOwner;
  /** Answered, or given up by the client: the response must not be touched any more. */
  isOver = false;
  /** Within a callback of uWebSockets.js, which corks by itself. */
  isInCallback = true;
  private isHeld = false;
  private isReceiving = false;
  private isWorking = false;
  private isStreaming = false;
  private isClosing = false;

  constructor(state: ServerState, response: HttpResponse, isHead: boolean, owner: SlotOwner) {
    this.state = state;
    this.response = response;
    this.isHead = isHead;
    this.owner = owner;
  }

  /** Keeps the response beyond the callback; counted among the requests in flight. */
  hold(): void {
    if (this.isHeld) return;
    this.isHeld = true;
    this.state.inFlight++;
    this.response.onAborted(() => this.abort());
  }

  /** The same while the body is on its way: it is then none of the work under way. */
  receive(): void {
    this.hold();
    this.isReceiving = true;
    this.state.receiving++;
  }

  /** The body is here, or nobody waits for it any more. */
  received(): void {
    if (!this.isReceiving) return;
    this.isReceiving = false;
    this.state.receiving--;
  }

  /** Holds the response until the promise settles. After an abort the work still counts as in flight. */
  await<T>(work: Promise<T>, done: (value: T) => void, failed: (error: unknown) => void): void {
    this.hold();
    this.isWorking = true;
    const settled = () => {
      this.isWorking = false;
      if (this.isOver) this.release();
      return !this.isOver;
    };
    work.then(
      (value) => {
        if (settled()) done(value);
      },
      (error: unknown) => {
        settled();
        failed(error);
      },
    );
  }

  /** Sends the answer, unless it is too late for one. */
  send(answer: Answer): void {
    if (this.isOver) return;
    if (answer.close && this.isInCallback) this.closeBehind(answer);
    else this.sendNow(answer);
  }

  /**
   * An answer given within the callback lets uWebSockets.js read what follows on the connection as
   * the next request, `Connection: close` or not. While no answer was given it does not.
   */
  private closeBehind(answer: Answer): void {
    this.hold();
    this.isClosing = true;
    setImmediate(() => {
      if (!this.isOver) this.sendNow(answer);
    });
  }

  private sendNow(answer: Answer): void {
    this.isOver = true;
    if (this.isInCallback) this.write(answer);
    else this.response.cork(() => this.write(answer));
  }

  private write(answer: Answer): void {
    if (writeAnswer(this.response, answer, this.isHead)) return this.release();
    this.hold();
    this.isStreaming = true;
    writeRest(this.response, answer, () => this.streamed());
  }

  private streamed(): void {
    this.isStreaming = false;
    this.release();
  }

  private abort(): void {
    if (this.isStreaming) return this.streamed();
    if (this.isOver) return;
    this.isOver = true;
    this.received();
    if (!this.isClosing) this.owner.clientWentAway();
    if (!this.isWorking) this.release();
  }

  private release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.received();
    this.state.release();
  }
}
