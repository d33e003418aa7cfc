/** MOL's products → our fuels. */
import type { Fuel } from '../../domain/fuel.ts';
import { foldName } from '../../domain/places/place-names.ts';
import { cleanText } from '../feed/fields.ts';

/** An entry of one of MOL's lists; the name is as sent. */
export type NamedEntry = { readonly id: string; readonly name: unknown };

/** By id (`EVO_100_PLUS`) or by name (`EVO 100 Plus`): both are equal once case and punctuation are removed. */
const FUEL_BY_NAME: ReadonlyMap<string, Fuel> = new Map([
  ...entriesFor('petrol', ['evo 95', 'evo 95 plus', 'natural 95', 'eurosuper 95', 'eurosuper 95 class plus']),
  ...entriesFor('petrol', ['maingrade 95', 'maingrade 95 plus', 'benzina evo 95']),
  ...entriesFor('petrol_premium', ['evo 100', 'evo 100 plus', 'eurosuper 100 class plus', 'premium gasoline']),
  ...entriesFor('petrol_premium', ['evo racing 102 plus', 'racing 102', 'mol racing fuel', 'benzina evo 100']),
  ...entriesFor('diesel', [
    'evo diesel',
    'diesel',
    'eurodiesel',
    'eurodiesel class plus',
    'maingrade diesel',
    'motorina evo d',
  ]),
  ...entriesFor('diesel', ['xxl diesel']),
  ...entriesFor('diesel_premium', [
    'evo diesel plus',
    'evo diesel plus winter diesel',
    'premium diesel',
    'motorina evo d plus',
  ]),
  ...entriesFor('lpg', ['lpg', 'autogas', 'autogaz', 'gpl']),
  ...entriesFor('adblue', ['adblue', 'ad blue', 'adblue dispenser available']),
]);
/** Products that MOL sells but this service does not cover. */
const IGNORED_PRODUCTS = new Set(['cng', 'lng', 'hvo', 'hvo100', 'e85', 'ev', 'electric charging']);

/**
 * The fuels a station sells: those in its list of fuels, and AdBlue if a service names it. If the list has no known
 * fuel: petrol and diesel, which every station sells. Calls `onUnknown` with each unknown name.
 */
export function readMolFuels(
  fuels: readonly NamedEntry[],
  services: readonly NamedEntry[],
  onUnknown: (name: string) => void,
): readonly Fuel[] {
  const known = fuels.map((one) => {
    const fuel = fuelOf(one);
    if (fuel === undefined && !IGNORED_PRODUCTS.has(normalizedName(one.id).split(' ')[0] ?? ''))
      onUnknown(one.id || normalizedName(one.name));
    return fuel;
  });
  const adblue = services.map(fuelOf).filter((fuel) => fuel === 'adblue');
  const sold = known.filter((fuel) => fuel !== undefined);
  return [...(sold.some((fuel) => fuel !== 'adblue') ? sold : (['petrol', 'diesel', ...sold] as const)), ...adblue];
}

function fuelOf({ id, name }: NamedEntry): Fuel | undefined {
  return FUEL_BY_NAME.get(normalizedName(id)) ?? FUEL_BY_NAME.get(normalizedName(name));
}

/** Drops the explanation in brackets: `EVO 100 Plus (GASOLINE PREMIUM)`. */
function normalizedName(value: unknown): string {
  return foldName(cleanText(value).replace(/\([^)]*\)/g, ' '));
}

function entriesFor(fuel: Fuel, names: readonly string[]): [string, Fuel][] {
  return names.map((name) => [name, fuel]);
}
