/** Day values: the price the rules give from the facts known at the end of each day in Bucharest. Rule 31. */

import type { Kysely } from 'kysely';
import { bucharestDay, type DayNumber, dayNumber, startOfBucharestDay } from '../../domain/days.ts';
import { FUELS } from '../../domain/fuel.ts';
import type { KnownPrice } from '../../domain/prices/apply-collection.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { PublishedFacts, StoredPrice } from '../../domain/prices/facts.ts';
import { MAX_PRICE_AGE_MS, type PriceVerdict } from '../../domain/prices/price-verdict.ts';
import { isPriceSource } from '../../domain/reports/source-kind.ts';
import { buildSnapshot, priceOf } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { type DayPrices, writeDay } from '../../store/prices/daily-prices.ts';
import { loadKnownPricesAsOf, readTimesAsOf } from '../../store/prices/facts-as-of.ts';
import { loadFacts } from '../../store/prices/publication.ts';

/** By the end of the day after the time-out every price is withdrawn: later days hold nothing. */
const DAYS_UNTIL_WITHDRAWN = 1 + Math.ceil(MAX_PRICE_AGE_MS / 86_400_000);

/** The values of the days that ended between the moment of the facts and `today`, until all prices have expired. */
export function closedDayValues(
  facts: PublishedFacts,
  today: DayNumber,
  settings: CollectionSettings,
): { day: DayNumber; rows: DayPrices[] }[] {
  if (facts.publishedAt === null) return [];
  const first = dayNumber(bucharestDay(facts.publishedAt));
  const closed: { day: DayNumber; rows: DayPrices[] }[] = [];
  for (let day = first; day < today && day <= first + DAYS_UNTIL_WITHDRAWN; day += 1) {
    const rows = dayValues(facts, startOfBucharestDay(day + 1) - 1, settings);
    closed.push({ day, rows: day === first ? rows : pricedOnly(rows) });
  }
  return closed;
}

/** On a day on which nothing was reported, a withdrawn price is not a fact of that day. */
export function pricedOnly(rows: readonly DayPrices[]): DayPrices[] {
  return rows.map(withPricedFuels).filter((row) => row.facts > 0);
}

function withPricedFuels(row: DayPrices): DayPrices {
  return {
    ...row,
    facts: row.prices.reduce<number>((bits, price, index) => (price === null ? bits : bits | (1 << index)), 0),
  };
}

/** The result of the rules at one moment, by station. */
export function dayValues(facts: PublishedFacts, now: number, settings: CollectionSettings): DayPrices[] {
  const { records } = buildSnapshot({ ...settings, facts, now, history: new PriceHistory() });
  const reported = new Set(
    facts.prices.filter((fact) => !isUnpricedMarker(fact)).map(({ station, fuel }) => `${station} ${fuel}`),
  );
  const byStation = Map.groupBy(
    records.filter(({ station, fuel }) => reported.has(`${station.id} ${fuel}`)),
    ({ station }) => station.id,
  );
  return [...byStation].map(([station, own]) => ({
    station,
    prices: FUELS.map((fuel) => priceOf(own.find((record) => record.fuel === fuel)?.verdict)),
    sources: FUELS.map((fuel) => sourceOf(own.find((record) => record.fuel === fuel)?.verdict)),
    facts: own.reduce((bits, { fuel }) => bits | (1 << FUELS.indexOf(fuel)), 0),
  }));
}

function sourceOf(verdict: PriceVerdict | undefined): string | null {
  return verdict?.kind === 'trusted' ? verdict.fact.source : null;
}

/** A fuel that an operator or a locator lists as sold, without a price: it does not block an import of daily prices. */
function isUnpricedMarker({ source, price }: StoredPrice): boolean {
  return price === null && !isPriceSource(source);
}

/** Writes the days that ended since the last publication, before new facts come in. */
export async function storeClosedDays(
  tx: Kysely<Schema>,
  publishedAt: number | null,
  today: DayNumber,
  settings: CollectionSettings,
): Promise<DayNumber[]> {
  if (publishedAt === null || dayNumber(bucharestDay(publishedAt)) >= today) return [];
  const closed = closedDayValues(await loadFacts(tx), today, settings);
  for (const { day, rows } of closed) await writeDay(tx, day, rows);
  return closed.map(({ day }) => day);
}

/** Rewrites the value of a past day from what was known at its end, overlaid with the rows of an older run. */
export async function rewriteDay(
  tx: Kysely<Schema>,
  day: DayNumber,
  settings: CollectionSettings,
  overlay: readonly KnownPrice[],
): Promise<void> {
  const end = startOfBucharestDay(day + 1) - 1;
  const present = await loadFacts(tx);
  const sources = new Set(present.prices.map(({ source }) => source));
  const prices: StoredPrice[] = [];
  for (const source of sources) {
    const readAt = await readTimesAsOf(tx, source, end);
    const known = new Map(
      (await loadKnownPricesAsOf(tx, source, end)).map((fact) => [`${fact.station} ${fact.fuel}`, fact]),
    );
    for (const fact of overlay) {
      const later = known.get(`${fact.station} ${fact.fuel}`);
      if (fact.source === source && later?.price === fact.price) known.set(`${fact.station} ${fact.fuel}`, fact);
    }
    for (const fact of known.values()) {
      prices.push({ ...fact, readAt: readAt(fact.unit) ?? fact.observed?.at ?? Number.NEGATIVE_INFINITY });
    }
  }
  await writeDay(tx, day, dayValues({ ...present, prices }, end, settings));
}
