/** What a visitor searches for in Germany: kept in the query, so that an address can be shared. */
import { GERMAN_RADIUS_KM, type GermanStation } from '../german-station.ts';
import type { Language } from '../localized-text.ts';
import { FUEL_PARAMETER } from './fuel-slug.ts';
import { routePath } from './routes.ts';

/** The fuels that the source has. */
export type GermanFuel = keyof Pick<GermanStation, 'e5' | 'e10' | 'diesel'>;

export type GermanChoices = {
  /** A town or a postcode as typed; '' = none. */
  readonly place: string;
  readonly fuel: GermanFuel;
  readonly radiusKm: number;
};

export const GERMAN_FUELS = ['e5', 'e10', 'diesel'] as const satisfies readonly GermanFuel[];
/** Few, so that searches for one town share an answer of the source. */
export const RADII_KM: readonly number[] = [5, 10, GERMAN_RADIUS_KM.defaultKm, GERMAN_RADIUS_KM.max];

/** Names of the query, the same in both languages. */
export const GERMAN_QUERY = { place: 'loc', fuel: FUEL_PARAMETER, radiusKm: 'raza' } as const;

/** Longer texts name no place. */
export const MAX_PLACE_CHARACTERS = 80;

/** The fuels as addresses write them. */
export const GERMAN_FUEL_SLUG: Readonly<Record<Language, Readonly<Record<GermanFuel, string>>>> = {
  ro: { e5: 'benzina', e10: 'e10', diesel: 'motorina' },
  en: { e5: 'petrol', e10: 'e10', diesel: 'diesel' },
};

/** The choices of an address without a query. */
export const USUAL_GERMAN: GermanChoices = { place: '', fuel: 'e5', radiusKm: GERMAN_RADIUS_KM.defaultKm };

/** The choices of a query, in the words of either language; what is missing or unknown is as usual. */
export function germanChoices(query: URLSearchParams): GermanChoices {
  const slug = query.get(GERMAN_QUERY.fuel);
  const radiusKm = Number(query.get(GERMAN_QUERY.radiusKm));
  return {
    place: (query.get(GERMAN_QUERY.place) ?? '').trim().slice(0, MAX_PLACE_CHARACTERS),
    fuel:
      GERMAN_FUELS.find((fuel) => [GERMAN_FUEL_SLUG.ro[fuel], GERMAN_FUEL_SLUG.en[fuel]].includes(slug ?? '')) ??
      USUAL_GERMAN.fuel,
    radiusKm: RADII_KM.includes(radiusKm) ? radiusKm : USUAL_GERMAN.radiusKm,
  };
}

/** The address of a search; without a place that of the form. */
export function germanPath({ place, fuel, radiusKm }: GermanChoices, language: Language): string {
  const path = routePath('germany', language);
  if (place === '') return path;
  const query = new URLSearchParams({ [GERMAN_QUERY.place]: place });
  if (fuel !== USUAL_GERMAN.fuel) query.set(GERMAN_QUERY.fuel, GERMAN_FUEL_SLUG[language][fuel]);
  if (radiusKm !== USUAL_GERMAN.radiusKm) query.set(GERMAN_QUERY.radiusKm, String(radiusKm));
  return `${path}?${query}`;
}
