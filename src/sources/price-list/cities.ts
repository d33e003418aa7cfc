/** The cities that a list names, each looked up once. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { resolveCity } from '../feed/city.ts';

/** A name that is none costs milliseconds, since the nearest spellings are sought: after so many nobody looks further. */
const MAX_UNKNOWN = 200;

export type CityLookup = {
  /** The slug of the locality; `null` = there is none of that name in that county. */
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
