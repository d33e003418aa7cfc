import type { NamedPlace } from './named-place.ts';
import { fold } from './place-names.ts';
import { otherNames, readings } from './place-spellings.ts';
import { type Haystack, haystack } from './substring-index.ts';

/** Below this many characters, trimmed, a query finds nothing. */
const MIN_QUERY_LENGTH = 2;

/**
 * Autocomplete (decision 15): the labels of the places whose name contains the query, most populous first. Only when no name does, other names
 * and older spellings are looked at (`Bucharest`, `Tîrgu Jiu`), so that `ar` finds Arad and not "Bukarest"; then what the query means
 * as a whole (`Cluj-Napoca, CJ`). A query with a comma is looked for in `name county`. Places must come most populous first.
 */
export function placeSearch(
  places: readonly NamedPlace[],
  meaningOf: (text: string) => NamedPlace | undefined,
): (query: string, limit: number) => string[] {
  const names = haystack(places.map(({ key }) => [key]));
  const underOtherNames = haystack(places.map(({ place }) => otherNames(place)));
  const withCounty = haystack(
    places.map(({ key, label, county }) => [fold(label.includes(',') ? label : `${key} ${county}`)]),
  );
  return (query, limit) => {
    const needle = fold(query);
    if (query.trim().length < MIN_QUERY_LENGTH || needle.length < MIN_QUERY_LENGTH) return [];
    const stacks = query.includes(',') ? [withCounty] : [names, underOtherNames];
    const found = firstFound(stacks, readings(needle), limit);
    if (found.length > 0) return found.map((index) => places[index]?.label ?? '');
    const meant = meaningOf(query);
    return meant ? [meant.label] : [];
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
