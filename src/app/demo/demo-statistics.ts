/**
 * The demo's statistics before its daily prices: computed from the simulated country and stored without the prices, two
 * million of which would make the first start slow. Pages show prices of single stations for 90 days only.
 */
import type { DayNumber } from '../../domain/days.ts';
import { FUELS, type MilliPrice } from '../../domain/fuel.ts';
import { describeStations } from '../../domain/stations/source-station.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { historyDays } from '../../simulation/country/simulated-history.ts';
import { aggregateDay, type TrustedStation } from '../../snapshot/aggregate-day.ts';
import { createStationPlacer } from '../../snapshot/station-placer.ts';
import { firstDayOfStatistics, writeDayStatistics } from '../../store/prices/day-statistics.ts';
import { completePublication, lockPublication, publicationTransaction } from '../../store/prices/publication.ts';
import { loadSourceStations } from '../../store/prices/stations.ts';
import type { DemoDependencies } from './demo-data.ts';

type Dependencies = Pick<DemoDependencies, 'country' | 'database' | 'signal' | 'log'>;

/** Days known when the data folder is made, that day included: enough to compare today with the same day a year ago. */
const DAYS = 367;
/** Days in one publication: about half a second's work. */
const DAYS_AT_ONCE = 10;

/**
 * Publishes the statistics of a year, latest days first; a start that was interrupted is continued. Rejects soon after
 * `signal` is aborted.
 */
export async function fillYearOfStatistics(dependencies: Dependencies): Promise<void> {
  const { country, database, log } = dependencies;
  const begin = country.epochDay - DAYS + 1;
  let first = (await firstDayOfStatistics(database.kysely)) ?? country.epochDay;
  if (first <= begin) return;
  while (first > begin) {
    const from = Math.max(begin, first - DAYS_AT_ONCE);
    await publishDays(dependencies, from, first - 1);
    first = from;
  }
  log.info('the statistics of a year are in place');
}

async function publishDays({ country, database, signal }: Dependencies, from: DayNumber, to: DayNumber): Promise<void> {
  const place = createStationPlacer(loadGazetteer());
  await publicationTransaction(database.kysely, async (tx) => {
    await lockPublication(tx);
    const sourceStations = await loadSourceStations(tx);
    const ids = new Map(
      sourceStations.filter(({ source }) => source === 'register').map(({ key, station }) => [key, station]),
    );
    const placed = new Map(describeStations(sourceStations).map((one) => [one.id, place(one).served]));
    const days = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    for (const day of days) {
      signal.throwIfAborted();
      const stations = new Map<string, TrustedStation & { readonly prices: (MilliPrice | null)[] }>();
      for (const { station: id, fuel, price, doubtful } of historyDays(country, day, day, (key) => ids.get(key))) {
        const station = placed.get(id);
        if (doubtful || station === undefined) continue;
        const known = stations.get(id) ?? { station, prices: FUELS.map(() => null) };
        known.prices[FUELS.indexOf(fuel)] = price;
        stations.set(id, known);
      }
      await writeDayStatistics(tx, day, aggregateDay([...stations.values()]));
    }
    await completePublication(tx, { publishedAt: null, updatedAt: null, changedDays: days });
  });
}
