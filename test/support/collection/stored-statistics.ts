/** The statistics that a database stores. */
import { type DayNumber, dayNumber, dayText } from '../../../src/domain/days.ts';
import { SCOPE_KINDS, type StatisticsLists } from '../../../src/domain/prices/day-statistics.ts';
import { readDayStatistics } from '../../../src/store/prices/day-statistics.ts';
import type { TestDatabase } from '../database/test-database.ts';

const FIRST = dayNumber('2020-01-01');
const LAST = dayNumber('2030-01-01');

/** All lists by day, kind and fuel, those without a price too. */
export async function storedStatistics({
  kysely,
}: TestDatabase): Promise<{ day: DayNumber; lists: StatisticsLists }[]> {
  const order = ({ day, lists }: { day: DayNumber; lists: StatisticsLists }) => `${day} ${lists.kind} ${lists.fuel}`;
  const rows = await readDayStatistics(kysely, FIRST, LAST, SCOPE_KINDS);
  return rows.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** `stations min max` of petrol in the country, by day; days without a trusted price have an empty text. */
export async function nationalPetrol(database: TestDatabase): Promise<Record<string, string>> {
  const ofDays = (await storedStatistics(database)).filter(
    ({ lists: { kind, fuel } }) => kind === 'national' && fuel === 'petrol',
  );
  return Object.fromEntries(
    ofDays.map(({ day, lists: { stations, min, max } }) => [
      dayText(day),
      stations.length === 0 ? '' : `${stations[0]} ${min[0]} ${max[0]}`,
    ]),
  );
}
