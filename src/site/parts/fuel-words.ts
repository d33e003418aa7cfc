/** How pages call the fuels: shorter than the contract, and in the cases that sentences need. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';

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
