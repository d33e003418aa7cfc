/** Pages of the feed: their bytes, and the tag by which a client that has them is told so. */
import { bucharestDay } from '../../domain/days.ts';
import type { FeedHead } from '../../store/changes/feed-head.ts';
import { Body } from '../encoding/body.ts';
import { BodyCache } from '../rendering/body-cache.ts';
import type { ChangeLog, ChangeTest, FeedPart, Place } from './change-log.ts';
import { cursorText } from './cursor.ts';

/** Plain bytes of pages cached from one told state to the next; clients at the end of the feed ask for the same. */
const CACHE_BYTES = 8 * 1024 * 1024;

export type PageRequest = {
  readonly place: Place;
  readonly test: ChangeTest;
  /** The same for the same filter. */
  readonly filterName: string;
  readonly limit: number;
};

export type ChangePage = {
  /** Weak, because it is the same in every content coding. */
  readonly tag: string;
  readonly body: () => Body;
};

export class ChangePages {
  readonly #log: ChangeLog;
  #cache = new BodyCache(CACHE_BYTES);
  #cachedHead: FeedHead | null = null;

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /** The page of a request; only while the feed has a head. */
  page({ place, test, filterName, limit }: PageRequest): ChangePage {
    const head = this.#log.head as FeedHead;
    if (head !== this.#cachedHead) this.#cache = new BodyCache(CACHE_BYTES);
    this.#cachedHead = head;
    const part = this.#log.after(place.seq, test, limit);
    const { epoch } = head;
    const next = cursorText({ epoch, seq: part.next, ahead: place.ahead });
    const day = bucharestDay(head.from);
    // At one address, this says all that the answer depends on.
    const tag = `W/"${next}.${day}.${part.entries.length}.${part.isUpToDate ? 1 : 0}"`;
    const name = `${cursorText({ epoch, ...place })} ${limit} ${filterName}`;
    return { tag, body: () => this.#cache.getCachingRepeats(name, () => bodyOf(part, next, day)) };
  }
}

function bodyOf({ entries, isUpToDate }: FeedPart, next: string, day: string): Body {
  let list = '';
  for (const { text } of entries) list += list === '' ? text : `,${text}`;
  return Body.singleUseLatin1(
    `{"status":"ok","data":"${day}","modificari":[${list}],"urmatorul":"${next}","la_zi":${isUpToDate}}`,
  );
}
