/** Acceptances without the database, kept together for several processes: each request is accepted by one of them. */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { WEEKLY_CAP_MS } from '../../domain/access/request-limits.ts';

/** Times are epoch ms, by the clock of the machine. */
export type AcceptanceClaims = {
  /** When another process accepted the request; `null` = nobody has, and from now on it counts as accepted. */
  claim(name: string, at: number): number | null | Promise<number | null>;
  /** Takes a claim back: the answer was not 200. */
  release(name: string, at: number): void;
};

const HOUR_MS = 3_600_000;
/** As many as one process remembers. */
const MAX_CLAIMS = 200_000;

/** When a request was accepted that is to be refused for an hour. */
export const refusedForAnHour = (now: number): number => now - WEEKLY_CAP_MS + HOUR_MS;

/** The claims of all processes, in the memory of one that they ask. */
export class ClaimTable implements AcceptanceClaims {
  readonly #claims: BoundedMap<number>;

  constructor(maxEntries = MAX_CLAIMS) {
    this.#claims = new BoundedMap(maxEntries);
  }

  claim(name: string, at: number): number | null {
    const isPast = (claimed: number) => claimed + WEEKLY_CAP_MS <= at;
    const known = this.#claims.get(name);
    if (known !== undefined && !isPast(known)) return known;
    this.#claims.deleteOldestWhile(isPast);
    // With no room to remember it, it is refused: the cap never fails open.
    if (this.#claims.isFull) return refusedForAnHour(at);
    this.#claims.set(name, at);
    return null;
  }

  release(name: string, at: number): void {
    if (this.#claims.get(name) === at) this.#claims.delete(name);
  }
}
