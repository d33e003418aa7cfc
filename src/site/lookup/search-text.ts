/** A typed search: the words to look for, and the fuel that it asks about. */
import type { RoadFuel } from '../../domain/fuel.ts';
import { foldName } from '../../domain/places/place-names.ts';

export type SearchText = {
  /** What was typed, within the limit. */
  readonly typed: string;
  /** The same without the words that only say that a price is wanted. */
  readonly place: string;
  /** Folded; at most `MAX_WORDS`. */
  readonly words: readonly string[];
  /** Petrol unless another fuel is named. */
  readonly fuel: RoadFuel;
  /** Whether a fuel is named. */
  readonly namesFuel: boolean;
};

/** Characters of a search; the rest is ignored. */
export const MAX_SEARCH_LENGTH = 60;
/** Characters without which nothing is searched. */
const MIN_SEARCH_LENGTH = 2;
/** Bounds the work for one search. */
const MAX_WORDS = 6;

const FUEL_WORDS: ReadonlyMap<string, RoadFuel> = new Map([
  ...['benzina', 'benzinei', 'petrol', 'gasoline'].map((word) => [word, 'petrol'] as const),
  ...['motorina', 'motorinei', 'diesel'].map((word) => [word, 'diesel'] as const),
  ...['gpl', 'lpg', 'autogaz'].map((word) => [word, 'lpg'] as const),
]);
const PREMIUM: Readonly<Partial<Record<RoadFuel, RoadFuel>>> = { petrol: 'petrol_premium', diesel: 'diesel_premium' };
const FILLER = new Set([
  ...['pret', 'preturi', 'pretul', 'preturile', 'carburant', 'carburanti', 'carburantilor', 'benzinarie', 'benzinarii'],
  ...['benzinaria', 'ieftin', 'ieftina', 'azi', 'in', 'price', 'prices', 'fuel', 'station', 'stations', 'cheap'],
  ...['cheapest', 'today', 'premium'],
]);

/** Reads what was typed; `null` = too little to search for. */
export function readSearchText(raw: string): SearchText | null {
  const typed = raw.trim().slice(0, MAX_SEARCH_LENGTH).trim();
  const parts = typed.split(/\s+/).map((part) => ({ part, folded: foldName(part) }));
  if (foldName(typed).length < MIN_SEARCH_LENGTH) return null;
  const named = parts.map(({ folded }) => FUEL_WORDS.get(folded)).find((fuel) => fuel !== undefined);
  const isPremium = parts.some(({ folded }) => folded === 'premium');
  const sought = parts.filter(({ folded }) => !FUEL_WORDS.has(folded) && !FILLER.has(folded));
  const place = sought.map(({ part }) => part).join(' ');
  const folded = foldName(place);
  return {
    typed,
    place,
    words: folded === '' ? [] : [...new Set(folded.split(' '))].slice(0, MAX_WORDS),
    fuel: (isPremium && PREMIUM[named ?? 'petrol']) || (named ?? 'petrol'),
    namesFuel: named !== undefined || isPremium,
  };
}
