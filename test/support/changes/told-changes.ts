/** A feed in memory, told by the test. */
import { ChangeLog } from '../../../src/api/changes/change-log.ts';
import type { FeedHead } from '../../../src/store/changes/feed-head.ts';
import type { ToldChange } from '../../../src/store/changes/read-feed.ts';
import { NOON } from '../builders/snapshot-builders.ts';
import { TURZII } from '../worlds/contract-world.ts';

export const EPOCH = 'epoch_01';
const MINUTE = 60_000;

/** The price of petrol at one station moved by one ban. */
export function aToldChange(seq: number, change: Partial<ToldChange> = {}): ToldChange {
  return {
    seq,
    toldAt: NOON + seq * MINUTE,
    station: TURZII,
    fuel: 'petrol',
    kind: 'price',
    before: { price: 7_000 + 10 * (seq - 1), reason: null },
    after: { price: 7_000 + 10 * seq, reason: null },
    source: 'register',
    observed: { day: '2026-11-20', at: null, text: null },
    county: 'CJ',
    city: 'cluj-napoca',
    network: 'petrom',
    ...change,
  };
}

/** Tells changes; each telling is a publication, and holds for a minute. */
export class ToldFeed {
  readonly log: ChangeLog;
  #head: FeedHead;

  constructor(log: ChangeLog = new ChangeLog()) {
    this.log = log;
    this.#head = { epoch: EPOCH, seq: 0, states: 0, version: 0, from: NOON, until: NOON };
    this.tell([]);
  }

  /** As in the store: with the numbers from the last one on. Without `isPublished` it is a later state of the same. */
  tell(
    changes: readonly Partial<ToldChange>[],
    { epoch = this.#head.epoch, from = this.#head.until, isPublished = true } = {},
  ): void {
    const isWhole = this.log.head === null || epoch !== this.#head.epoch;
    const told = changes.map((change, index) => aToldChange(this.#head.seq + index + 1, { toldAt: from, ...change }));
    const { states: before, seq: last } = this.#head;
    const version = this.#head.version + (isPublished ? 1 : 0);
    const seq = last + told.length;
    this.#head = { epoch, seq, states: before + 1, version, from, until: from + MINUTE };
    this.log.add(epoch, told);
    const state = { number: this.#head.states, seq, version: this.#head.version, from, until: this.#head.until };
    this.log.complete({ head: this.#head, isWhole, states: [state] });
  }

  /** `count` changes of one telling. */
  tellSome(count: number, change: Partial<ToldChange> = {}): void {
    this.tell(Array.from({ length: count }, () => change));
  }
}
