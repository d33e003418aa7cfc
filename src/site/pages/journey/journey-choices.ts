/** What a driver asks for besides the two places: kept in the query, so that an address can be shared. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG, fuelOfSlug } from '../../../domain/pages/fuel-slug.ts';
import type { RefuelTerms } from '../../../domain/roads/stop-saving.ts';

export type JourneyChoices = RefuelTerms & {
  readonly fuel: RoadFuel;
  /** How far from the road a station may be. */
  readonly radiusKm: number;
};

/** The choices of an address without a query. */
export const USUAL_CHOICES: JourneyChoices = {
  fuel: 'petrol',
  radiusKm: 5,
  litres: 50,
  litresPer100Km: 7,
  hourLei: null,
};

/** Names of the query, the same in both languages. */
export const QUERY_NAMES = {
  from: 'de',
  to: 'la',
  radiusKm: 'raza',
  fuel: 'tip',
  litres: 'litri',
  litresPer100Km: 'consum',
  hourLei: 'ora',
} as const;

/** The largest values; larger ones mean these. The first is the API's. */
export const MOST = { radiusKm: 15, litres: 1_000, litresPer100Km: 60, hourLei: 1_000 } as const;

type NumberName = keyof typeof MOST;
const NUMBER_NAMES = Object.keys(MOST) as NumberName[];

/** The choices of a query; what is missing or no number is as usual. */
export function choicesOf(query: URLSearchParams): JourneyChoices {
  const slug = query.get(QUERY_NAMES.fuel) ?? '';
  const numbers = NUMBER_NAMES.map((name) => [name, positiveNumber(query.get(QUERY_NAMES[name]), name)]);
  return { ...(Object.fromEntries(numbers) as Record<NumberName, number>), fuel: fuelIn(slug) };
}

/** The query of choices that are not the usual ones; empty if there are none. */
export function choicesQuery(choices: JourneyChoices, language: Language): string {
  const query = new URLSearchParams();
  if (choices.fuel !== USUAL_CHOICES.fuel) query.set(QUERY_NAMES.fuel, FUEL_SLUG[language][choices.fuel]);
  for (const name of NUMBER_NAMES)
    if (choices[name] !== USUAL_CHOICES[name]) query.set(QUERY_NAMES[name], String(choices[name]));
  return query.size === 0 ? '' : `?${query}`;
}

function fuelIn(slug: string): RoadFuel {
  return fuelOfSlug(slug, 'ro') ?? fuelOfSlug(slug, 'en') ?? USUAL_CHOICES.fuel;
}

/** Accepts the decimal comma. */
function positiveNumber(text: string | null, name: NumberName): number | null {
  const value = /^\s*\d{1,6}([.,]\d{1,3})?\s*$/.test(text ?? '') ? Number(text?.replace(',', '.')) : 0;
  return value > 0 ? Math.min(value, MOST[name]) : USUAL_CHOICES[name];
}
