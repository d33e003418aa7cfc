/** One stream of changes as server-sent events (HTML standard, 9.2). */
import type { ServerResponse } from 'node:http';
import { cursorText } from '../../domain/changes/cursor.ts';
import type { StateInterval } from '../../domain/changes/told-state.ts';
import type { ChangeLog, ChangeTest, Entry, Place } from './change-log.ts';

/** What a stream writes to: a response whose head is sent. */
export type EventSink = Pick<ServerResponse, 'writableNeedDrain' | 'write' | 'end' | 'destroy' | 'on' | 'socket'>;

export type StreamOptions = {
  readonly log: ChangeLog;
  readonly place: Place & { readonly epoch: string };
  readonly test: ChangeTest;
  /** The events of unfiltered changes, made once for all streams that are at the same place. */
  readonly sharedEvents: (entries: readonly Entry[]) => Buffer;
  readonly onEnd: () => void;
};

/** Its client then connects again, so that a key that was revoked ends, and each minute is counted. */
const STREAM_MS = 60_000;
const HEARTBEAT_MS = 15_000;
/** A reader for whom more than this waits is cut; it may connect again and go on. */
const MAX_WAITING_BYTES = 1024 * 1024;
/**
 * Handed to the connection at a time, about 60 kB: 1,000 slow readers hold 60 MB of ours, and up to 3 MB each of the
 * system until they are cut.
 */
const CHUNK_CHANGES = 200;
/** After a lost connection, ms. */
const RETRY_MS = 1_000;

/** Sends what follows `place` until the stream has lasted a minute, its client is gone, or the feed begins anew. */
export function streamChanges(sink: EventSink, options: StreamOptions): void {
  new ChangeStream(sink, options).start();
}

class ChangeStream {
  readonly #sink: EventSink;
  readonly #options: StreamOptions;
  readonly #epoch: string;
  #seq: number;
  #ahead: StateInterval | null;
  /** Whether it has come to the end of the feed once: until then the past waits, through no fault of the reader. */
  #isLive = false;
  #isEnded = false;
  readonly #stops: (() => void)[] = [];

  constructor(sink: EventSink, options: StreamOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#epoch = options.place.epoch;
    this.#seq = options.place.seq;
    this.#ahead = options.place.ahead;
  }

  start(): void {
    const heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    const end = setTimeout(() => this.#end(), STREAM_MS);
    this.#stops.push(
      () => clearInterval(heartbeat),
      () => clearTimeout(end),
      this.#options.log.onMore(() => this.#onMore()),
    );
    this.#sink.on('drain', () => this.#pump());
    this.#sink.on('close', () => this.#stop());
    // Nothing moved for long, although something waits.
    this.#sink.on('timeout', () => this.#cut());
    this.#sink.write(`retry: ${RETRY_MS}\n${this.#placeEvent()}`);
    this.#pump();
  }

  #onMore(): void {
    const { log } = this.#options;
    const waits = this.#isLive && this.#sink.writableNeedDrain;
    if (waits && log.bytesAfter(this.#seq, MAX_WAITING_BYTES) > MAX_WAITING_BYTES) this.#cut();
    else this.#pump();
  }

  /** Sends as much as the connection takes; `drain` and more changes go on from there. */
  #pump(): void {
    const { log, test } = this.#options;
    if (this.#isEnded) return;
    const place = this.#placeNow();
    if (place === null) {
      this.#end();
      return;
    }
    this.#ahead = place.ahead;
    while (!this.#sink.writableNeedDrain) {
      const { entries, next, isUpToDate } = log.after(this.#seq, test, CHUNK_CHANGES);
      if (entries.length > 0) this.#send(entries);
      this.#seq = next;
      if (isUpToDate) {
        this.#isLive = true;
        return;
      }
    }
  }

  /** `null` = the feed does not go on from here: the client finds out why when it connects again. */
  #placeNow(): Place | null {
    const { log } = this.#options;
    if (log.isClosed || log.head === null || log.head.epoch !== this.#epoch) return null;
    return log.placeOf({ epoch: log.head.epoch, seq: this.#seq, ahead: this.#ahead });
  }

  #send(entries: readonly Entry[]): void {
    if (this.#options.test === null && this.#ahead === null) this.#sink.write(this.#options.sharedEvents(entries));
    else
      this.#sink.write(
        eventsOf(entries, (seq) => this.#cursor(seq)),
        'latin1',
      );
  }

  /** A comment keeps proxies from closing; the id moves over what filters leave out. A reader that stalls gets none. */
  #beat(): void {
    if (!this.#sink.writableNeedDrain) this.#sink.write(`:\n${this.#placeEvent()}`);
  }

  /** Without data no event is dispatched, but the client connects again from this id. */
  #placeEvent(): string {
    return `id: ${this.#cursor(this.#seq)}\n\n`;
  }

  #cursor(seq: number): string {
    return cursorText({ epoch: this.#epoch, seq, ahead: this.#ahead });
  }

  /** A reset gives the system's memory back at once, where a normal close waits for the client to read. */
  #cut(): void {
    if (this.#sink.socket === null) this.#sink.destroy();
    else this.#sink.socket.resetAndDestroy();
  }

  #end(): void {
    this.#stop();
    this.#sink.end();
  }

  #stop(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const stop of this.#stops) stop();
    this.#options.onEnd();
  }
}

/** One character per byte. */
export function eventsOf(entries: readonly Entry[], cursor: (seq: number) => string): string {
  let events = '';
  for (const { seq, text } of entries) events += `id: ${cursor(seq)}\ndata: ${text}\n\n`;
  return events;
}
