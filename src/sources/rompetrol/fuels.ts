/** Rompetrol's product names → our fuels. */
import type { Fuel } from '../../domain/fuel.ts';
import { fold } from '../../domain/places/place-names.ts';

/** Words that say nothing of the kind: brand, norm, and the standard grade that goes without saying. */
const SAYS_NOTHING = new Set(['efix', 'euro', '5', '6', 'standard', 'fara', 'plumb', 'auto', 'carburant', 'r', 'r33']);

/** What is left of a name, words in alphabetical order. A name that is not here is counted, never guessed. */
const FUEL_OF: ReadonlyMap<string, Fuel> = new Map([
  ...each('petrol', ['95', '95 benzina', 'benzina']),
  ...each('petrol_premium', ['98', '98 benzina', '98 s', '98 benzina s', '98 super', '98 benzina super']),
  ...each('petrol_premium', ['98 premium', '98 benzina premium', 'benzina s', 'benzina premium']),
  ...each('petrol_premium', ['100', '100 benzina', '100 s', '100 benzina s']),
  ...each('diesel', ['diesel', 'motorina', '51 diesel', '51 motorina', '51', 'diesel motorina', '51 diesel motorina']),
  ...each('diesel_premium', ['diesel s', 'motorina s', '55 diesel s', '55 motorina s', '55 diesel', '55 motorina']),
  ...each('diesel_premium', ['diesel premium', 'motorina premium', '55 s', '55', 'diesel motorina s']),
  ...each('diesel_premium', ['55 diesel motorina s', '55 diesel super', '55 motorina super']),
  ...each('lpg', ['gpl', 'lpg', 'autogaz', 'autogas', 'gpl lpg']),
  ...each('adblue', ['adblue', 'ad blue']),
]);

/** The fuel that a product's name means, whatever the order of its words, case and diacritics; `null` when unknown. */
export function fuelOf(name: string): Fuel | null {
  const words = fold(name)
    .split(' ')
    .filter((word) => !SAYS_NOTHING.has(word));
  return FUEL_OF.get([...new Set(words)].sort().join(' ')) ?? null;
}

function each(fuel: Fuel, names: readonly string[]): [string, Fuel][] {
  return names.map((name) => [name, fuel]);
}
