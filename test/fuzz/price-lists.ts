/** Reads operator price lists in tests, without a worker thread, and prints them in short form. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ReceivedResponse } from '../../src/clients/http/response.ts';
import { parsePriceMap } from '../../src/config/price-maps.ts';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import type { PriceListMap } from '../../src/domain/reports/price-list-map.ts';
import type { Sweep } from '../../src/domain/reports/sweep.ts';
import { knownNetwork } from '../../src/domain/stations/network.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { listRowRulesOf, parseList } from '../../src/sources/price-list/price-list.ts';
import { readList } from '../../src/sources/price-list/read-list.ts';
import type { SweepContext } from '../../src/sources/source.ts';

/** Noon in Bucharest on the day of the fixtures. */
export const NOW = Date.parse('2026-11-20T12:00:00+02:00');
export const FIXTURES = path.resolve(import.meta.dirname, '../../src/sources/price-list/fixtures');

export type PriceListCase = {
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly map: PriceListMap | null;
};

/** The lists of the fixtures, with their maps. */
export function fixtures(): PriceListCase[] {
  const maps = JSON.parse(readFileSync(path.join(FIXTURES, 'maps.json'), 'utf8'));
  return (
    [
      ['socar.csv', 'text/csv'],
      ['oscar.csv', 'text/csv'],
      ['blkoil.json', 'application/json'],
      ['dhr.html', 'text/html'],
    ] as const
  ).map(([file, contentType]) => {
    const name = path.parse(file).name;
    const map = name in maps ? mapOf(maps[name]) : null;
    return { name, contentType, body: readFileSync(path.join(FIXTURES, file)), map };
  });
}

/** Parses a map as an operator writes it. */
export function mapOf(value: unknown): PriceListMap {
  return parsePriceMap(value, 'for the test');
}

/** Reads the list as the source does, but in this thread. */
export async function readListInProcess({ name, contentType, body, map }: PriceListCase, now = NOW): Promise<Sweep> {
  const fixedNetwork = knownNetwork(name);
  const listRequest = {
    body,
    contentType,
    map,
    brandImplied: fixedNetwork !== null && !(map?.columns.has('brand') ?? false),
  };
  const table = readList(listRequest);
  const context = { ranges: DEFAULT_RANGES, now };
  const only = fixedNetwork;
  const rules = listRowRulesOf(listRequest, table, { only, context, gazetteer: loadGazetteer() });
  return parseList(table, rules, new AbortController().signal);
}

/** One line per price: `brand station fuel price observed`, with `*` as the station of a brand's price. */
export function priceLines({ readings, networkPrices = [] }: Sweep): string[] {
  const all = [...readings, ...networkPrices.map((price) => ({ ...price, sourceId: '*' }))];
  return all.map(({ network, sourceId, fuel, price, observed }) => {
    const when = observed === null ? '-' : observed.at === null ? observed.day : new Date(observed.at).toISOString();
    return `${network} ${sourceId} ${fuel} ${price} ${when}`;
  });
}

/** The context of a sweep that requests the list with `ask`. */
export function sweepContext(
  fetch: () => Promise<ReceivedResponse>,
  signal = new AbortController().signal,
): SweepContext {
  return {
    fetch,
    parallel: 1,
    now: NOW,
    ranges: DEFAULT_RANGES,
    unitsWithRows: new Set(),
    extraUnits: [],
    onProgress: () => undefined,
    signal,
  };
}
