import type { County } from './county.ts';
import type { Locality } from './locality.ts';
import { fold } from './place-names.ts';
import { olderSpelling, readings } from './place-spellings.ts';
import { likeliest } from './spelling.ts';

/** The place that a text means, or that it means none, with the labels of those spelled most like it. */
export type Resolved = { found: Locality } | { unknown: true; nearest: string[] };

/** What resolving needs to know: places most populous first, what they are called, and the counties. */
export type PlaceBook = {
  localities: readonly Locality[];
  labelOf: (place: Locality) => string;
  unitOf: (place: Locality) => Locality | undefined;
  countyByName: (text: string) => County | undefined;
};

const SUGGESTIONS = 5;
/** No name is longer; a longer text is not compared letter by letter. */
const LONGEST_NAME = 40;
const SECTOR = /^sector(ul)? [1-6]$/;

/**
 * The reader of place names typed by people: `Name`, `Name, County`, `Name (CJ)`, `Name, Commune, County`, `Name County`; with or without
 * diacritics, abbreviated, under an older or other name, with its rank in front. Of several places the most populous. What stands after the
 * name must hold: a known name with a wrong county is unknown, and the places of that name are offered.
 */
export function placeResolver(book: PlaceBook): (text: string) => Resolved {
  const byName = groupByNames(book.localities, ({ name }) => [name]);
  const byOtherName = groupByNames(book.localities, ({ name, alternates }) => [olderSpelling(name), ...alternates]);
  const called = (name: string): Locality[] => {
    const known = readings(name);
    return [
      ...known.flatMap((reading) => byName.get(reading) ?? []),
      ...known.flatMap((reading) => byOtherName.get(reading) ?? []),
    ];
  };
  const matches = (place: Locality, qualifier: string): boolean =>
    SECTOR.test(qualifier)
      ? place.county === 'B'
      : book.countyByName(qualifier)?.code === place.county ||
        readings(qualifier).includes(fold(book.unitOf(place)?.name ?? ''));

  return (text) => {
    const [name = '', ...qualifiers] = partsOf(text);
    const places = called(name);
    const found =
      places.find((place) => qualifiers.every((qualifier) => matches(place, qualifier))) ??
      (qualifiers.length === 0 ? withCountyBehind(name, called, book.countyByName) : undefined);
    if (found) return { found };
    const nearest = places.length > 0 ? places : suggestions(name, byName);
    return { unknown: true, nearest: [...new Set(nearest)].slice(0, SUGGESTIONS).map(book.labelOf) };
  };
}

/** The folded parts of `Name, County` or `Name (County)`; a country at the end says nothing. */
function partsOf(text: string): string[] {
  const parts = text
    .split(/[,;()]/)
    .map(fold)
    .filter(Boolean);
  return parts.filter((part, index) => index === 0 || (part !== 'romania' && part !== 'ro'));
}

/** `Fantanele Suceava`, `Baia Mare Maramures`: the last one to three words as a county. */
function withCountyBehind(
  text: string,
  called: (name: string) => Locality[],
  countyByName: PlaceBook['countyByName'],
): Locality | undefined {
  const words = text.split(' ');
  for (let behind = 1; behind <= 3 && behind < words.length; behind++) {
    const county = countyByName(words.slice(-behind).join(' '));
    const place =
      county && called(words.slice(0, -behind).join(' ')).find((candidate) => candidate.county === county.code);
    if (place) return place;
  }
  return undefined;
}

/** The most populous place of each name spelled alike. */
function suggestions(name: string, byName: ReadonlyMap<string, Locality[]>): Locality[] {
  if (name === '' || name.length > LONGEST_NAME) return [];
  return likeliest(name, byName.keys(), SUGGESTIONS).flatMap((key) => byName.get(key)?.slice(0, 1) ?? []);
}

function groupByNames(
  localities: readonly Locality[],
  namesOf: (place: Locality) => readonly string[],
): Map<string, Locality[]> {
  const groups = new Map<string, Locality[]>();
  for (const place of localities) {
    for (const name of new Set(namesOf(place).map(fold))) groups.getOrInsertComputed(name, () => []).push(place);
  }
  return groups;
}
