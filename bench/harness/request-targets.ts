/** Requests of the benchmarks: histories, repeated searches, and new searches. */
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { PriceHistory } from '../../src/snapshot/price-history.ts';
import { factsOf, syntheticCountry } from '../../test/support/builders/synthetic-country.ts';

const STATIONS_PATH = '/api/v1/statii';
/** Enough that the server has evicted each before it repeats. */
const NEW_POINTS = 10_000;

type SearchTargets = { readonly repeated: string[]; readonly new: string[]; readonly records: number };

/** Some stations, and points around the centre of the town whose 5 km hold closest to 60 records. */
export function benchRequestTargets(recordsInAll: number): { histories: string[]; search: SearchTargets } {
  const world = syntheticCountry(recordsInAll, Date.now());
  const gazetteer = loadGazetteer();
  const { records } = buildSnapshot({
    facts: factsOf(world),
    now: world.now,
    ranges: DEFAULT_RANGES,
    gazetteer,
    history: new PriceHistory(),
    inService: ['register'],
  });
  const stations = Map.groupBy(records, ({ station }) => station);
  const within = (lat: number, lng: number) =>
    [...stations].reduce((sum, [station, own]) => {
      const north = (station.lat - lat) * 111.2;
      const east = (station.lng - lng) * 111.2 * Math.cos((lat * Math.PI) / 180);
      return sum + (Math.hypot(north, east) <= 4.99 ? own.length : 0);
    }, 0);
  const towns = gazetteer.localities
    .slice(0, 100)
    .map(({ lat, lng }) => ({ lat, lng, records: within(lat, lng) }))
    .filter((town) => town.records <= 60)
    .sort((a, b) => b.records - a.records);
  const { lat, lng, records: count } = towns[0] as (typeof towns)[number];
  return {
    histories: world.sourceStations.slice(0, 500).map(({ station }) => `/api/v1/statie/${station}/istoric`),
    search: {
      repeated: searchesAround(lat, lng, 5, 100),
      new: searchesAround(lat, lng, 5, NEW_POINTS),
      records: count,
    },
  };
}

/** Searches of 50 km around the middle of the capital. */
export function searchesAroundBucharest(): string[] {
  return searchesAround(44.4325, 26.1039, 50, NEW_POINTS);
}

/** Searches around different points within about 100 m. */
function searchesAround(lat: number, lng: number, radiusKm: number, points: number): string[] {
  const side = Math.ceil(Math.sqrt(points));
  return Array.from({ length: points }, (_, index) => {
    const north = (lat + (Math.floor(index / side) / side - 0.5) * 0.002).toFixed(6);
    const east = (lng + ((index % side) / side - 0.5) * 0.002).toFixed(6);
    return `${STATIONS_PATH}?lat=${north}&lon=${east}&raza=${radiusKm}`;
  });
}
