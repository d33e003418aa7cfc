/** How pages call the fuels: shorter than the contract, and in the cases that sentences need. */
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { formatRon } from '../html/formats.ts';

/** The fuels of short tables and sentences. */
export const MAIN_FUELS: readonly RoadFuel[] = ['petrol', 'diesel', 'lpg'];

type FuelWords = {
  /** `Benzină`. */
  readonly name: LocalizedText;
  /** `benzina`, as the subject of a sentence. */
  readonly subject: LocalizedText;
  /** `benzinei`: "the price of …". */
  readonly genitive: LocalizedText;
};

const WORDS: Readonly<Record<RoadFuel, FuelWords>> = {
  petrol: {
    name: { ro: 'Benzină', en: 'Petrol' },
    subject: { ro: 'benzina', en: 'petrol' },
    genitive: { ro: 'benzinei', en: 'petrol' },
  },
  petrol_premium: {
    name: { ro: 'Benzină premium', en: 'Premium petrol' },
    subject: { ro: 'benzina premium', en: 'premium petrol' },
    genitive: { ro: 'benzinei premium', en: 'premium petrol' },
  },
  diesel: {
    name: { ro: 'Motorină', en: 'Diesel' },
    subject: { ro: 'motorina', en: 'diesel' },
    genitive: { ro: 'motorinei', en: 'diesel' },
  },
  diesel_premium: {
    name: { ro: 'Motorină premium', en: 'Premium diesel' },
    subject: { ro: 'motorina premium', en: 'premium diesel' },
    genitive: { ro: 'motorinei premium', en: 'premium diesel' },
  },
  lpg: {
    name: { ro: 'GPL', en: 'LPG' },
    subject: { ro: 'GPL-ul', en: 'LPG' },
    genitive: { ro: 'GPL-ului', en: 'LPG' },
  },
};

/** `Benzină`. */
export const fuelName = (fuel: RoadFuel, language: Language): string => WORDS[fuel].name[language];

/** `benzină`, inside a sentence or a title; an abbreviation stays in capitals. */
export const fuelNameInText = (fuel: RoadFuel, language: Language): string =>
  fuel === 'lpg' ? fuelName(fuel, language) : fuelName(fuel, language).toLowerCase();

/** `benzina`. */
export const fuelAsSubject = (fuel: RoadFuel, language: Language): string => WORDS[fuel].subject[language];

/** `benzinei`. */
export const fuelGenitive = (fuel: RoadFuel, language: Language): string => WORDS[fuel].genitive[language];

/** `benzină 9,59, motorină 10,02`; a fuel without a price is left out, and the list is empty where none has one. */
export function pricesInWords(
  fuels: readonly RoadFuel[],
  priceOf: (fuel: RoadFuel) => MilliPrice | null | undefined,
  language: Language,
): string {
  const known = fuels.flatMap((fuel) => {
    const price = priceOf(fuel) ?? null;
    return price === null ? [] : [`${fuelNameInText(fuel, language)} ${formatRon(price, language)}`];
  });
  return known.join(', ');
}
