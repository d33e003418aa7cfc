/**
 * Operator price lists, `prices:NAME=URL-or-path`: a network's own prices, for single stations or the whole network.
 *
 * | column        | becomes                                            | may be missing                       |
 * |---------------|----------------------------------------------------|--------------------------------------|
 * | `brand`       | `network`, `brand`, by `networkOf`                 | where NAME is a known network's slug |
 * | `fuel`        | `fuel`, by the map's names, then the contract's    | never                                |
 * | `price`       | `price`, thousandths of a RON per litre            | empty or 0 = no price                |
 * | `price:FUEL`  | both, in wide lists (by the map only)              | empty = not sold there               |
 * | `station`     | `sourceId`                                         | empty = the price of the whole network |
 * | `observed_at` | `observed`: instant and day, or the day            | yes                                  |
 * | `name`, `address` | `name`, `address`                              | yes                                  |
 * | `city` + `county` | `locality`                                     | yes                                  |
 * | `lat` + `lng` | `lat`, `lng`                                       | yes                                  |
 *
 * Formats, reasons of rejection, the map: docs/SOURCES.md.
 */
import { NoResponse, type ReceivedResponse } from '../../clients/http/response.ts';
import { inTimeSlices } from '../../concurrency/in-slices.ts';

import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { Rejections, type RowName } from '../../domain/reports/observation.ts';
import type { PriceListMap } from '../../domain/reports/price-list-map.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { knownNetwork } from '../../domain/stations/network.ts';
import { cleanText } from '../feed/fields.ts';
import { type Source, SourceFailed, type SweepContext } from '../source.ts';
import { createCityLookup } from './cities.ts';
import { type CellOf, type ListRow, type ListRowRules, readListRow } from './list-row.ts';
import type { Cell, ListTable } from './list-table.ts';
import { ListRowMerger, WHOLE_LIST } from './merge-rows.ts';
import { type ReadingLimits, readInWorker } from './read-in-worker.ts';
import type { ListReadRequest } from './read-list.ts';

export type PriceListOptions = {
  /** `prices:NAME`; a NAME that is the slug of a known network takes rows of that network only. */
  readonly name: string;
  readonly map: PriceListMap | null;
  readonly gazetteer: Gazetteer;
  readonly limits?: ReadingLimits;
};

export const MAX_LIST_BYTES = 20_000_000;
const READING_LIMITS: ReadingLimits = { timeMs: 20_000, memoryMb: 768 };
/** Ten times the stations in Romania: placing more would delay the sources collected with it. */
const MAX_STATIONS_IN_LIST = 20_000;
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
      const table = await readInWorker(request, options.limits ?? READING_LIMITS, context.signal);
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
  for await (const row of inTimeSlices(rows)) {
    if (signal.aborted) throw new SourceFailed('reading the list was stopped');
    const reasons: string[] = [];
    const read = readListRow(cellOf(row, columnIndexes, rules.map), rules, (reason) => reasons.push(reason));
    if (read !== null && merger.add(read) > 0) reasons.push('duplicate_row');
    const [reason] = reasons;
    const first = reason === undefined ? null : { reason, sample: sampleOf(row) };
    rejections.addRow(read === null ? [] : namesOf(read), first);
  }
  const stations = merger.stations();
  if (stations.length > MAX_STATIONS_IN_LIST) {
    throw new SourceFailed(`the list names ${stations.length} stations; at most ${MAX_STATIONS_IN_LIST} are accepted`);
  }
  return {
    stations,
    readings: merger.readings(),
    networkPrices: merger.networkPrices(),
    units: new Map([[WHOLE_LIST, 'read']]),
    rejections,
    requests: 1,
  };
}

async function answerOf({ fetch, signal }: SweepContext): Promise<ReceivedResponse> {
  const answer = await fetch('', { accept: ACCEPT }).catch((error: unknown) => {
    if (error instanceof NoResponse && !signal.aborted) throw new SourceFailed(error.message);
    throw error;
  });
  if (answer.status !== 200)
    throw new SourceFailed(`the request for the list was answered with status ${answer.status}`);
  if (answer.body.length > MAX_LIST_BYTES) throw new SourceFailed('the list is larger than 20 MB');
  return answer;
}

/** One for each of its prices; those of a whole brand have no station. */
function namesOf({ network, station, prices }: ListRow): RowName[] {
  return prices.map(({ fuel }) => ({ network: network.slug, sourceId: station?.sourceId ?? '', fuel }));
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
