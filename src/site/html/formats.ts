/** Numbers and times formatted for people. */
import type { MilliPrice } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';

const LOCALE: Readonly<Record<Language, string>> = { ro: 'ro-RO', en: 'en-GB' };

const MOMENT = new Intl.DateTimeFormat(LOCALE.ro, {
  timeZone: 'Europe/Bucharest',
  dateStyle: 'long',
  timeStyle: 'short',
});

/** RON per litre, without the unit: 9450 → `9,45` in Romanian; the third decimal only if it is not 0. */
export function formatRon(price: MilliPrice, language: Language): string {
  const format = new Intl.NumberFormat(LOCALE[language], { minimumFractionDigits: 2, maximumFractionDigits: 3 });
  return format.format(price / 1000);
}

/** An instant (epoch ms) as local time in Romania. */
export function formatBucharestTime(instant: number): string {
  return MOMENT.format(instant);
}

/** A whole number with thousands separators. */
export function formatCount(count: number, language: Language): string {
  return new Intl.NumberFormat(LOCALE[language]).format(count);
}
