/** Reads sources whose single answer is a JSON list of all stations: one request, parsed row by row. */

import { NoResponse, type ReceivedResponse } from '../../clients/http/response.ts';
import { abortable } from '../../concurrency/abortable.ts';
import { inTimeSlices } from '../../concurrency/in-slices.ts';
import type { Fuel } from '../../domain/fuel.ts';
import {
  type PriceReading,
  Rejections,
  type RowName,
  type StationDescription,
} from '../../domain/reports/observation.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { isObject } from '../../json/is-object.ts';
import { type JsonLimits, jsonExcess } from '../../json/json-limits.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { type FetchOptions, SourceFailed, type SweepContext } from '../source.ts';
import { bodyText } from './body-text.ts';
import { cleanText, type FeedObject } from './fields.ts';

/** The only unit of such a source. */
const WHOLE_FEED = 'all';
const MAX_ROWS = 20_000;
/** Ten times the largest feed: 1,300 stations with a window of 5 KB each, or 250 with 100 members each. */
export const MAX_FEED_BYTES = 10_000_000;
const JSON_LIMITS: JsonLimits = { depth: 100, tokens: 300_000, members: 100_000 };

/** Counts one rejected row or field; the sample is a short plain text. */
export type ReportRejection = (reason: string, sample: string) => void;

/** The contents of one row. Prices in thousandths of a RON; at most one per fuel. */
export type FeedStation = {
  readonly station: StationDescription;
  readonly prices: readonly Pick<PriceReading, 'fuel' | 'price'>[];
};

export type StationFeed = {
  /** The source's name in settings and runs. */
  readonly name: string;
  readonly request: FetchOptions;
  /** The station of a row; `null` if the whole row is rejected; the reason goes to `reject`. */
  read(row: FeedObject, reject: ReportRejection, context: SweepContext): FeedStation | null;
};

/** Reads the feed once. Rejects with `SourceFailed` unless it is a list with at least one usable station. */
export async function sweepFeed(feed: StationFeed, context: SweepContext): Promise<Sweep> {
  const rows = rowsOf(await answerOf(feed, context));
  context.onProgress({ done: 0, total: 1, requests: 1 });
  const rejections = new Rejections();
  const stations = new Map<string, FeedStation>();
  for await (const row of inTimeSlices(rows)) {
    if (context.signal.aborted) throw stoppedError(context.signal);
    addRow(row, feed, context, rejections, stations);
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
export function readId(value: unknown, reject: ReportRejection): string | null {
  const id = cleanText(value, 64);
  if (/^[\w.:/-]+$/.test(id) && String(value).length <= 64) return id;
  reject('no_station_id', sample(null, value));
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
  let first: { reason: string; sample: string } | null = null;
  const reject: ReportRejection = (reason, words) => {
    first ??= { reason, sample: words };
  };
  const read = isObject(value) ? feed.read(value, reject, context) : null;
  if (!isObject(value)) reject('not_a_row', sample(null, value));
  const isRepeated = read !== null && stations.has(read.station.sourceId);
  if (isRepeated) reject('duplicate_station', read.station.sourceId);
  rejections.addRow(read === null || isRepeated ? [] : namesOf(read), first);
  if (read !== null && !isRepeated) stations.set(read.station.sourceId, read);
}

function namesOf({ station: { network, sourceId }, prices }: FeedStation): RowName[] {
  return [{ network, sourceId }, ...prices.map(({ fuel }) => ({ network, sourceId, fuel }))];
}

function readingsOf({ station: { sourceId, network }, prices }: FeedStation): PriceReading[] {
  return prices.map(({ fuel, price }) => ({ sourceId, network, fuel, price, observed: null, unit: WHOLE_FEED }));
}

/** Fuels that a station sells, without prices. */
export function unpriced(fuels: Iterable<Fuel>): { fuel: Fuel; price: null }[] {
  return [...new Set(fuels)].map((fuel) => ({ fuel, price: null }));
}

async function answerOf({ request }: StationFeed, { fetch, signal }: SweepContext): Promise<ReceivedResponse> {
  try {
    return await abortable(signal, () => fetch('', { accept: 'application/json', ...request }));
  } catch (error) {
    if (signal.aborted) throw stoppedError(signal);
    if (error instanceof NoResponse) throw new SourceFailed(error.message);
    throw error;
  }
}

function rowsOf({ status, contentType, body }: ReceivedResponse): readonly unknown[] {
  if (status !== 200) throw new SourceFailed(`it answered with status ${status} instead of 200`);
  if (body.length > MAX_FEED_BYTES) {
    throw new SourceFailed(`the answer is larger than ${MAX_FEED_BYTES / 1_000_000} MB`);
  }
  const text = bodyText(body, contentType).trimStart();
  if (text.startsWith('<')) throw new SourceFailed(`it answered with a page instead of JSON: ${excerpt(text)}`);
  const excess = jsonExcess(text, JSON_LIMITS);
  if (excess !== null) throw new SourceFailed(`the answer has ${EXCESS[excess]}, which no station list has`);
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

const EXCESS: Readonly<Record<keyof JsonLimits, string>> = {
  depth: `more than ${JSON_LIMITS.depth} brackets within each other`,
  tokens: `more than ${JSON_LIMITS.tokens} values`,
  members: `more than ${JSON_LIMITS.members} fields`,
};

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
