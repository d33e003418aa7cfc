/**
 * The feed in memory: the changes of the last 30 days, each with its bytes. What a request gets depends only on what
 * was told, never on this process: all processes answer with the same bytes.
 */
import { firstIndexThat } from '../../algorithms/binary-search.ts';
import { type Cursor, cursorOfSnapshot, cursorText, type ShownSnapshot } from '../../domain/changes/cursor.ts';
import { FEED_CHANGES, FEED_DAYS } from '../../domain/changes/feed-reach.ts';
import { isEarlierState, isSameState, type StateInterval, type ToldState } from '../../domain/changes/told-state.ts';
import type { FeedHead } from '../../store/changes/feed-head.ts';
import type { FeedReading, FeedWindow, ToldChange } from '../../store/changes/read-feed.ts';
import { changeRecord } from '../contract/change-words.ts';
import { utf8AsLatin1 } from '../rendering/rendered-records.ts';
import type { FilteredFields } from './change-filter.ts';
import { type ChangedPlace, PlaceIndex } from './place-index.ts';

const FEED_WINDOW: FeedWindow = { ms: FEED_DAYS * 86_400_000, states: 50_000 };
/** Bytes of changes kept: three times those of 30 days of 2,000 stations. The oldest give way. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Changes that one request goes through at most. */
const MAX_SCANNED = 20_000;

export type Entry = FilteredFields & {
  readonly seq: number;
  readonly toldAt: number;
  /** JSON with one character per byte. */
  readonly text: string;
};

export type ChangeTest = ((change: FilteredFields) => boolean) | null;

/** Part of the feed: its entries, and the place after it, which filtered changes move too. */
export type FeedPart = { readonly entries: readonly Entry[]; readonly next: number; readonly isUpToDate: boolean };

/** Where a cursor leads: to a place, or `gone`, or ahead of what is told here. */
export type Place = { readonly seq: number; readonly ahead: StateInterval | null };

export class ChangeLog {
  readonly window: FeedWindow = FEED_WINDOW;
  readonly #maxBytes: number;
  #head: FeedHead | null = null;
  #base = 0;
  #entries: Entry[] = [];
  #bytes = 0;
  readonly #places = new PlaceIndex();
  #states: ToldState[] = [];
  readonly #listeners = new Set<() => void>();
  /** What a reading has passed on so far. */
  #incoming: Entry[] = [];
  #incomingBytes = 0;
  /** Whether it was more than may be held, so that the oldest of it are gone. */
  #isCut = false;
  #isClosed = false;

