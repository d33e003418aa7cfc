/** The towns of Germany by name and postcode: enough to search for the stations around one. */
import type { Point } from '../point.ts';
import { type County, countyLookup } from './county.ts';
import type { Locality } from './locality.ts';
import { namePlaces } from './named-place.ts';
import { placeParser } from './place-parser.ts';
import { placeResolver } from './place-resolve.ts';

/** A town as a typed text means it. */
export type GermanPlace = Point & {
  /** Unambiguous, and accepted by `findPlace`: "Passau", "Neustadt, Hessen"; with the postcode if one was typed. */
  readonly label: string;
};

export type GermanPlaces = {
  /** The town that a name or a postcode means, if any; every point of a town's postcodes is its centre. */
  findPlace(text: string): GermanPlace | undefined;
  /** The labels of other towns, at most five, with the name that a text begins with. */
  namesakesOf(text: string): readonly string[];
  /** The labels of at most five likely towns for a text that means none. */
  suggestPlaces(text: string): readonly string[];
};

const POSTCODE = /^\s*(?:D[ -]?)?(\d{4,5})(?!\d)/i;
const SUGGESTED_POSTCODES = 3;
const NAMESAKES = 5;

/**
 * Indexes the towns, most populous first.
 * @param townOf by postcode, five digits.
 */
export function createGermanPlaces(
  towns: readonly Locality[],
  states: readonly County[],
  townOf: ReadonlyMap<string, Locality>,
): GermanPlaces {
  const places = namePlaces(towns, states);
  const labels = new Map(places.map(({ place, label }) => [place, label]));
  const countyByName = countyLookup(states);
  const parser = placeParser({ places, unitOf: () => undefined, countyByName });
  const { findPlace, suggestPlaces } = placeResolver(places, parser);
  const found = ({ lat, lng }: Point, label: string): GermanPlace => ({ lat, lng, label });
  // A river in parentheses is part of the name: `Frankfurt (Oder)`. The parser finds a state without them, too.
  const townNamed = (text: string) => findPlace(text.replaceAll(/[()]/g, ' '));
  const byPostcode = (postcode: string): GermanPlace | undefined => {
    const town = townOf.get(postcode);
    return town && found(town, `${postcode} ${town.name}`);
  };
  return {
    findPlace: (text) => {
      const postcode = postcodeIn(text);
      if (postcode !== null) return byPostcode(postcode);
      const town = townNamed(text);
      return town && found(town, labels.get(town) ?? town.name);
    },
    namesakesOf: (text) => {
      const own = townNamed(text);
      const others = own === undefined ? [] : parser.namesakesOf(text).filter(({ place }) => place !== own);
      return [...new Set(others.map(({ label }) => label))].slice(0, NAMESAKES);
    },
    suggestPlaces: (text) => {
      const postcode = postcodeIn(text);
      if (postcode === null) return [...new Set(suggestPlaces(text))];
      return nearestNumbers(Number(postcode), [...townOf.keys()]).flatMap((each) => byPostcode(each)?.label ?? []);
    },
  };
}

/** `94032`, `D-94032 Passau`; the leading zero of `1067` may be missing. */
function postcodeIn(text: string): string | null {
  return POSTCODE.exec(text)?.[1]?.padStart(5, '0') ?? null;
}

function nearestNumbers(number: number, postcodes: readonly string[]): string[] {
  const apart = (postcode: string) => Math.abs(Number(postcode) - number);
  return postcodes.toSorted((a, b) => apart(a) - apart(b)).slice(0, SUGGESTED_POSTCODES);
}
