import type { NamedPlace } from './named-place.ts';
import { foldName, isLongerThanNames } from './place-names.ts';
import { alternateNames, spellingVariants } from './place-spellings.ts';
import { type SubstringIndex, substringIndex } from './substring-index.ts';

/** A query with fewer characters than this, trimmed, finds nothing. */
const MIN_QUERY_LENGTH = 2;

/**
 * Autocomplete (rule 15): the labels of the places whose name contains the query, most populous first. Alternative
 * names and older spellings (`Bucharest`, `Tîrgu Jiu`) are searched only if no name matches, so that `ar` finds Arad
 * and not "Bukarest"; last, the query is resolved as a whole (`Cluj-Napoca, CJ`). A query with a comma is matched
 * against `name county`. Places must come most populous first.
 */
export function placeSearch(
  places: readonly NamedPlace[],
  bestMatch: (text: string) => NamedPlace | undefined,
): (query: string, limit: number) => string[] {
  const names = substringIndex(places.map(({ key }) => [key]));
  const underOtherNames = substringIndex(places.map(({ place }) => alternateNames(place)));
  const withCounty = substringIndex(
    places.map(({ key, label, county }) => [foldName(label.includes(',') ? label : `${key} ${county}`)]),
  );
  return (query, limit) => {
    if (isLongerThanNames(query)) return [];
    const needle = foldName(query);
    if (query.trim().length < MIN_QUERY_LENGTH || needle.length < MIN_QUERY_LENGTH) return [];
    const indexes = query.includes(',') ? [withCounty] : [names, underOtherNames];
    const found = firstMatches(indexes, spellingVariants(needle), limit);
    if (found.length > 0) return found.map((index) => places[index]?.label ?? '');
    const meant = bestMatch(query);
    return meant ? [meant.label] : [];
  };
}

function firstMatches(indexes: readonly SubstringIndex[], needles: readonly string[], limit: number): number[] {
  for (const substrings of indexes) {
    for (const needle of needles) {
      const found = substrings(needle).take(limit).toArray();
      if (found.length > 0) return found;
    }
  }
  return [];
}
