/** Fuels as page addresses write them, in each language. */
import { ROAD_FUELS, type RoadFuel } from '../fuel.ts';
import type { Language } from '../localized-text.ts';

export const FUEL_SLUG: Readonly<Record<Language, Readonly<Record<RoadFuel, string>>>> = {
  ro: {
    petrol: 'benzina',
    petrol_premium: 'benzina-premium',
    diesel: 'motorina',
    diesel_premium: 'motorina-premium',
    lpg: 'gpl',
  },
  en: {
    petrol: 'petrol',
    petrol_premium: 'premium-petrol',
    diesel: 'diesel',
    diesel_premium: 'premium-diesel',
    lpg: 'lpg',
  },
};

/** The fuel that an address names in a language; `undefined` = none. */
export function fuelOfSlug(slug: string, language: Language): RoadFuel | undefined {
  return ROAD_FUELS.find((fuel) => FUEL_SLUG[language][fuel] === slug);
}

/** The parameter of an address that chooses a fuel. */
export const FUEL_PARAMETER = 'tip';

/** The fuel that the query of an address chooses, in the words of either language; petrol without one. */
export function fuelOfQuery(query: URLSearchParams): RoadFuel {
  const slug = query.get(FUEL_PARAMETER) ?? '';
  return fuelOfSlug(slug, 'ro') ?? fuelOfSlug(slug, 'en') ?? 'petrol';
}

/** An address with the query that chooses a fuel; none for petrol. */
export function withFuelQuery(path: string, fuel: RoadFuel, language: Language): string {
  return fuel === 'petrol' ? path : `${path}?${FUEL_PARAMETER}=${FUEL_SLUG[language][fuel]}`;
}
