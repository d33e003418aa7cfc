/** The cities that a list names, each looked up once. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { cityOf } from '../feed/city.ts';

/** A name that is none costs milliseconds, since the nearest spellings are sought: after so many nobody looks further. */
const MOST_UNKNOWN = 200;

export type Cities = {
  /** The slug of the locality; `null` = there is none of that name in that county. */
  slugOf(city: string, county: string): string | null;
};

export function citiesOf(gazetteer: Gazetteer): Cities {
  const known = new Map<string, string | null>();
  let unknown = 0;
  return {
    slugOf(city, county) {
      const key = `${county}\n${city}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      if (unknown >= MOST_UNKNOWN) return null;
      const place = cityOf(city, county, gazetteer);
      const slug = 'found' in place ? place.found.slug : null;
      if (slug === null) unknown += 1;
      known.set(key, slug);
      return slug;
    },
  };
}
