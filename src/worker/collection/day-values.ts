/** Day values: the price the rules give from the facts known at the end of each day in Bucharest. Rule 31. */
import { bucharestDay, type DayNumber, dayNumber, startOfBucharestDay } from '../../domain/days.ts';
import { FUELS } from '../../domain/fuel.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { PublishedFacts, StoredPrice } from '../../domain/prices/facts.ts';
import { MAX_PRICE_AGE_MS, type PriceVerdict } from '../../domain/prices/price-verdict.ts';
import { isPriceSource } from '../../domain/reports/source-kind.ts';
import { buildSnapshot, priceOf } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { DayPrices } from '../../store/prices/daily-prices.ts';

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
