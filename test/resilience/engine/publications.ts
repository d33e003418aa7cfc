/** What is known of the publications of a whole run, and everything that was found wrong. */

/** Beyond this many, more of the same says nothing new. */
const MAX_VIOLATIONS = 50;

/** The account that readers and rounds keep together. */
export class PublicationLog {
  /** The number given last to a collection: no answer can be of a later one. */
  latest = 0;
  /** Answers that were checked. */
  reads = 0;
  /** Sentences, one a violation. */
  readonly violations: string[] = [];
  /** Collections that were seen in an answer → the `actualizat_la` they were seen with. */
  readonly seen = new Map<number, string | undefined>();

  /** A number for a collection that is about to begin. */
  nextCollection(): number {
    this.latest += 1;
    return this.latest;
  }

  /** Notes a violation. */
  addViolation(sentence: string): void {
    if (this.violations.length < MAX_VIOLATIONS) this.violations.push(sentence);
  }

  /** Holds that one collection always comes with one time, whichever process and address says so. */
  recordSeen(collection: number, updatedAt: string | undefined, where: string): void {
    const known = this.seen.get(collection);
    if (known !== undefined && updatedAt !== undefined && known !== updatedAt) {
      this.addViolation(`${where}: prices of collection ${collection} with the time ${updatedAt}, elsewhere ${known}`);
    }
    if (known === undefined) this.seen.set(collection, updatedAt);
  }
}
