/**
 * Operator price lists, `prices:NAME=URL-or-path`: a network's own prices, for single stations or a whole brand.
 *
 * | column        | becomes                                            | may be missing                       |
 * |---------------|----------------------------------------------------|--------------------------------------|
 * | `brand`       | `network`, `brand`, by `networkOf`                 | where NAME is a known network's slug |
 * | `fuel`        | `fuel`, by the map's names, then the contract's    | never                                |
 * | `price`       | `price`, thousandths of a RON per litre            | empty or 0 = no price                |
 * | `price:FUEL`  | both, in wide lists (by the map only)              | empty = not sold there               |
 * | `station`     | `sourceId`                                         | empty = the price of the whole brand |
 * | `observed_at` | `observed`: instant and day, or the day            | yes                                  |
 * | `name`, `address` | `name`, `address`                              | yes                                  |
 * | `city` + `county` | `locality`                                     | yes                                  |
 * | `lat` + `lng` | `lat`, `lng`                                       | yes                                  |
 *
 * Formats, reasons of refusal, the map: docs/SOURCES.md.
 */
import { inSlices } from '../../concurrency/in-slices.ts';

import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { Rejections } from '../../domain/reports/observation.ts';
import type { PriceListMap } from '../../domain/reports/price-list-map.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { knownNetwork } from '../../domain/stations/network.ts';
import { cleanText } from '../feed/fields.ts';
import { type Answer, NoAnswer, type Source, SourceFailed, type SweepContext } from '../source.ts';
import { createCityLookup } from './cities.ts';
import { ListRowMerger, WHOLE_LIST } from './merge-rows.ts';
import { type ReadingLimits, readInWorker } from './read-in-worker.ts';
import type { ListReadRequest } from './read-list.ts';
import { type CellOf, type ListRowRules, readRow } from './row.ts';
import type { Cell, ListTable } from './table.ts';

export type PriceListOptions = {
  /** `prices:NAME`; a NAME that is the slug of a known network takes rows of that network only. */
  readonly name: string;
  readonly map: PriceListMap | null;
  readonly gazetteer: Gazetteer;
  readonly limits?: ReadingLimits;
};

const MAX_BODY_BYTES = 20_000_000;
const LIMITS: ReadingLimits = { timeMs: 20_000, memoryMb: 768 };
/** Ten times the stations in Romania: placing more would delay the sources collected with it. */
const MAX_STATIONS = 20_000;
/** Rows parsed before yielding to the event loop. */
const ROWS_PER_SLICE = 500;
const ACCEPT = 'text/csv, application/json, text/html;q=0.9, */*;q=0.8';

/** A list as a source: one request, for `''`, read as a whole or not at all. */
export function priceListSource(options: PriceListOptions): Source {
  const { name, map } = options;
  const only = knownNetwork(name.slice('prices:'.length));
  const hasBrand = map?.columns.has('brand') ?? false;
  return {
    name,
    async sweep(context) {
      const { contentType, body } = await answerOf(context);
      const request = { body, contentType, map, brandImplied: only !== null && !hasBrand };
      const table = await readInWorker(request, options.limits ?? LIMITS, context.signal);
      const rules = listRowRulesOf(request, table, { only, context, gazetteer: options.gazetteer });
      context.onProgress({ done: 0, total: 1, requests: 1 });
      const sweep = await parseList(table, rules, context.signal);
      context.onProgress({ done: 1, total: 1, requests: 1 });
      return sweep;
    },
  };
}

/** The rules for the rows of a list. */
export function listRowRulesOf(
  { map, brandImplied }: Pick<ListReadRequest, 'map' | 'brandImplied'>,
  { found }: ListTable,
  {
    only,
    context: { ranges, now },
    gazetteer,
  }: Pick<ListRowRules, 'only'> & { context: Pick<SweepContext, 'ranges' | 'now'>; gazetteer: Gazetteer },
): ListRowRules {
  return {
    map,
    only,
    brandImplied: brandImplied && !found.has('brand'),
    ranges,
    now,
    cities: createCityLookup(gazetteer),
  };
}

/** Parses the rows of a list and counts each rejected row and field. */
export async function parseList(
  { columns, rows, broken }: ListTable,
  rules: ListRowRules,
  signal: AbortSignal,
): Promise<Sweep> {
  const rejections = new Rejections();
  const merger = new ListRowMerger(rules.ranges);
  for (const { reason, sample } of broken) rejections.add(reason, sample);
  const columnIndexes = new Map(columns.map((column, place) => [column, place]));
  for await (const slice of inSlices(rows, ROWS_PER_SLICE)) {
    if (signal.aborted) throw new SourceFailed('reading the list was stopped');
    for (const row of slice) {
      const read = readRow(cellOf(row, columnIndexes, rules.map), rules, (reason) =>
        rejections.add(reason, sampleOf(row)),
      );
      const repeated = read === null ? 0 : merger.add(read);
      if (repeated > 0) rejections.add('duplicate_row', sampleOf(row), repeated);
    }
  }
  const stations = merger.stations();
  if (stations.length > MAX_STATIONS) {
    throw new SourceFailed(`the list names ${stations.length} stations; at most ${MAX_STATIONS} are accepted`);
  }
  return {
    stations,
    readings: merger.readings(),
    brandPrices: merger.brandPrices(),
    units: new Map([[WHOLE_LIST, 'read']]),
    rejections,
    requests: 1,
  };
}

async function answerOf({ ask, signal }: SweepContext): Promise<Answer> {
  const answer = await ask('', { accept: ACCEPT }).catch((error: unknown) => {
    if (error instanceof NoAnswer && !signal.aborted) throw new SourceFailed(error.message);
    throw error;
  });
  if (answer.status !== 200)
    throw new SourceFailed(`the request for the list was answered with status ${answer.status}`);
  if (answer.body.length > MAX_BODY_BYTES) throw new SourceFailed('the list is larger than 20 MB');
  return answer;
}

function cellOf(row: readonly Cell[], columnIndexes: ReadonlyMap<string, number>, map: PriceListMap | null): CellOf {
  return (column) => {
    const index = columnIndexes.get(column);
    if (index !== undefined) return row[index] ?? null;
    const fixed = column.startsWith('price:') ? undefined : map?.columns.get(column as 'brand');
    return fixed !== undefined && 'always' in fixed ? fixed.always : null;
  };
}

function sampleOf(row: readonly Cell[]): string {
  const words = row.map((cell) => (cell === true ? '…' : cleanText(cell).slice(0, 60))).filter((word) => word !== '');
  return words.join(', ');
}
