/** Rompetrol's product names → our fuels. */
import type { Fuel } from '../../domain/fuel.ts';
import { foldName } from '../../domain/places/place-names.ts';

/** Words that do not identify the fuel: the brand, the norm, and the standard grade, which is implied. */
const IGNORED_WORDS = new Set(['efix', 'euro', '5', '6', 'standard', 'fara', 'plumb', 'auto', 'carburant', 'r', 'r33']);

/** Names without those words, the rest in alphabetical order. An unknown name is counted, never guessed. */
const FUEL_BY_NAME: ReadonlyMap<string, Fuel> = new Map([
  ...entriesFor('petrol', ['95', '95 benzina', 'benzina']),
  ...entriesFor('petrol_premium', ['98', '98 benzina', '98 s', '98 benzina s', '98 super', '98 benzina super']),
  ...entriesFor('petrol_premium', ['98 premium', '98 benzina premium', 'benzina s', 'benzina premium']),
  ...entriesFor('petrol_premium', ['100', '100 benzina', '100 s', '100 benzina s']),
  ...entriesFor('diesel', [
    'diesel',
    'motorina',
    '51 diesel',
    '51 motorina',
    '51',
    'diesel motorina',
    '51 diesel motorina',
  ]),
  ...entriesFor('diesel_premium', [
    'diesel s',
    'motorina s',
    '55 diesel s',
    '55 motorina s',
    '55 diesel',
    '55 motorina',
  ]),
  ...entriesFor('diesel_premium', ['diesel premium', 'motorina premium', '55 s', '55', 'diesel motorina s']),
  ...entriesFor('diesel_premium', ['55 diesel motorina s', '55 diesel super', '55 motorina super']),
  ...entriesFor('lpg', ['gpl', 'lpg', 'autogaz', 'autogas', 'gpl lpg']),
  ...entriesFor('adblue', ['adblue', 'ad blue']),
]);

/** Twice the longest name with all its words; bounds the work for a name. */
const MAX_NAME_LENGTH = 100;

/** The fuel that a product's name means, whatever the order of its words, case and diacritics; `null` when unknown. */
export function fuelOfName(name: string): Fuel | null {
  if (name.length > MAX_NAME_LENGTH) return null;
  const words = foldName(name)
    .split(' ')
    .filter((word) => !IGNORED_WORDS.has(word));
  return FUEL_BY_NAME.get([...new Set(words)].sort().join(' ')) ?? null;
}

function entriesFor(fuel: Fuel, names: readonly string[]): [string, Fuel][] {
  return names.map((name) => [name, fuel]);
}
