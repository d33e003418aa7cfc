/** Limits how many tasks run at once, and how soon one starts after another. */
import { setTimeout as timer } from 'node:timers/promises';

/** Time as the throttle and its users see it; tests put their own in its place and never sleep. */
export type Clock = {
  /** Milliseconds since any fixed moment, never going back. */
  now(): number;
  /** Resolves after `ms`; rejects at once when the signal is raised. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
};

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => timer(ms, undefined, { signal }),
};

export type ThrottleOptions = { readonly parallel: number; readonly pauseMs: number; readonly clock: Clock };

/** Lets tasks start one after another, `pauseMs` apart, at most `parallel` of them under way. */
export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #waiters: (() => void)[] = [];
  #freeSlots: number;
  #nextStart = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#freeSlots = Math.max(1, options.parallel);
  }

  /** Runs the task in its turn. Rejects without starting it if the signal is aborted first. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#acquireSlot(signal);
    try {
      await this.#waitForStart(signal);
      return await task();
    } finally {
      this.#releaseSlot();
    }
  }

  /** Starts no task for the next `ms`, because the host asked for a pause. */
  pauseFor(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.clock.now() + ms);
  }

  async #acquireSlot(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#freeSlots > 0) {
      this.#freeSlots -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      const at = this.#waiters.indexOf(resolve);
      if (at >= 0) this.#waiters.splice(at, 1);
      reject(signal?.reason);
    };
    this.#waiters.push(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise;
    signal?.removeEventListener('abort', giveUp);
  }

  #releaseSlot(): void {
    const next = this.#waiters.shift();
    if (next) next();
    else this.#freeSlots += 1;
  }

  async #waitForStart(signal?: AbortSignal): Promise<void> {
    const { clock, pauseMs } = this.#options;
    const start = Math.max(clock.now(), this.#nextStart);
    this.#nextStart = start + pauseMs;
    for (;;) {
      const remainingMs = Math.max(start, this.#pausedUntil) - clock.now();
      if (remainingMs <= 0) return;
      await clock.wait(remainingMs, signal);
    }
  }
}
