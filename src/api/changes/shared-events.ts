/** The events that many streams are sent at about the same time: those told last, made once for all of them. */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { cursorText } from '../../domain/changes/cursor.ts';
import type { FeedHead } from '../../store/changes/feed-head.ts';
import type { ChangeLog, Entry } from './change-log.ts';
import { eventsOf } from './change-stream.ts';

/** Chunks kept: those of a publication of 3,000 changes, about 1 MB. Streams are at different ones of them. */
const MAX_CHUNKS = 16;

export class SharedEvents {
  readonly #log: ChangeLog;
  readonly #chunks = new BoundedMap<Buffer>(MAX_CHUNKS);
  #head: FeedHead | null = null;

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /** The events of consecutive changes; only while the feed has a head. */
  of(entries: readonly Entry[]): Buffer {
    const head = this.#log.head as FeedHead;
    if (head !== this.#head) {
      this.#head = head;
      this.#chunks.clear();
    }
    const name = `${entries[0]?.seq} ${entries.at(-1)?.seq}`;
    const known = this.#chunks.get(name);
    if (known !== undefined) return known;
    const { epoch } = head;
    const events = eventsOf(entries, (seq) => cursorText({ epoch, seq, ahead: null }));
    const bytes = Buffer.from(events, 'latin1');
    this.#chunks.set(name, bytes);
    return bytes;
  }
}
