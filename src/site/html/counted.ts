/** Counts with their noun, as the grammar of each language wants them. */

import type { MilliPrice } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { takesDe } from '../../domain/romanian-counts.ts';
import { formatBani, formatCount } from './formats.ts';

export type Noun = Readonly<Record<Language, { readonly one: string; readonly many: string }>>;

export const STATIONS: Noun = {
  ro: { one: 'benzinărie', many: 'benzinării' },
  en: { one: 'station', many: 'stations' },
};
export const CITIES: Noun = { ro: { one: 'localitate', many: 'localități' }, en: { one: 'place', many: 'places' } };
export const REQUESTS: Noun = { ro: { one: 'cerere', many: 'cereri' }, en: { one: 'request', many: 'requests' } };
export const PRICES: Noun = { ro: { one: 'preț', many: 'prețuri' }, en: { one: 'price', many: 'prices' } };
export const MINUTES: Noun = { ro: { one: 'minut', many: 'minute' }, en: { one: 'minute', many: 'minutes' } };
export const HOURS: Noun = { ro: { one: 'oră', many: 'ore' }, en: { one: 'hour', many: 'hours' } };
export const DAYS: Noun = { ro: { one: 'zi', many: 'zile' }, en: { one: 'day', many: 'days' } };
export const REVIEWS: Noun = { ro: { one: 'recenzie', many: 'recenzii' }, en: { one: 'review', many: 'reviews' } };
export const RESULTS: Noun = { ro: { one: 'rezultat', many: 'rezultate' }, en: { one: 'result', many: 'results' } };
export const STARS: Noun = { ro: { one: 'stea', many: 'stele' }, en: { one: 'star', many: 'stars' } };
/** Hundredths of a leu. */
export const BANI: Noun = { ro: { one: 'ban', many: 'bani' }, en: { one: 'ban', many: 'bani' } };

/**
 * `24 de benzinării`, `1 benzinărie`, `119 benzinării`; `24 stations`.
 */
export function counted(count: number, noun: Noun, language: Language): string {
  const { one, many } = noun[language];
  return `${formatCount(count, language)} ${language === 'ro' && takesDe(count) ? 'de ' : ''}${count === 1 ? one : many}`;
}

/** The same for titles, which leave "de" out: `24 benzinării`. */
export function countedShort(count: number, noun: Noun, language: Language): string {
  const { one, many } = noun[language];
  return `${formatCount(count, language)} ${count === 1 ? one : many}`;
}

/** A difference of prices with its sign: `+12 bani`, `−20 de bani`, `0 bani`. */
export function signedBani(difference: MilliPrice, language: Language): string {
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  return `${sign}${baniText(difference, language)}`;
}

/** A difference of prices without its sign: `12 bani`, `20 de bani`, `1,5 bani`. */
export function baniText(difference: MilliPrice, language: Language): string {
  const bani = Math.abs(difference) / 10;
  if (Number.isInteger(bani)) return counted(bani, BANI, language);
  return `${formatBani(Math.abs(difference), language).slice(1)} ${BANI[language].many}`;
}
