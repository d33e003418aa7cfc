/**
 * Turns for work that occupies the process: after each, its slot rests for a multiple of the time that the turn took,
 * so that whoever asks for a lot leaves the rest of the time to others.
 */
import { FairSemaphore, type FairSemaphoreOptions, type SemaphoreClient } from './fair-semaphore.ts';

export type PacedTurnsOptions = FairSemaphoreOptions & {
  /** How many times as long as a turn its slot rests: with 1, turns take half of the time. */
  readonly restFactor: number;
  /** Ms; a slot rests for no longer. */
  readonly longestRestMs: number;
  /** Turns that are needed, too, such as those of all clients together; waiting for one does not count. */
  readonly common?: PacedTurns;
};

/** Ends the turn; further calls do nothing. */
export type EndTurn = () => void;

/** Timers count whole milliseconds: after a turn shorter than this, the slot rests until the next turn of the loop. */
const SHORTEST_TIMED_MS = 0.25;

export class PacedTurns {
  readonly #slots: FairSemaphore;
  readonly #common: PacedTurns | null;
  readonly #options: Pick<PacedTurnsOptions, 'restFactor' | 'longestRestMs'>;

  constructor({ restFactor, longestRestMs, common, ...shares }: PacedTurnsOptions) {
    this.#slots = new FairSemaphore(shares);
    this.#common = common ?? null;
    this.#options = { restFactor, longestRestMs };
  }

  /** Resolves when it is the client's turn; `null` = refused, as a semaphore refuses. */
  async enter(who: SemaphoreClient, signal?: AbortSignal): Promise<EndTurn | null> {
    const release = await this.#slots.acquire(who, signal);
    if (release === null) return null;
    const endCommon = this.#common === null ? () => undefined : await this.#common.enter(who, signal);
    if (endCommon === null) {
      release();
      return null;
    }
    const begin = performance.now();
    return () => {
      const tookMs = performance.now() - begin;
      endCommon();
      if (tookMs < SHORTEST_TIMED_MS) setImmediate(release);
      else setTimeout(release, Math.min(this.#options.longestRestMs, tookMs * this.#options.restFactor));
    };
  }
}
