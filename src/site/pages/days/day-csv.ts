/** The figures of one day as CSV (RFC 4180), those of its page: the country, then the largest cities, a row a fuel. */
import { type DayNumber, dayText } from '../../../domain/days.ts';
import { FUEL_NAME, type MilliPrice, ROAD_FUELS } from '../../../domain/fuel.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { csvLines, csvPrice } from '../../html/csv.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { tankCost } from '../../parts/price-parts.ts';
import { CHANGE_DAYS, CITIES_SHOWN, citiesOn, type Day, dayOf } from './day-data.ts';
import { parseDay } from './parse-day.ts';

const COLUMNS = [
  ...['ziua', 'loc', 'carburant', 'minim', 'mediu', 'maxim'],
  ...CHANGE_DAYS.map((days) => `schimbare_${days}`),
  'plin_lei',
];
const COUNTRY = 'România';

/** The address of the file of a day, also of today. */
export function dayCsvPath(day: DayNumber): string {
  return `${routePath('day', 'ro', { day: dayText(day) })}.csv`;
}

/** The lines of the file at an address; `null` = it is of no day with figures. */
export function dayCsv(path: string, data: SiteData): Iterable<string> | null {
  const [, text = ''] = /^\/zi\/([\d-]{10})\.csv$/.exec(path) ?? [];
  const day = parseDay(text);
  const known = day === null ? null : dayOf(day, data.snapshot);
  return known && csvLines(rowsOf(known, data));
}

function* rowsOf(
  { day, fuels }: Day,
  { snapshot, gazetteer }: SiteData,
): Generator<readonly (string | number)[], void, void> {
  yield COLUMNS;
  for (const { fuel, statistics, changes } of fuels) {
    const prices = [statistics.min, statistics.mean, statistics.max].map(csvPrice);
    const tank = tankCost(statistics.mean).toFixed(2);
    yield [dayText(day), COUNTRY, FUEL_NAME[fuel].ro, ...prices, ...changes.map(difference), tank];
  }
  for (const { slug, name, lowest } of citiesOn(day, CITIES_SHOWN, snapshot))
    for (const fuel of ROAD_FUELS) {
      const price = lowest.get(fuel);
      if (price === undefined) continue;
      const unknown = COLUMNS.slice(4).map(() => '');
      yield [dayText(day), cityName(slug, name, gazetteer), FUEL_NAME[fuel].ro, csvPrice(price), ...unknown];
    }
}

/** RON, signed, as a number: a text that begins with a minus would count as a formula. */
function difference(change: MilliPrice | null): number | string {
  return change === null ? '' : change / 1000;
}
