/** Which cities a request means by a name. */
import type { County } from '../../domain/places/county.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Caller } from './caller.ts';

/** Looks up the names of places. */
export type PlaceLookup = Pick<Gazetteer, 'countyByName' | 'findPlace' | 'localityBySlug' | 'cityOfUnit'>;

/** Looks up names, and those that somebody may have meant. */
export type PlaceNames = PlaceLookup & {
  /** The labels of likely places for a text that means none; none beyond the budget of suggestions. */
  readonly suggestPlaces: (text: string, caller: Caller) => readonly string[];
};

/** Looks up the cities of a snapshot. */
export type ServedCities = {
  /** The city with this slug, or all cities called so; none if no station is there. */
  citySlugs(name: string): readonly string[];
};

/**
 * The slugs of the cities that a text means: those of a snapshot, by slug or name, else the place that people mean by
 * it, of which stations count as its city's. `undefined` = no place is called so, in the county if there is one.
 */
export function namedCities(
  text: string,
  county: County | null,
  { served, places }: { readonly served: ServedCities; readonly places: PlaceLookup },
): readonly string[] | undefined {
  const known = served.citySlugs(text);
  if (known.length > 0) return known;
  const place = places.localityBySlug(text) ?? places.findPlace(county === null ? text : `${text}, ${county.name}`);
  if (place === undefined) return undefined;
  const city = place.siruta === null ? undefined : places.cityOfUnit(place.siruta);
  return [(city ?? place).slug];
}
