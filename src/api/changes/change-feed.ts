/** The answers of the feed: pages, at once or after a wait, and streams; within bounds for each key and for all. */

import type { Cursor } from '../../domain/changes/cursor.ts';
import { CHANGES_MESSAGES } from '../contract/messages.ts';
import type { Caller } from '../request/caller.ts';
import { watchConnection } from '../request/when-gone.ts';
import { type Answer, type AnswerStream, BODILESS_PUBLIC_HEADERS, publicHeaders } from '../response/answer.ts';
import { matchesTag } from '../response/entity-tag.ts';
import { type Problem, problemAnswer } from '../response/problem.ts';
import { CHANGES_UNAVAILABLE, cursorGone, openRequestsLimited } from '../response/refusals.ts';
import { type ChangeFilter, changeTest } from './change-filter.ts';
import type { ChangeLog, Entry, Place } from './change-log.ts';
import { ChangePages } from './change-pages.ts';
import { streamChanges } from './change-stream.ts';
import { KeyShares } from './key-shares.ts';
import { SharedEvents } from './shared-events.ts';
import { waitForChange } from './wait-for-change.ts';

/** Requests that wait, and streams, in one process at a time. */
export const MAX_WAITS = { perKey: 8, inAll: 2_000 };
export const MAX_STREAMS = { perKey: 2, inAll: 1_000 };

/** `acum` is `now`; `oldest` = all that is kept. */
export type Start = Cursor | 'now' | 'oldest';

/** A place, and the cursor that it was found by, for another look after a wait. */
export type FoundPlace = Place & { readonly epoch: string };

export type PageCall = {
  readonly place: FoundPlace;
  readonly filter: ChangeFilter;
  readonly limit: number;
  readonly waitMs: number;
  /** The id of the key. */
  readonly key: number;
  readonly caller: Caller;
};

export type StreamCall = Pick<PageCall, 'place' | 'filter' | 'key'>;

const STREAM_HEADERS = [
  ...publicHeaders('text/event-stream; charset=utf-8'),
  // For nginx, which would hold events back.
  ...['X-Accel-Buffering', 'no'],
];

export class ChangeFeed {
  readonly #log: ChangeLog;
  readonly #pages: ChangePages;
  readonly #waits = new KeyShares(MAX_WAITS);
  readonly #streams = new KeyShares(MAX_STREAMS);
  readonly #sharedEvents: SharedEvents;

  constructor(log: ChangeLog) {
    this.#log = log;
    this.#pages = new ChangePages(log);
    this.#sharedEvents = new SharedEvents(log);
  }

  /** Where a request begins, or why it cannot. */
  placeOf(start: Start): FoundPlace | { readonly problem: Problem } {
    const { head } = this.#log;
    if (head === null) return { problem: CHANGES_UNAVAILABLE };
    const { epoch } = head;
    if (start === 'now') return { epoch, seq: head.seq, ahead: null };
    if (start === 'oldest') return { epoch, seq: this.#log.base, ahead: null };
    const place = this.#log.placeOf(start);
    return place === null ? { problem: cursorGone(this.#log.oldestCursor()) } : { epoch, ...place };
  }

  /** The page after a place, once there is a change or the wait is over. */
  answerPage(call: PageCall): Answer | Promise<Answer> {
    if (call.waitMs === 0) return this.#page(call);
    const test = changeTest(call.filter);
    const { entries, isUpToDate } = this.#log.after(call.place.seq, test, 1);
    if (entries.length > 0 || !isUpToDate) return this.#page(call);
    const release = this.#waits.take(call.key);
    if (typeof release === 'string') return refusedShare(release, CHANGES_MESSAGES.waitsLimited(MAX_WAITS.perKey));
    const { gone, stop } = watchConnection(call.caller);
    const waited = waitForChange({ log: this.#log, seq: call.place.seq, test, ms: call.waitMs, gone });
    return waited
      .finally(() => {
        release();
        stop();
      })
      .then(() => this.#page(call));
  }

  /** A stream of events from a place on. */
  answerStream({ place, filter, key }: StreamCall): Answer {
    const release = this.#streams.take(key);
    if (typeof release === 'string') return refusedShare(release, CHANGES_MESSAGES.streamsLimited(MAX_STREAMS.perKey));
    const options = {
      ...{ log: this.#log, place, test: changeTest(filter), onEnd: release },
      sharedEvents: (entries: readonly Entry[]) => this.#sharedEvents.of(entries),
    };
    const stream: AnswerStream = { start: (response) => streamChanges(response, options), cancel: release };
    return { status: 200, headers: STREAM_HEADERS, body: null, stream };
  }

  #page({ place, filter, limit, caller }: PageCall): Answer {
    // The feed may have begun anew meanwhile.
    const found = this.placeOf(place);
    if ('problem' in found) return problemAnswer(found.problem);
    const { tag, headers, body } = this.#pages.page({ place: found, filter, limit });
    if (matchesTag(caller.headers['if-none-match'], tag))
      return { status: 304, headers: BODILESS_PUBLIC_HEADERS, extraHeaders: ['ETag', tag], body: null };
    return { status: 200, headers, body: body() };
  }
}

function refusedShare(whose: 'key' | 'all', message: string): Answer {
  return problemAnswer(whose === 'key' ? openRequestsLimited(message) : CHANGES_UNAVAILABLE);
}
