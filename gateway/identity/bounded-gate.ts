/** The gate is full; nobody should be made to wait longer than the queue is long. */
export class GateFullError extends Error {
  override readonly name = 'GateFullError';
}

/** Lets `running` jobs run at once and `waiting` more wait in order; refuses everything beyond. */
export class BoundedGate {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #queue: Array<() => void> = [];
  #running = 0;

  constructor(limits: { readonly running: number; readonly waiting: number }) {
    this.#runningMax = limits.running;
    this.#waitingMax = limits.waiting;
  }

  async run<Result>(job: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await job();
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#running < this.#runningMax) {
      this.#running += 1;
      return undefined;
    }
    if (this.#queue.length >= this.#waitingMax) throw new GateFullError('the gate is full');
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  /** The place is handed to the next in line, so that `running` never dips in between. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