  constructor(maxBytes: number = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** `null` = nothing was read, or told, yet. */
  get head(): FeedHead | null {
    return this.#head;
  }

  /** Everything after this number is held. */
  get base(): number {
    return this.#base;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The process is stopping: nobody waits for more. */
  close(): void {
    this.#isClosed = true;
    this.#callBack();
  }

  /** Calls back whenever more was told; returns what ends that. */
  onMore(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** How many wait for more: requests and streams. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Takes a part of a reading, which `complete` or `abandon` ends. */
  add(epoch: string, changes: readonly ToldChange[]): void {
    for (const change of changes) {
      const entry = entryOf(epoch, change);
      this.#incoming.push(entry);
      this.#incomingBytes += entry.text.length;
    }
    if (this.#incomingBytes <= 2 * this.#maxBytes) return;
    // The newest are what remains in the end.
    this.#incoming = this.#incoming.slice(surplus(this.#incoming, this.#incomingBytes - this.#maxBytes));
    this.#incomingBytes = bytesOf(this.#incoming);
    this.#isCut = true;
  }

  /** Ends a reading that failed. */
  abandon(): void {
    this.#incoming = [];
    this.#incomingBytes = 0;
    this.#isCut = false;
  }

  /** Ends a reading: from now on all of it is given. `null` = nothing is told any more. */
  complete(reading: FeedReading | null): void {
    const incoming = this.#incoming;
    const isCut = this.#isCut;
    this.abandon();
    if (reading === null) {
      this.#head = null;
      this.#entries = [];
      this.#states = [];
      this.#bytes = 0;
      this.#places.clear();
    } else {
      const { head, isWhole, states } = reading;
      this.#states = isWhole ? [...states] : [...this.#states, ...states];
      if (isWhole || isCut) this.#places.clear();
      this.#places.add(incoming);
      if (isWhole || isCut) {
        this.#entries = incoming;
        this.#base = (incoming[0]?.seq ?? head.seq + 1) - 1;
        this.#bytes = bytesOf(incoming);
      } else {
        for (const entry of incoming) {
          this.#entries.push(entry);
          this.#bytes += entry.text.length;
        }
      }
      this.#head = head;
      this.#forget(head.from - FEED_WINDOW.ms);
    }
    this.#callBack();
  }

  /** The cursor from which the feed leads on from a snapshot; `null` = none does. */
  cursorOf(snapshot: ShownSnapshot): string | null {
    return this.#head === null ? null : cursorOfSnapshot(this.#head.epoch, this.#states, snapshot);
  }

  /** The oldest cursor that the feed goes on from; only while there is a head. */
  oldestCursor(): string {
    return cursorText({ epoch: (this.#head as FeedHead).epoch, seq: this.#base, ahead: null });
  }

  /** The cursor after which come the changes told since a moment, epoch ms; `null` = nothing was read yet. */
  cursorSince(moment: number): string | null {
    if (this.#head === null) return null;
    const { length } = this.#entries;
    const first = firstIndexThat((at) => (this.#entries[at] as Entry).toldAt >= moment, 0, length);
    const seq = first === length ? this.#head.seq : (this.#entries[first] as Entry).seq - 1;
    return cursorText({ epoch: this.#head.epoch, seq, ahead: null });
  }

  /** The cursor after the last change; `null` = nothing was told. */
  lastCursor(): string | null {
    return this.#head === null ? null : cursorText({ epoch: this.#head.epoch, seq: this.#head.seq, ahead: null });
  }

  /**
   * Where a cursor leads; `null` = begin again. Only while there is a head. Another process may have read more than
   * this one, but not more than the whole feed holds.
   */
  placeOf({ epoch, seq, ahead }: Cursor): Place | null {
    const head = this.#head as FeedHead;
    if (epoch !== head.epoch || seq < this.#base || seq > head.seq + FEED_CHANGES) return null;
    if (ahead === null) return { seq, ahead };
    const first = firstIndexThat((at) => (this.#states[at] as ToldState).seq >= seq, 0, this.#states.length);
    for (let index = first; index < this.#states.length; index += 1)
      if (isSameState(this.#states[index] as ToldState, ahead)) return { seq, ahead: null };
    // A later state was told and that one never: what changed from it, and back, was not.
    return isEarlierState(ahead, head) ? null : { seq, ahead };
  }

  /** The changes after a number that pass the test, at most `limit`. */
  after(seq: number, test: ChangeTest, limit: number): FeedPart {
    const last = Math.max(seq, this.#head?.seq ?? 0);
    const first = this.#indexAfter(seq);
    const end = Math.min(this.#entries.length, first + MAX_SCANNED);
    if (test === null) {
      const entries = this.#entries.slice(first, Math.min(end, first + limit));
      const isUpToDate = first + entries.length === this.#entries.length;
      return { entries, next: isUpToDate ? last : (entries.at(-1) as Entry).seq, isUpToDate };
    }
    const entries: Entry[] = [];
    let index = first;
    for (; index < end && entries.length < limit; index += 1) {
      const entry = this.#entries[index] as Entry;
      if (test(entry)) entries.push(entry);
    }
    const isUpToDate = index === this.#entries.length;
    return { entries, next: isUpToDate ? last : (this.#entries[index - 1] as Entry).seq, isUpToDate };
  }

  /** The last changes that pass the test, newest first, at most `limit`. Goes through all: some ms, for keys only. */
  newest(test: ChangeTest, limit: number): Entry[] {
    const found: Entry[] = [];
    for (let index = this.#entries.length - 1; index >= 0 && found.length < limit; index -= 1) {
      const entry = this.#entries[index] as Entry;
      if (test === null || test(entry)) found.push(entry);
    }
    return found;
  }

  /** The last changes of a place, newest first, at most `limit`. */
  newestAt(place: ChangedPlace, limit: number): Entry[] {
    return this.#places.newest(place, limit).map((seq) => this.#entries[this.#indexAfter(seq - 1)] as Entry);
  }

  /** Bytes of the changes after a number, counted up to `most`. */
  bytesAfter(seq: number, most: number): number {
    let bytes = 0;
    for (let index = this.#indexAfter(seq); index < this.#entries.length && bytes <= most; index += 1)
      bytes += (this.#entries[index] as Entry).text.length;
    return bytes;
  }

  #indexAfter(seq: number): number {
    return firstIndexThat((at) => (this.#entries[at] as Entry).seq > seq, 0, this.#entries.length);
  }

  #callBack(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Drops what is older than the window, and the oldest beyond the bound of bytes. */
  #forget(before: number): void {
    const isKept = (index: number) => (this.#entries[index] as Entry).toldAt >= before;
    const expired = firstIndexThat(isKept, 0, this.#entries.length);
    const dropped = Math.max(expired, surplus(this.#entries, this.#bytes - this.#maxBytes));
    if (dropped > 0) {
      this.#base = (this.#entries[dropped - 1] as Entry).seq;
      this.#places.remove(this.#entries.slice(0, dropped));
      this.#entries = this.#entries.slice(dropped);
      this.#bytes = bytesOf(this.#entries);
    }
    if (this.#states.length > 2 * FEED_WINDOW.states) this.#states = this.#states.slice(-FEED_WINDOW.states);
  }
}

/** How many of the oldest entries have so many bytes, or more. */
function surplus(entries: readonly Entry[], bytes: number): number {
  let count = 0;
  for (let left = bytes; left > 0; count += 1) left -= (entries[count] as Entry).text.length;
  return count;
}

const bytesOf = (entries: readonly Entry[]) => entries.reduce((sum, { text }) => sum + text.length, 0);

function entryOf(epoch: string, change: ToldChange): Entry {
  const { seq, toldAt, station, fuel, county, city, network } = change;
  const text = utf8AsLatin1(JSON.stringify(changeRecord(change, cursorText({ epoch, seq, ahead: null }))));
  return { seq, toldAt, station, fuel, county, city, network, text };
}
