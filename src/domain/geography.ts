import { type County, countyLookup, distanceOutsideCountyKm, insideCounty } from './county.ts';
import { labelsOf } from './labels.ts';
import type { Locality } from './locality.ts';
import { nearestLookup } from './nearest.ts';
import { placeResolver, type Resolved } from './place-resolve.ts';
import { MIN_QUERY_LENGTH, placeSearch } from './place-search.ts';
import { distanceKm, type Point } from './point.ts';

/** Everything that is known of Romania's places, in memory and indexed. Immutable. */
export type Gazetteer = {
  /** Most populous first. */
  readonly localities: readonly Locality[];
  /** By plate code. */
  readonly counties: readonly County[];
  /** The county that a text names (decision 11): name, plate code or alias, whatever the case and diacritics. */
  countyByName(text: string): County | undefined;
  /** The county of an exact plate code, e.g. `CJ`. */
  countyByCode(code: string): County | undefined;
  /** The localities of an administrative unit, most populous first; none for an unknown SIRUTA code. */
  citiesOf(siruta: number): readonly Locality[];
  /** The city that a unit's stations count for (decision 21): the unit's most populous locality. */
  cityOfUnit(siruta: number): Locality | undefined;
  /** The locality nearest to a point, however far. */
  nearestLocality(point: Point): Locality;
  /** The `k` nearest localities, nearest first. */
  nearestLocalities(point: Point, k: number): Locality[];
  localityBySlug(slug: string): Locality | undefined;
  /** How a locality is named to people so that `resolvePlace` gives it back: `Cluj-Napoca`, `Fântânele, Suceava`. */
  labelOf(place: Locality): string;
  /** Autocomplete (decision 15): labels of the localities whose name contains the query, most populous first; fewer than 2 characters: none. */
  search(query: string, limit?: number): string[];
  /** The locality that a typed text means; else the labels of those spelled most like it, at most five. */
  resolvePlace(text: string): Resolved;
  /** Whether the point is in Romania, with a tolerance at the border: see `OUTSIDE_ROMANIA`. */
  insideRomania(point: Point): boolean;
  /** Whether coordinates cannot be right (decision 29); without a declared county only places outside Romania are suspect. */
  suspectCoordinates(point: Point, declared: County | null): boolean;
};

/** As many as the contract allows. */
const SUGGESTIONS = 10;

/** Decision 29: this far outside the declared county, and the county absent among this many nearest localities. */
const OUTSIDE_COUNTY_KM = 1;
const NEIGHBOURS = 5;

/**
 * Abroad = more than `borderKm` outside every county *and* no locality within `localityKm`. The polygons alone cut off up to 2.8 km on the Danube's bends
 * (Corabia, Islaz, Liubcova), but people live there, so a locality is near. Ruse, Kladovo and Gyula are outside; what lies within 1 km
 * of the border line (Vidin's bank, Silistra) cannot be told.
 */
const OUTSIDE_ROMANIA = { borderKm: 1, localityKm: 3 };

/** Builds the gazetteer. `localities` must not be empty and come most populous first, as `geography/localities.json` has them. */
export function createGazetteer(localities: readonly Locality[], counties: readonly County[]): Gazetteer {
  const units = Map.groupBy(localities, ({ siruta }) => siruta);
  const nearest = nearestLookup(localities);
  return {
    localities,
    counties,
    ...countyBook(counties),
    ...nameBook(localities, counties, (siruta) => units.get(siruta)?.[0]),
    citiesOf: (siruta) => units.get(siruta) ?? [],
    cityOfUnit: (siruta) => units.get(siruta)?.[0],
    nearestLocalities: nearest,
    nearestLocality: (point) => only(nearest(point, 1)),
    ...border(counties, nearest),
  };
}

function countyBook(counties: readonly County[]): Pick<Gazetteer, 'countyByName' | 'countyByCode'> {
  const byCode = new Map(counties.map((county) => [county.code, county]));
  return { countyByName: countyLookup(counties), countyByCode: (code) => byCode.get(code) };
}

type Names = Pick<Gazetteer, 'localityBySlug' | 'labelOf' | 'search' | 'resolvePlace'>;

function nameBook(
  localities: readonly Locality[],
  counties: readonly County[],
  cityOfUnit: (siruta: number | null) => Locality | undefined,
): Names {
  const labels = labelsOf(localities, counties);
  const labelOf = (place: Locality): string => labels.get(place) ?? place.name;
  const bySlug = new Map(localities.map((place) => [place.slug, place]));
  const countyName = new Map(counties.map(({ code, name }) => [code, name]));
  const find = placeSearch(
    localities.map((place) => ({ place, label: labelOf(place), county: countyName.get(place.county) ?? '' })),
  );
  const resolvePlace = placeResolver({
    localities,
    labelOf,
    unitOf: ({ siruta }) => cityOfUnit(siruta),
    countyByName: countyLookup(counties),
  });
  return {
    localityBySlug: (slug) => bySlug.get(slug),
    labelOf,
    search: autocomplete(find, resolvePlace, labelOf),
    resolvePlace,
  };
}

/** A query that is no part of a name may still mean a place: `Cluj-Napoca, CJ`, `fantanele suceava`. */
function autocomplete(
  find: ReturnType<typeof placeSearch>,
  resolvePlace: Gazetteer['resolvePlace'],
  labelOf: Gazetteer['labelOf'],
): Gazetteer['search'] {
  return (query, limit = SUGGESTIONS) => {
    const found = find(query, limit);
    if (found.length > 0 || query.trim().length < MIN_QUERY_LENGTH) return found;
    const resolved = resolvePlace(query);
    return 'found' in resolved ? [labelOf(resolved.found)] : [];
  };
}

function border(
  counties: readonly County[],
  nearest: Gazetteer['nearestLocalities'],
): Pick<Gazetteer, 'insideRomania' | 'suspectCoordinates'> {
  const insideRomania = (point: Point): boolean =>
    counties.some((county) => insideCounty(point, county)) ||
    distanceKm(point, only(nearest(point, 1))) <= OUTSIDE_ROMANIA.localityKm ||
    counties.some((county) => distanceOutsideCountyKm(point, county) <= OUTSIDE_ROMANIA.borderKm);
  const farFromCounty = (point: Point, county: County): boolean =>
    distanceOutsideCountyKm(point, county) > OUTSIDE_COUNTY_KM &&
    nearest(point, NEIGHBOURS).every((place) => place.county !== county.code);
  return {
    insideRomania,
    suspectCoordinates: (point, declared) =>
      (declared !== null && farFromCounty(point, declared)) || !insideRomania(point),
  };
}

function only(places: readonly Locality[]): Locality {
  const [place] = places;
  if (!place) throw new Error('the gazetteer has no locality');
  return place;
}
