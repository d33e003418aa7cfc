/** Records the publications that readers saw during a whole run, and every violation. */

/** Further violations would add nothing new. */
const MAX_VIOLATIONS = 50;

/** Readers and rounds share one log. */
export class PublicationLog {
  /** The number of the newest collection: no answer can be from a later one. */
  latest = 0;
  /** Number of checked answers. */
  reads = 0;
  /** One sentence per violation. */
  readonly violations: string[] = [];
  /** Collection seen in an answer → the `actualizat_la` of that answer. */
  readonly seen = new Map<number, string | undefined>();

  /** Returns the number of a new collection. */
  nextCollection(): number {
    this.latest += 1;
    return this.latest;
  }

  /** Records a violation. */
  addViolation(sentence: string): void {
    if (this.violations.length < MAX_VIOLATIONS) this.violations.push(sentence);
  }

  /** Checks that a collection always has the same time, in every process and at every address. */
  recordSeen(collection: number, updatedAt: string | undefined, where: string): void {
    const known = this.seen.get(collection);
    if (known !== undefined && updatedAt !== undefined && known !== updatedAt) {
      this.addViolation(`${where}: prices of collection ${collection} with the time ${updatedAt}, elsewhere ${known}`);
    }
    if (known === undefined) this.seen.set(collection, updatedAt);
  }
}
