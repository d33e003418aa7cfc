/** Estimates when a collection under way ends, from the progress of its sources. */
import type { Progress } from '../../sources/source.ts';

/** Below this part of a source's units the pace is not known yet. */
const MIN_PART_DONE = 0.02;
const ROUND_TO_SECONDS = 10;

type Pace = { readonly startedAt: number } & Pick<Progress, 'done' | 'total'>;

export class CollectionEstimate {
  readonly #clock: () => number;
  readonly #paces = new Map<string, Pace>();

  readonly #onFirstEstimate: (seconds: number) => void;
  #isReported = false;

  /**
   * @param onFirstEstimate called once, when the end of a collection can be estimated for the first time
   * @param clock milliseconds since any fixed moment, never going back
   */
  constructor(onFirstEstimate: (seconds: number) => void, clock: () => number = () => performance.now()) {
    this.#onFirstEstimate = onFirstEstimate;
    this.#clock = clock;
  }

  /** Call it for the progress of each source; the first call of a source starts its clock. */
  onProgress(source: string, { done, total }: Progress): void {
    const startedAt = this.#paces.get(source)?.startedAt ?? this.#clock();
    this.#paces.set(source, { startedAt, done, total });
    if (this.#isReported) return;
    const seconds = this.secondsLeft();
    if (seconds === null) return;
    this.#isReported = true;
    this.#onFirstEstimate(seconds);
  }

  /** Forgets the collection that ended. */
  clear(): void {
    this.#paces.clear();
  }

  /**
   * Seconds until the slowest source has read all its units, rounded up to tens; `null` = nothing is being collected,
   * or the pace is not known yet.
   */
  secondsLeft(): number | null {
    let longestMs = Number.NEGATIVE_INFINITY;
    for (const { startedAt, done, total } of this.#paces.values()) {
      if (done < total * MIN_PART_DONE) return null;
      longestMs = Math.max(longestMs, ((this.#clock() - startedAt) * (total - done)) / done);
    }
    if (longestMs === Number.NEGATIVE_INFINITY) return null;
    return Math.max(1, Math.ceil(longestMs / 1000 / ROUND_TO_SECONDS)) * ROUND_TO_SECONDS;
  }
}
