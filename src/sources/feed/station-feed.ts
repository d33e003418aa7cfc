/** Sources that give all they have in one answer: a JSON list of stations. Asked once, read row by row. */

import { abortable } from '../../concurrency/abortable.ts';
import { inSlices } from '../../concurrency/in-slices.ts';
import type { Fuel } from '../../domain/fuel.ts';
import { type PriceReading, Rejections, type StationDescription } from '../../domain/reports/observation.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { type Answer, type AskOptions, NoAnswer, SourceFailed, type SweepContext } from '../source.ts';
import { bodyText } from './body-text.ts';
import { cleanText, type FeedObject, isObject } from './fields.ts';

/** The only unit of such a source. */
const WHOLE_FEED = 'all';
const MAX_ROWS = 20_000;
const MAX_BODY_BYTES = 20_000_000;
/** Lists and objects in one answer: parsing millions of them takes seconds and a gigabyte. */
const MAX_BRACKETS = 500_000;
/** Rows parsed before yielding to the event loop: a malformed list may take seconds. */
const ROWS_PER_SLICE = 50;

/** Counts one rejected row or field; the sample is a short plain text. */
export type OnRejection = (reason: string, sample: string) => void;

/** The contents of one row. Prices in thousandths of a RON; at most one per fuel. */
export type FeedStation = {
  readonly station: StationDescription;
  readonly prices: readonly Pick<PriceReading, 'fuel' | 'price'>[];
};

export type StationFeed = {
  /** The source's name in settings and runs. */
  readonly name: string;
  readonly request: AskOptions;
  /** The station of a row; `null` if the whole row is rejected, after reporting that to `refuse`. */
  read(row: FeedObject, refuse: OnRejection, context: SweepContext): FeedStation | null;
};

/** Reads the feed once. Rejects with `SourceFailed` unless it is a list with at least one usable station. */
export async function sweepFeed(feed: StationFeed, context: SweepContext): Promise<Sweep> {
  const rows = rowsOf(await answerOf(feed, context));
  context.onProgress({ done: 0, total: 1, requests: 1 });
  const rejections = new Rejections();
  const stations = new Map<string, FeedStation>();
  for await (const slice of inSlices(rows, ROWS_PER_SLICE)) {
    if (context.signal.aborted) throw stoppedError(context.signal);
    for (const row of slice) addRow(row, feed, context, rejections, stations);
  }
  if (stations.size === 0) throw new SourceFailed(noStationText(rows.length, rejections.counts()));
  context.onProgress({ done: 1, total: 1, requests: 1 });
  return {
    stations: [...stations.values()].map(({ station }) => station),
    readings: [...stations.values()].flatMap(readingsOf),
    units: new Map([[WHOLE_FEED, 'read']]),
    rejections,
    requests: 1,
  };
}

/** The id of a station as sent; `null`, and rejected, if it does not look like an id. */
export function readId(value: unknown, refuse: OnRejection): string | null {
  const id = cleanText(value, 64);
  if (/^[\w.:/-]+$/.test(id) && String(value).length <= 64) return id;
  refuse('no_station_id', sample(null, value));
  return null;
}

/** The sample of a row: its id as sent, and the rejected text. */
export function sample(id: unknown, value: unknown): string {
  const words = typeof value === 'object' && value !== null ? 'not a plain value' : cleanText(value, 100);
  return `${cleanText(id, 64) || 'no id'}: ${words}`;
}

function addRow(
  value: unknown,
  feed: StationFeed,
  context: SweepContext,
  rejections: Rejections,
  stations: Map<string, FeedStation>,
): void {
  const read = isObject(value) ? feed.read(value, (reason, words) => rejections.add(reason, words), context) : null;
  if (!isObject(value)) rejections.add('not_a_row', sample(null, value));
  else if (read && stations.has(read.station.sourceId)) rejections.add('duplicate_station', read.station.sourceId);
  else if (read) stations.set(read.station.sourceId, read);
}

function readingsOf({ station: { sourceId, network }, prices }: FeedStation): PriceReading[] {
  return prices.map(({ fuel, price }) => ({ sourceId, network, fuel, price, observed: null, unit: WHOLE_FEED }));
}

/** Fuels that a station sells, without prices. */
export function unpriced(fuels: Iterable<Fuel>): { fuel: Fuel; price: null }[] {
  return [...new Set(fuels)].map((fuel) => ({ fuel, price: null }));
}

async function answerOf({ request }: StationFeed, { ask, signal }: SweepContext): Promise<Answer> {
  try {
    return await abortable(signal, () => ask('', { accept: 'application/json', ...request }));
  } catch (error) {
    if (signal.aborted) throw stoppedError(signal);
    if (error instanceof NoAnswer) throw new SourceFailed(error.message);
    throw error;
  }
}

function rowsOf({ status, contentType, body }: Answer): readonly unknown[] {
  if (status !== 200) throw new SourceFailed(`it answered with status ${status} instead of 200`);
  if (body.length > MAX_BODY_BYTES) {
    throw new SourceFailed(`the answer is larger than ${MAX_BODY_BYTES / 1_000_000} MB`);
  }
  if (openBrackets(body) > MAX_BRACKETS) {
    throw new SourceFailed(`the answer has over ${MAX_BRACKETS} brackets, which no station list has`);
  }
  const text = bodyText(body, contentType).trimStart();
  if (text.startsWith('<')) throw new SourceFailed(`it answered with a page instead of JSON: ${excerpt(text)}`);
  const value = parseJson(text);
  if (!Array.isArray(value)) {
    const what = isObject(value)
      ? `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'nothing'}`
      : excerpt(text);
    throw new SourceFailed(`the answer is not a list of stations but ${cleanText(what)}`);
  }
  if (value.length > MAX_ROWS) {
    throw new SourceFailed(`${value.length} rows are no station list; at most ${MAX_ROWS} are read`);
  }
  return value;
}

function openBrackets(body: Uint8Array): number {
  let count = 0;
  for (const byte of body) if (byte === 0x5b || byte === 0x7b) count += 1;
  return count;
}

function parseJson(text: string): unknown {
  const value = tryParseJson(text);
  if (value !== undefined) return value;
  throw new SourceFailed(text === '' ? `the answer is empty` : `the answer is not JSON: ${excerpt(text)}`);
}

function excerpt(text: string): string {
  return `"${cleanText(text.slice(0, 80), 80)}"`;
}

function noStationText(rows: number, counts: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(counts).map(([reason, count]) => `${reason} ${count}`);
  return `no station of Romania in ${rows} rows${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`;
}

function stoppedError({ reason }: AbortSignal): SourceFailed {
  return new SourceFailed(`reading it was stopped: ${reason instanceof Error ? reason.message : String(reason)}`);
}
