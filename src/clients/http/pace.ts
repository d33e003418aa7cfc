/** Politeness towards a host: so many requests at once, and a pause between their starts. */
import { setTimeout as timer } from 'node:timers/promises';

/** Time as the downloader sees it; tests put their own in its place and never sleep. */
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

export type PaceRules = { readonly parallel: number; readonly pauseMs: number; readonly clock: Clock };

/** Lets tasks start one after another, `pauseMs` apart, at most `parallel` of them under way. */
export class Pace {
  readonly #rules: PaceRules;
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #nextStart = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;

  constructor(rules: PaceRules) {
    this.#rules = rules;
    this.#free = Math.max(1, rules.parallel);
  }

  /** Runs the task in its turn. Rejects without starting it when the signal is raised before. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#place(signal);
    try {
      await this.#turn(signal);
      return await task();
    } finally {
      this.#leave();
    }
  }

  /** Nobody starts for the next `ms`: the host asked for rest. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#rules.clock.now() + ms);
  }

  async #place(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      const at = this.#waiting.indexOf(resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(signal?.reason);
    };
    this.#waiting.push(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise;
    signal?.removeEventListener('abort', giveUp);
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }

  async #turn(signal?: AbortSignal): Promise<void> {
    const { clock, pauseMs } = this.#rules;
    const start = Math.max(clock.now(), this.#nextStart);
    this.#nextStart = start + pauseMs;
    for (;;) {
      const rest = Math.max(start, this.#heldUntil) - clock.now();
      if (rest <= 0) return;
      await clock.wait(rest, signal);
    }
  }
}
