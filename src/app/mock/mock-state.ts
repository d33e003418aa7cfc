/**
 * The state that the mock serves, as a text file: a line for what all stations share, then one for each station with
 * its facts and past prices. `scripts/write-mock-state.ts` writes it; no other process does, so it is not checked.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import { FUELS, type Fuel, type MilliPrice } from '../../domain/fuel.ts';
import type { PublishedFacts, StoredPrice } from '../../domain/prices/facts.ts';
import type { Station } from '../../domain/stations/station.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';

/** One price of a past day. */
type PastPrice = {
  readonly station: string;
  readonly fuel: Fuel;
  readonly day: DayNumber;
  readonly price: MilliPrice;
};

export type MockState = { readonly facts: PublishedFacts; readonly past: readonly PastPrice[] };

/** Prices by fuel: one a day from `from`, separated by commas; empty = as the day before, `-` = none. */
type PastPrices = Partial<Record<Fuel, { readonly from: string; readonly prices: string }>>;
type StationLine = {
  readonly station: Station;
  readonly prices: readonly Omit<StoredPrice, 'station'>[];
  readonly past: PastPrices;
};

export const MOCK_STATE_FILE = path.join(import.meta.dirname, 'mock-state.jsonl');

/** The text of the file. */
export function encodeMockState({ facts, past }: MockState): string {
  const { stations, prices, ...shared } = facts;
  const pricesOf = Map.groupBy(prices, ({ station }) => station);
  const pastOf = Map.groupBy(past, ({ station }) => station);
  const lines = stations.map((station): StationLine => {
    const own = pricesOf.get(station.id) ?? [];
    return {
      station,
      prices: own.map(({ station: _, ...price }) => price),
      past: encodePast(pastOf.get(station.id) ?? []),
    };
  });
  return [shared, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads the file that is part of the program. */
export function readMockState(): { readonly facts: PublishedFacts; readonly history: PriceHistory } {
  const [first = '', ...rest] = readFileSync(MOCK_STATE_FILE, 'utf8').trimEnd().split('\n');
  const shared = JSON.parse(first) as Omit<PublishedFacts, 'stations' | 'prices'>;
  const lines = rest.map((line) => JSON.parse(line) as StationLine);
  const history = new PriceHistory();
  for (const { station, past } of lines) decodePast(station.id, past, history);
  const prices = lines.flatMap(({ station, prices: own }) => own.map((price) => ({ ...price, station: station.id })));
  return { facts: { ...shared, stations: lines.map(({ station }) => station), prices }, history };
}

function encodePast(past: readonly PastPrice[]): PastPrices {
  const byFuel = [...Map.groupBy(past, ({ fuel }) => fuel)];
  return Object.fromEntries(
    byFuel.map(([fuel, known]) => {
      const priceOn = new Map(known.map(({ day, price }) => [day, String(price)]));
      const days = [...priceOn.keys()];
      const from = Math.min(...days);
      const all = Array.from({ length: Math.max(...days) - from + 1 }, (_, at) => priceOn.get(from + at) ?? '-');
      const prices = all.map((price, at) => (price === all[at - 1] ? '' : price)).join(',');
      return [fuel, { from: dayText(from), prices }];
    }),
  );
}

function decodePast(station: string, past: PastPrices, history: PriceHistory): void {
  FUELS.forEach((fuel, index) => {
    const known = past[fuel];
    if (known === undefined) return;
    let last = '-';
    known.prices.split(',').forEach((text, at) => {
      last = text === '' ? last : text;
      const price = last === '-' ? null : Number(last);
      const prices = FUELS.map((each) => (each === fuel ? price : null));
      history.putDay({ station, prices }, dayNumber(known.from) + at, 1 << index);
    });
  });
}
