import type { County } from './county.ts';
import type { Locality } from './locality.ts';
import type { NamedPlace } from './named-place.ts';
import { foldName } from './place-names.ts';
import { alternateNames, spellingVariants } from './place-spellings.ts';

/** What the parser needs: places most populous first, the city of each one's unit, and the counties. */
export type PlaceParserOptions = {
  places: readonly NamedPlace[];
  unitOf: (place: Locality) => Locality | undefined;
  countyByName: (text: string) => County | undefined;
};

/** Parses place names typed by people. */
export type PlaceParser = {
  /** The place that a text means, if any. */
  bestMatch(text: string): NamedPlace | undefined;
  /** All places with the name at the start of a text, whatever follows it, most populous first. */
  namesakesOf(text: string): NamedPlace[];
};

const COUNTRY_BEHIND = /(?<=.) romania$/;
const SECTOR = /^sector(ul)? [1-6]$/;

/**
 * Parses `Name`, `Name, County`, `Name (CJ)`, `Name, Commune, County`, `Name County`; with or without diacritics,
 * abbreviated, under an older or alternative name, with its rank in front. Of several places it picks the most
 * populous. Everything after the name must fit: a known name with a wrong county matches nothing.
 */
export function placeParser({ places, unitOf, countyByName }: PlaceParserOptions): PlaceParser {
  const findByName = nameIndex(places);
  const inside = (place: Locality, qualifier: string): boolean =>
    SECTOR.test(qualifier)
      ? place.county === 'B'
      : countyByName(qualifier)?.code === place.county ||
        spellingVariants(qualifier).includes(foldName(place.commune ?? unitOf(place)?.name ?? ''));
  const qualified = (name: string, qualifiers: readonly string[]): NamedPlace | undefined => {
    const fitting = findByName(name).filter(({ place }) => qualifiers.every((qualifier) => inside(place, qualifier)));
    // `Bogata, Călărași` is a village of the county, not the larger one in the commune Călărași of Cluj.
    const county = countyByName(qualifiers.at(-1) ?? '')?.code;
    return fitting.find(({ place }) => place.county === county) ?? fitting[0];
  };
  return {
    namesakesOf: (text) => findByName(partsOf(text)[0] ?? ''),
    bestMatch: (text) => {
      const [name = '', ...qualifiers] = partsOf(text);
      return (
        qualified(name, qualifiers) ??
        (qualifiers.length > 0 ? undefined : firstOf([...countyBehind(name), ...countryBehind(name)], qualified))
      );
    },
  };
}

/** The folded parts of `Name, County` or `Name (County)`; a country at the end is ignored. */
function partsOf(text: string): string[] {
  const parts = text
    .split(/[,;()]/)
    .map(foldName)
    .filter(Boolean);
  return parts.filter((part, index) => index === 0 || (part !== 'romania' && part !== 'ro'));
}

/** `fantanele suceava`, `baia mare maramures`: takes the last one to three words as a county. */
function countyBehind(text: string): [name: string, qualifiers: string[]][] {
  const words = text.split(' ', 10);
  return [1, 2, 3]
    .filter((behind) => behind < words.length)
    .map((behind) => [words.slice(0, -behind).join(' '), [words.slice(-behind).join(' ')]]);
}

/** `cluj napoca romania`; tried last, since there is a village called `Valea Lungă Alba Romania`. */
function countryBehind(text: string): [name: string, qualifiers: string[]][] {
  return COUNTRY_BEHIND.test(text) ? [[text.replace(COUNTRY_BEHIND, ''), []]] : [];
}

function firstOf<A extends unknown[], T>(attempts: readonly A[], attempt: (...of: A) => T | undefined): T | undefined {
  for (const of of attempts) {
    const result = attempt(...of);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Finds places by folded name: first those with that name, then those with it as an older or alternative name. */
function nameIndex(places: readonly NamedPlace[]): (name: string) => NamedPlace[] {
  const byName = Map.groupBy(places, ({ key }) => key);
  const byOtherName = new Map<string, NamedPlace[]>();
  for (const named of places) {
    for (const other of new Set(alternateNames(named.place))) {
      const namesakes = byOtherName.get(other);
      if (namesakes) namesakes.push(named);
      else byOtherName.set(other, [named]);
    }
  }
  return (name) => {
    const known = spellingVariants(name);
    const found = [byName, byOtherName].flatMap((index) => known.flatMap((reading) => index.get(reading) ?? []));
    return [...new Set(found)];
  };
}
