/** The file of all stations for code in browsers: made once per snapshot, the same for both languages. */
import { bucharestDay, dayNumber } from '../../../domain/days.ts';
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import type { PriceVerdict } from '../../../domain/prices/price-verdict.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import type { MapFile, MapPrice, MapRow } from '../../browser/map-stations.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { stationLookup } from '../../lookup/station-prices.ts';

/** About 10 m: less than half a pixel at the largest zoom. */
const COORDINATE_DECIMALS = 4;

/**
 * The file as texts that follow one another, a station each: the whole of ten times as many stations as today takes
 * a tenth of a second.
 */
export function* mapFileTexts({
  snapshot,
  gazetteer,
}: Pick<SiteData, 'snapshot' | 'gazetteer'>): Generator<string, void, void> {
  const networks = new NumberedNames();
  const places = new NumberedNames();
  const today = dayNumber(bucharestDay(snapshot.now));
  let separator = '{"stations":[';
  for (const { station, slug, verdicts } of stationLookup(snapshot).stations) {
    const { id, network, city, citySlug, suspectCoordinates } = station;
    const town = cityName(citySlug, city, gazetteer);
    const place = slug.slice(network.slug.length, -id.length).replaceAll(/^-|-$/g, '');
    const ofFuels = ROAD_FUELS.map((fuel) => verdicts.get(fuel));
    const row: MapRow = [
      id,
      suspectCoordinates ? null : rounded(station.lat),
      suspectCoordinates ? null : rounded(station.lng),
      networks.numberOf(network.slug, network.name),
      places.numberOf(place, town),
      ofFuels.map(mapPrice),
      ofFuels.map((verdict) => ageOf(verdict, today)),
    ];
    yield separator + JSON.stringify(row);
    separator = ',';
  }
  if (separator !== ',') yield separator;
  const lists: Omit<MapFile, 'stations'> = { networks: networks.names, places: places.names };
  yield `],${JSON.stringify(lists).slice(1)}`;
}

/** The largest age of a price in the file that counts, in days. */
export function greatestAge(snapshot: Snapshot): number {
  const today = bucharestDay(snapshot.now);
  const { oldestPrice } = stationLookup(snapshot);
  return oldestPrice === null ? 0 : Math.max(0, dayNumber(today) - dayNumber(oldestPrice));
}

function mapPrice(verdict: PriceVerdict | undefined): MapPrice {
  if (verdict === undefined) return null;
  return verdict.kind === 'trusted' ? verdict.price : verdict.kind;
}

/** Days; of an expired price when it was last confirmed, epoch seconds. */
function ageOf(verdict: PriceVerdict | undefined, today: number): number | null {
  if (verdict?.kind === 'expired') return Math.floor(verdict.lastConfirmedAt / 1000);
  if (verdict?.kind !== 'trusted' || verdict.fact.observed === null) return null;
  return Math.max(0, today - dayNumber(verdict.fact.observed.day));
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(COORDINATE_DECIMALS));
}

/** Slugs with their names, numbered in the order in which they come. */
class NumberedNames {
  readonly names: [slug: string, name: string][] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(slug: string, name: string): number {
    const key = `${slug} ${name}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.names.push([slug, name]);
    this.#numbers.set(key, this.names.length - 1);
    return this.names.length - 1;
  }
}
