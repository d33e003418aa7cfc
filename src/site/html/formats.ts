/** Numbers and times formatted for people. */
import { type DayNumber, utcMidnight } from '../../domain/days.ts';
import type { MilliPrice } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { byLanguage } from './by-language.ts';

const ZONE = 'Europe/Bucharest';

const MOMENT = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: 'long', timeStyle: 'short' }),
);
const WEEKDAY_MOMENT = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: 'full', timeStyle: 'short' }),
);
const DAY = byLanguage((locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'long' }));
const SHORT_DAY = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' }),
);
const PRICE = byLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 3 }),
);
const EURO_PRICE = byLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 }),
);
const BANI = byLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const COUNT = byLanguage((locale) => new Intl.NumberFormat(locale));
const ONE_DECIMAL = byLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const MONEY = byLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 0, maximumFractionDigits: 0 }),
);

/** RON per litre, without the unit: 9450 → `9,45` in Romanian; the third decimal only if it is not 0. */
export function formatRon(price: MilliPrice, language: Language): string {
  return PRICE(language).format(price / 1000);
}

/** EUR per litre, without the unit, as German stations write it: 1609 → `1,609`. */
export function formatEur(price: MilliPrice, language: Language): string {
  return EURO_PRICE(language).format(price / 1000);
}

/** A difference of prices in bani, signed: 30 → `+3`, -15 → `−1,5`, 0 → `0`. */
export function formatBani(difference: MilliPrice, language: Language): string {
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  const bani = Math.abs(difference) / 10;
  return `${sign}${BANI(language).format(bani)}`;
}

/** The size of a file: 849 → `1 kB`, 5120000 → `5,1 MB`. */
export function formatBytes(bytes: number, language: Language): string {
  if (bytes < 1_000_000) return `${COUNT(language).format(Math.ceil(bytes / 1_000))} kB`;
  return `${ONE_DECIMAL(language).format(bytes / 1_000_000)} MB`;
}

/** Whole lei: 484,3 → `484`. */
export function formatLei(lei: number, language: Language): string {
  return MONEY(language).format(lei);
}

/** An instant (epoch ms) as local time in Romania. */
export function formatBucharestTime(instant: number, language: Language): string {
  return MOMENT(language).format(instant);
}

/** The same with its zone, for customers, who may be elsewhere: `25 noiembrie 2026 la 17:00 (ora României)`. */
export function formatZonedTime(instant: number, language: Language): string {
  return withZone(MOMENT(language).format(instant), language);
}

/** That with the day of the week, too, for what somebody must not miss. */
export function formatWeekdayTime(instant: number, language: Language): string {
  return withZone(WEEKDAY_MOMENT(language).format(instant), language);
}

const ZONE_NAME: Readonly<Record<Language, string>> = { ro: 'ora României', en: 'Romanian time' };
const withZone = (time: string, language: Language): string => `${time} (${ZONE_NAME[language]})`;

/** A calendar day: `22 noiembrie 2026`. */
export function formatDay(day: DayNumber, language: Language): string {
  return DAY(language).format(utcMidnight(day));
}

/** A calendar day of this year: `22 nov.`. */
export function formatShortDay(day: DayNumber, language: Language): string {
  return SHORT_DAY(language).format(utcMidnight(day));
}

/** Kilometres: 3.42 → `3,4 km`. */
export function formatKm(km: number, language: Language): string {
  return `${formatOneDecimal(km, language)} km`;
}

/** A number with one decimal: `4,3`. */
export function formatOneDecimal(value: number, language: Language): string {
  return ONE_DECIMAL(language).format(value);
}

/** A whole number with thousands separators. */
export function formatCount(count: number, language: Language): string {
  return COUNT(language).format(count);
}
