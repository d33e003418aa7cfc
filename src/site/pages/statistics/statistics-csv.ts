/** A series of days as CSV (RFC 4180): one row a day and fuel. */
import { dayText } from '../../../domain/days.ts';
import { FUEL_NAME, ROAD_FUELS } from '../../../domain/fuel.ts';
import { STATISTICS_FILE_KINDS } from '../../../domain/pages/statistics-files.ts';
import { STATISTICS, type StatisticsScope } from '../../../domain/prices/day-statistics.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { csvLines, csvPrice } from '../../html/csv.ts';
import { countyBySlug } from '../../lookup/place-slugs.ts';

const COLUMNS = ['ziua', 'carburant', 'statii', 'minim', 'decila_1', 'mediana', 'mediu', 'decila_9', 'maxim'];

/** The lines of the file at an address; `null` = there is no such series. */
export function statisticsCsv(path: string, data: SiteData): Iterable<string> | null {
  const [, kind = '', slug = ''] =
    /^\/statistici\/(national|judet|retea|oras)(?:-([a-z0-9-]+))?\.csv$/.exec(path) ?? [];
  const scope = scopeOf(kind, slug, data);
  if (scope === null || ROAD_FUELS.every((fuel) => data.snapshot.statistics(scope, fuel).length === 0)) return null;
  return csvLines(rowsOf(scope, data));
}

function* rowsOf(scope: StatisticsScope, { snapshot }: SiteData): Generator<readonly (string | number)[], void, void> {
  yield COLUMNS;
  for (const fuel of ROAD_FUELS)
    for (const day of snapshot.statistics(scope, fuel)) {
      const figures = STATISTICS.map((figure) => (figure === 'stations' ? day[figure] : csvPrice(day[figure])));
      yield [dayText(day.day), FUEL_NAME[fuel].ro, ...figures];
    }
}

function scopeOf(kind: string, slug: string, { gazetteer }: SiteData): StatisticsScope | null {
  if (kind === STATISTICS_FILE_KINDS.national) return slug === '' ? 'national' : null;
  if (kind === STATISTICS_FILE_KINDS.network && slug !== '') return `network:${slug}`;
  if (kind === STATISTICS_FILE_KINDS.city && slug !== '') return `city:${slug}`;
  const county = kind === STATISTICS_FILE_KINDS.county && countyBySlug(slug, gazetteer);
  return county ? `county:${county.code}` : null;
}
