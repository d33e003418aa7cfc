import type { Locality } from './locality.ts';
import type { NamedPlace } from './named-place.ts';
import { foldName } from './place-names.ts';
import type { PlaceParser } from './place-parser.ts';
import { closestSpellings } from './spelling.ts';

/** The place that a text means, or the labels of likely ones if it means none. */
export type PlaceResolution = { found: Locality } | { unknown: true; nearest: string[] };

const SUGGESTIONS = 5;
/** Longer than any name; a longer text is not compared letter by letter. */
const LONGEST_NAME = 40;
/** Twice the longest label with all its qualifiers; a longer text is rejected unparsed, which bounds the work. */
const LONGEST_TEXT = 200;

/**
 * Resolves a typed place name. When nothing matches, suggests the places of that name (if only the county was wrong),
 * else those spelled most like it, else those whose name begins with it.
 */
export function placeResolver(places: readonly NamedPlace[], parser: PlaceParser): (text: string) => PlaceResolution {
  const firstOfName = new Map(places.toReversed().map((named) => [named.key, named]));
  const names = [...new Set(places.map(({ key }) => key))];
  const alike = (name: string): NamedPlace[] => {
    if (name === '' || name.length > LONGEST_NAME) return [];
    const spelledAlike = closestSpellings(name, names, SUGGESTIONS);
    const likely = spelledAlike.length > 0 ? spelledAlike : names.filter((other) => other.startsWith(name));
    return likely.flatMap((other) => firstOfName.get(other) ?? []);
  };
  return (text) => {
    if (text.length > LONGEST_TEXT) return { unknown: true, nearest: [] };
    const meant = parser.bestMatch(text);
    if (meant) return { found: meant.place };
    const namesakes = parser.namesakesOf(text);
    const nearest = namesakes.length > 0 ? namesakes : alike(foldName(text.split(/[,;(]/, 1)[0] ?? ''));
    return { unknown: true, nearest: nearest.slice(0, SUGGESTIONS).map(({ label }) => label) };
  };
}
