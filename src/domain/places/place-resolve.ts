import type { Locality } from './locality.ts';
import type { NamedPlace } from './named-place.ts';
import { foldName, isLongerThanNames } from './place-names.ts';
import type { PlaceParser } from './place-parser.ts';
import { alternateNames } from './place-spellings.ts';
import { SpellingIndex } from './spelling.ts';

/** The place that a text means, or the labels of likely ones if it means none. */
export type PlaceResolution = { found: Locality } | { unknown: true; nearest: string[] };

const SUGGESTIONS = 5;
/** Several may be of one place. */
const MOST_OTHER_NAMES = 20;
/** Longer than any name; a longer text is not compared letter by letter. */
const LONGEST_NAME = 40;

/** Resolves typed place names in two steps, of which the second costs more. */
export type PlaceResolver = {
  /** The place that a text means, if any. */
  findPlace(text: string): Locality | undefined;
  /** The labels of at most five likely places, for a text that means none. */
  suggestPlaces(text: string): string[];
};

/**
 * Suggests the places of the typed name (if only the county was wrong), else those spelled most like it, else those
 * whose name begins with it, else those with another name that differs from it by one edit (Cluj is one of
 * Cluj-Napoca's).
 */
export function placeResolver(places: readonly NamedPlace[], parser: PlaceParser): PlaceResolver {
  const firstOfName = new Map(places.toReversed().map((named) => [named.key, named]));
  const names = [...new Set(places.map(({ key }) => key))];
  const spellings = new SpellingIndex(names);
  const otherSpellings = new SpellingIndex(places.flatMap(({ place }) => alternateNames(place)));
  /** Foreign names are many and short: more edits would lead from anything to anywhere. */
  const alikeByOtherName = (name: string): NamedPlace[] => {
    const others = otherSpellings.closest(name, MOST_OTHER_NAMES, 1);
    return [...new Set(others.flatMap((other) => parser.namesakesOf(other)[0] ?? []))];
  };
  const alike = (name: string): NamedPlace[] => {
    if (name === '' || name.length > LONGEST_NAME) return [];
    const spelledAlike = spellings.closest(name, SUGGESTIONS);
    const likely = spelledAlike.length > 0 ? spelledAlike : names.filter((other) => other.startsWith(name));
    return likely.length > 0 ? likely.flatMap((other) => firstOfName.get(other) ?? []) : alikeByOtherName(name);
  };
  return {
    findPlace: (text) => (isLongerThanNames(text) ? undefined : parser.bestMatch(text)?.place),
    suggestPlaces: (text) => {
      if (isLongerThanNames(text)) return [];
      const namesakes = parser.namesakesOf(text);
      const nearest = namesakes.length > 0 ? namesakes : alike(foldName(text.split(/[,;(]/, 1)[0] ?? ''));
      return nearest.slice(0, SUGGESTIONS).map(({ label }) => label);
    },
  };
}
