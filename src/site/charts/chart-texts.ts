/** The words of the charts, and the sentence that describes a series to those who cannot see it. */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { type DayNumber, utcMidnight } from '../../domain/days.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { byLanguage } from '../html/by-language.ts';
import { formatDay, formatRon } from '../html/formats.ts';
import type { Period, PricePoint, SeriesSummary } from './price-series.ts';

export const CHART_TEXTS = {
  noPrices: { ro: 'Nu există niciun preț în această perioadă.', en: 'There is no price in this period.' },
  unit: { ro: 'lei/l', en: 'lei/l' },
  lowest: { ro: 'minim', en: 'low' },
  median: { ro: 'mediana lor', en: 'their median' },
  dailyValues: { ro: 'Valorile zilnice', en: 'Daily values' },
  monthlyValues: { ro: 'Valorile lunare', en: 'Monthly values' },
  monthlyNote: {
    ro: 'Ultimul preț din fiecare lună, în lei pe litru.',
    en: 'The last price of each month, in lei per litre.',
  },
  dailyNote: {
    ro: 'Prețuri în lei pe litru; zilele consecutive fără nicio schimbare apar pe un singur rând.',
    en: 'Prices in lei per litre; consecutive days without a change share a row.',
  },
  day: { ro: 'Ziua', en: 'Day' },
  month: { ro: 'Luna', en: 'Month' },
  change: { ro: 'Schimbare (bani)', en: 'Change (bani)' },
} as const satisfies Record<string, LocalizedText>;

/** "Minim 9,30 lei pe 18 septembrie 2026, maxim …, acum 9,67 lei." */
export function describeSeries(
  { lowest, highest, last }: SeriesSummary,
  { firstDay, length }: Period,
  language: Language,
): string {
  const words = DESCRIPTION[language];
  const on = ({ index, price }: PricePoint) =>
    words.priceOn(formatRon(price, language), formatDay(firstDay + index, language));
  const isCurrent = last.index === length - 1;
  const latest = isCurrent
    ? `${words.now} ${words.price(formatRon(last.price, language))}`
    : `${words.last} ${on(last)}`;
  return `${words.lowest} ${on(lowest)}, ${words.highest} ${on(highest)}, ${latest}.`;
}

const DESCRIPTION = {
  ro: {
    ...{ lowest: 'Minim', highest: 'maxim', now: 'acum', last: 'ultimul preț' },
    price: (ron: string) => `${ron} lei`,
    priceOn: (ron: string, day: string) => `${ron} lei pe ${day}`,
  },
  en: {
    ...{ lowest: 'Lowest', highest: 'highest', now: 'now', last: 'last known' },
    price: (ron: string) => `${ron} lei`,
    priceOn: (ron: string, day: string) => `${ron} lei on ${day}`,
  },
};

const SHORT_DAY = byLanguage((locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }));
const MONTH = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }),
);

/** Consecutive days, as briefly as the language allows: `18–22 nov. 2026`; one day: `22 nov. 2026`. */
export function formatDays(first: DayNumber, last: DayNumber, language: Language): string {
  const key = `${language} ${first} ${last}`;
  const known = ranges.get(key);
  if (known !== undefined) return known;
  const [start, end] = [utcMidnight(first), utcMidnight(last)];
  const text = first === last ? SHORT_DAY(language).format(start) : SHORT_DAY(language).formatRange(start, end);
  ranges.set(key, text);
  return text;
}

/** Formatting one takes some 50 µs, and the charts of one day share most of theirs. */
const ranges = new BoundedMap<string>(10_000);

/** The month of a day: `noiembrie 2026`. */
export function formatMonth(day: DayNumber, language: Language): string {
  return MONTH(language).format(utcMidnight(day));
}
