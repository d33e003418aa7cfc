import { type Haystack, haystack } from './haystack.ts';
import type { Locality } from './locality.ts';
import { fold } from './place-names.ts';
import { olderSpelling, readings } from './place-spellings.ts';

/** Below this many characters, trimmed, a query finds nothing. */
export const MIN_QUERY_LENGTH = 2;

/** What the search needs to know of a place. */
type Listed = { place: Locality; label: string; county: string };

/**
 * Autocomplete (decision 15): the labels of the places whose name contains the query, most populous first. Only when no name does, other names
 * and older spellings are looked at (`Bucharest`, `Tîrgu Jiu`), so that `ar` finds Arad and not "Bukarest". A query with a comma is
 * looked for in `name county`. Places must come most populous first.
 */
export function placeSearch(listed: readonly Listed[]): (query: string, limit: number) => string[] {
  const names = haystack(listed.map(({ place }) => [fold(place.name)]));
  const otherNames = haystack(listed.map(({ place }) => [fold(olderSpelling(place.name)), ...place.alternates]));
  const withCounty = haystack(
    listed.map(({ label, county, place }) => [fold(label.includes(',') ? label : `${place.name} ${county}`)]),
  );
  const labels = listed.map(({ label }) => label);
  return (query, limit) => {
    const needle = fold(query);
    if (query.trim().length < MIN_QUERY_LENGTH || needle.length < MIN_QUERY_LENGTH) return [];
    const stacks = query.includes(',') ? [withCounty] : [names, otherNames];
    return firstFound(stacks, readings(needle), limit).map((index) => labels[index] ?? '');
  };
}

function firstFound(stacks: readonly Haystack[], needles: readonly string[], limit: number): number[] {
  for (const stack of stacks) {
    for (const needle of needles) {
      const found = stack(needle).take(limit).toArray();
      if (found.length > 0) return found;
    }
  }
  return [];
}
