/** Looks up the cities that a list names, each once. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { resolveCity } from '../feed/city.ts';

/**
 * An unknown name costs milliseconds, since the look-up searches for close spellings; this many are allowed per list.
 */
const MAX_UNKNOWN = 200;

export type CityLookup = {
  /** The slug of the locality; `null` = the county has no locality of that name. */
  slugOf(city: string, county: string): string | null;
};

export function createCityLookup(gazetteer: Gazetteer): CityLookup {
  const known = new Map<string, string | null>();
  let unknown = 0;
  return {
    slugOf(city, county) {
      const key = `${county}\n${city}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      if (unknown >= MAX_UNKNOWN) return null;
      const place = resolveCity(city, county, gazetteer);
      const slug = 'found' in place ? place.found.slug : null;
      if (slug === null) unknown += 1;
      known.set(key, slug);
      return slug;
    },
  };
}
