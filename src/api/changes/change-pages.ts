/** Pages of the feed: their bytes, and the tag by which a client that has them is told so. */

import { cursorText } from '../../domain/changes/cursor.ts';
import { bucharestDay } from '../../domain/days.ts';
import type { FeedHead } from '../../store/changes/feed-head.ts';
import { Body } from '../encoding/body.ts';
import { BodyCache } from '../rendering/body-cache.ts';
import { type HeaderList, PUBLIC_JSON_HEADERS } from '../response/answer.ts';
import { type ChangeFilter, changeTest, filterName } from './change-filter.ts';
import type { ChangeLog, FeedPart, Place } from './change-log.ts';

/** Plain bytes of pages cached from one told state to the next; clients at the end of the feed ask for the same. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Pages whose place and tag are known for that time: after these, they are found anew. */
const MAX_KNOWN_PAGES = 2_048;
/** Of pages with so many changes at most, the changes are held until the body is made. */
const MAX_HELD_CHANGES = 100;

export type PageRequest = { readonly place: Place; readonly filter: ChangeFilter; readonly limit: number };

export type ChangePage = {
  /** Weak, because it is the same in every content coding. */
  readonly tag: string;
  /** With the tag; one list for all answers with this page, which are then written at less cost. */
  readonly headers: HeaderList;
  readonly body: () => Body;
};

export class ChangePages {
  readonly #log: ChangeLog;
  #head: FeedHead | null = null;
  #day = '';
  #bodies = new BodyCache(CACHE_BYTES);
  #pages = new Map<string, ChangePage>();

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /** The page of a request; only while the feed has a head. */
  page(request: PageRequest): ChangePage {
    const head = this.#log.head as FeedHead;
    if (head !== this.#head) this.#beginWith(head);
    const { place, filter, limit } = request;
    // Of the few places that are ahead, each has a name of its own.
    const seq = place.ahead === null ? place.seq : cursorText({ epoch: head.epoch, ...place });
    const name = `${seq} ${limit} ${filterName(filter)}`;
    const known = this.#pages.get(name);
    if (known !== undefined) return known;
    if (this.#pages.size >= MAX_KNOWN_PAGES) this.#pages.clear();
    const page = this.#find(name, request, head);
    this.#pages.set(name, page);
    return page;
  }

  #beginWith(head: FeedHead): void {
    this.#head = head;
    this.#day = bucharestDay(head.from);
    this.#bodies = new BodyCache(CACHE_BYTES);
    this.#pages = new Map();
  }

  #find(name: string, { place, filter, limit }: PageRequest, { epoch }: FeedHead): ChangePage {
    const test = changeTest(filter);
    const part = () => this.#log.after(place.seq, test, limit);
    const found = part();
    const { next: seq, entries, isUpToDate } = found;
    // Long ones are looked up again rather than held, since pages may be many; what a filter leaves is mostly short.
    const held = entries.length <= MAX_HELD_CHANGES ? found : null;
    const next = cursorText({ epoch, seq, ahead: place.ahead });
    const [bodies, day] = [this.#bodies, this.#day];
    // At one address, this says all that the answer depends on.
    const tag = `W/"${next}.${day}.${entries.length}.${isUpToDate ? 1 : 0}"`;
    return {
      tag,
      headers: [...PUBLIC_JSON_HEADERS, 'ETag', tag],
      body: () => bodies.getCachingRepeats(name, () => bodyOf(held ?? part(), next, day)),
    };
  }
}

function bodyOf({ entries, isUpToDate }: FeedPart, next: string, day: string): Body {
  let list = '';
  for (const { text } of entries) list += list === '' ? text : `,${text}`;
  return Body.singleUseLatin1(
    `{"status":"ok","data":"${day}","modificari":[${list}],"urmatorul":"${next}","la_zi":${isUpToDate}}`,
  );
}
