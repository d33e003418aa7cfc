/** The file of all stations that the map in the browser reads: made once per snapshot, the same for both languages. */
import { bucharestDay, dayNumber } from '../../../domain/days.ts';
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import type { PriceVerdict } from '../../../domain/prices/price-verdict.ts';
import type { MapFile, MapPrice, MapRow } from '../../browser/map-stations.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { cityName } from '../../lookup/places.ts';
import { type StationPrices, stationLookup } from '../../lookup/station-prices.ts';

export const MAP_FILE_PATH = '/harta/statii.json';

/** About 10 m: less than half a pixel at the largest zoom. */
const COORDINATE_DECIMALS = 4;

/** The file. Stations whose coordinates cannot be right are left out: no mark could stand where they are. */
export function mapFile({ snapshot, gazetteer }: Pick<SiteData, 'snapshot' | 'gazetteer'>): MapFile {
  const networks = new NumberedNames();
  const places = new NumberedNames();
  const today = dayNumber(bucharestDay(snapshot.now));
  const shown = stationLookup(snapshot).stations.filter(({ station }) => !station.suspectCoordinates);
  const stations = shown.map(({ station, slug, verdicts }): MapRow => {
    const { id, network, city, citySlug } = station;
    const town = cityName(citySlug, city, gazetteer);
    const place = slug.slice(network.slug.length, -id.length).replaceAll(/^-|-$/g, '');
    const ofFuels = ROAD_FUELS.map((fuel) => verdicts.get(fuel));
    return [
      id,
      rounded(station.lat),
      rounded(station.lng),
      networks.numberOf(network.slug, network.name),
      places.numberOf(place, town),
      ofFuels.map(mapPrice),
      ofFuels.map((verdict) => ageInDays(verdict, today)),
    ];
  });
  return { networks: networks.names, places: places.names, stations };
}

/** The largest age of a price that counts, in days. */
export function greatestAge(stations: readonly StationPrices[], now: number): number {
  const today = dayNumber(bucharestDay(now));
  const ages = stations.flatMap(({ verdicts }) => ROAD_FUELS.map((fuel) => ageInDays(verdicts.get(fuel), today) ?? 0));
  return ages.reduce((greatest, age) => Math.max(greatest, age), 0);
}

function mapPrice(verdict: PriceVerdict | undefined): MapPrice {
  if (verdict === undefined) return null;
  return verdict.kind === 'trusted' ? verdict.price : verdict.kind;
}

function ageInDays(verdict: PriceVerdict | undefined, today: number): number | null {
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
