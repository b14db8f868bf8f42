import { performance } from 'node:perf_hooks';
import { Refusals } from '../../core/messages/refusals.ts';
import type { Authoriser } from './authorisation.ts';
import { Budgets } from './budgets.ts';
import type { CallerGate } from './caller-gate.ts';
import type { HttpLimits } from './limits.ts';
import type { RequestObserver } from './observer.ts';
import { type Refused, refuse } from './refused.ts';
import type { Route } from './route.ts';

/** Two clocks: the one that people read, and the one that never goes back. Both in milliseconds. */
export interface Clock {
  now(): number;
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

export interface ServerStateOptions {
  readonly authoriser: Authoriser;
  readonly limits: HttpLimits;
  readonly observer: RequestObserver;
  readonly clock: Clock;
  readonly gate: CallerGate | undefined;
  readonly onError: (error: unknown, route: Route) => void;
}

/** What all requests of a server share. */
export class ServerState {
  readonly authoriser: Authoriser;
  readonly limits: HttpLimits;
  readonly observer: RequestObserver;
  readonly clock: Clock;
  readonly gate: CallerGate | undefined;
  readonly budgets: Budgets;
  readonly onError: (error: unknown, route: Route) => void;
  /** Requests that wait for their body, their answer or their reader. */
  inFlight = 0;
  /** Those of them that wait for their body: a client that dawdles keeps nobody else from working. */
  receiving = 0;
  private drained: (() => void) | undefined;

  constructor({ authoriser, limits, observer, clock, gate, onError }: ServerStateOptions) {
    this.authoriser = authoriser;
    this.limits = limits;
    this.observer = observer;
    this.clock = clock;
    this.gate = gate;
    this.onError = onError;
    this.budgets = new Budgets(limits);
  }

  /** Whether there is room for one more request. */
  admit(): Refused | undefined {
    if (this.drained !== undefined) return refuse(Refusals.Overloaded, { close: true });
    const isFull = this.inFlight - this.receiving >= this.limits.inFlightMax;
    return isFull ? refuse(Refusals.Overloaded) : undefined;
  }

  /** Whether so many bodies are on their way that one more must have come with its head. */
  get isReceivingMuch(): boolean {
    return this.receiving > this.limits.receivingMax;
  }

  release(): void {
    this.inFlight--;
    if (this.inFlight === 0) this.drained?.();
  }

  /** Takes no more requests; resolves when those in flight have been answered. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.drained = resolve;
      if (this.inFlight === 0) resolve();
    });
  }
}
