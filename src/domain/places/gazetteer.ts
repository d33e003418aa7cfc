import type { Point } from '../point.ts';
import { type County, countyLookup } from './county.ts';
import { type BorderChecks, createBorderChecks } from './county-check.ts';
import type { Locality } from './locality.ts';
import { namePlaces } from './named-place.ts';
import { nearbyCheck, nearestLookup } from './nearest.ts';
import { placeParser } from './place-parser.ts';
import { type PlaceResolution, type PlaceResolver, placeResolver } from './place-resolve.ts';
import { placeSearch } from './place-search.ts';

/** Romania's places and counties, in memory and indexed. Immutable. */
export type Gazetteer = LocalityIndex & PlaceNameIndex & BorderChecks;

type LocalityIndex = {
  /** Most populous first. */
  readonly localities: readonly Locality[];
  /** By plate code. */
  readonly counties: readonly County[];
  /** The county that a text names (rule 11): name, plate code or alias; case and diacritics do not matter. */
  countyByName(text: string): County | undefined;
  /** The county of an exact plate code, e.g. `CJ`. */
  countyByCode(code: string): County | undefined;
  /** The localities of an administrative unit, most populous first; none for an unknown SIRUTA code. */
  citiesOf(siruta: number): readonly Locality[];
  /** The city to which a unit's stations belong (rule 21): the unit's most populous locality. */
  cityOfUnit(siruta: number): Locality | undefined;
  /** The locality nearest to a point, however far. */
  nearestLocality(point: Point): Locality;
  /** Whether a locality is at most `km` from a point. */
  hasLocalityWithin(point: Point, km: number): boolean;
  /** The `k` nearest localities, nearest first. */
  nearestLocalities(point: Point, k: number): Locality[];
};

type PlaceNameIndex = PlaceResolver & {
  localityBySlug(slug: string): Locality | undefined;
  /** The unambiguous name of a locality, which `resolvePlace` accepts: `Cluj-Napoca`, `Fântânele, Suceava`. */
  labelOf(place: Locality): string;
  /**
   * Autocomplete (rule 15): labels of the localities whose name contains the query, most populous first, at most
   * `limit` (10). A query of fewer than 2 characters finds nothing. `resolvePlace` accepts every label.
   */
  search(query: string, limit?: number): string[];
  /** The locality that a typed text means; else the labels of at most five likely ones. */
  resolvePlace(text: string): PlaceResolution;
};

/** The number of search results that the contract allows. */
export const SEARCH_LIMIT = 10;

/**
 * Builds the gazetteer. `localities` must come most populous first, as in `geography/localities.json`. Throws if there
 * is none.
 */
export function createGazetteer(localities: readonly Locality[], counties: readonly County[]): Gazetteer {
  const [largest] = localities;
  if (!largest) throw new Error('a gazetteer needs at least one locality');
  const units = Map.groupBy(localities, ({ siruta }) => siruta);
  const countyByCode = new Map(counties.map((county) => [county.code, county]));
  const countyByName = countyLookup(counties);
  const nearest = nearestLookup(localities);
  const cityOf = (siruta: number | null): Locality | undefined =>
    siruta === null ? undefined : units.get(siruta)?.[0];
  return {
    localities,
    counties,
    countyByName,
    countyByCode: (code) => countyByCode.get(code),
    citiesOf: (siruta) => units.get(siruta) ?? [],
    cityOfUnit: cityOf,
    nearestLocalities: nearest,
    hasLocalityWithin: nearbyCheck(localities),
    nearestLocality: (point) => nearest(point, 1)[0] ?? largest,
    ...onFirstUse(() => createNameIndex(localities, counties, countyByName, ({ siruta }) => cityOf(siruta))),
    ...createBorderChecks(counties, nearest),
  };
}

/** An index by names that is built when a name is first looked up: the prices that a server answers first need none. */
function onFirstUse(create: () => PlaceNameIndex): PlaceNameIndex {
  let created: PlaceNameIndex | undefined;
  const index = () => {
    created ??= create();
    return created;
  };
  return {
    localityBySlug: (slug) => index().localityBySlug(slug),
    labelOf: (place) => index().labelOf(place),
    search: (query, limit) => index().search(query, limit),
    resolvePlace: (text) => index().resolvePlace(text),
    findPlace: (text) => index().findPlace(text),
    suggestPlaces: (text) => index().suggestPlaces(text),
  };
}

function createNameIndex(
  localities: readonly Locality[],
  counties: readonly County[],
  countyByName: LocalityIndex['countyByName'],
  unitOf: (place: Locality) => Locality | undefined,
): PlaceNameIndex {
  const places = namePlaces(localities, counties);
  const labels = new Map(places.map(({ place, label }) => [place, label]));
  const bySlug = new Map(localities.map((place) => [place.slug, place]));
  const parser = placeParser({ places, unitOf, countyByName });
  const resolver = placeResolver(places, parser);
  const find = placeSearch(places, parser.bestMatch);
  return {
    localityBySlug: (slug) => bySlug.get(slug),
    labelOf: (place) => labels.get(place) ?? place.name,
    search: (query, limit = SEARCH_LIMIT) => find(query, limit),
    ...resolver,
    resolvePlace: (text) => {
      const found = resolver.findPlace(text);
      return found === undefined ? { unknown: true, nearest: resolver.suggestPlaces(text) } : { found };
    },
  };
}
