/** The sentences about one day that newspapers write by hand. */
import type { DayNumber } from '../../../domain/days.ts';
import type { MilliPrice } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { BANI, counted, STATIONS } from '../../html/counted.ts';
import { formatDay, formatRon } from '../../html/formats.ts';
import { fuelGenitive } from '../../parts/fuel-words.ts';
import type { Day, FuelDay } from './day-data.ts';

/** One sentence a fuel: its mean, the range, and how the mean moved. */
export function daySentence({ fuel, statistics, changes }: FuelDay, { day, isToday }: Day, language: Language): string {
  const [mean, min, max] = (['mean', 'min', 'max'] as const).map((figure) => formatRon(statistics[figure], language));
  const stations = counted(statistics.stations, STATIONS, language);
  const when = isToday ? { ro: 'Azi', en: 'Today' }[language] : onDay(day, language);
  const moved = movement(changes[0] ?? null, isToday, language);
  return language === 'ro'
    ? `${when}, prețul mediu al ${fuelGenitive(fuel, 'ro')} ${isToday ? 'este' : 'a fost'} de ${mean} lei pe litru (între ${min} și ${max} lei, ${stations})${moved}.`
    : `${when}, the average price of ${fuelGenitive(fuel, 'en')} ${isToday ? 'is' : 'was'} ${mean} lei per litre (between ${min} and ${max} lei, ${stations})${moved}.`;
}

/** A sentence about a record; `null` where the day has none. */
export function recordSentence({ fuel, record }: FuelDay, language: Language): string | null {
  if (record === null) return null;
  const words = {
    ro: { lowest: 'cel mai mic', highest: 'cel mai mare' },
    en: { lowest: 'the lowest', highest: 'the highest' },
  };
  return language === 'ro'
    ? `Este ${words.ro[record]} preț mediu al ${fuelGenitive(fuel, 'ro')} de când există măsurători.`
    : `It is ${words.en[record]} average price of ${fuelGenitive(fuel, 'en')} since records began.`;
}

function onDay(day: DayNumber, language: Language): string {
  return language === 'ro' ? `Pe ${formatDay(day, 'ro')}` : `On ${formatDay(day, 'en')}`;
}

function movement(change: MilliPrice | null, isToday: boolean, language: Language): string {
  if (change === null) return '';
  const before = isToday
    ? { ro: 'decât ieri', en: 'than yesterday' }
    : { ro: 'decât cu o zi înainte', en: 'than the day before' };
  if (change === 0)
    return {
      ro: `, la fel ca ${isToday ? 'ieri' : 'în ziua dinainte'}`,
      en: `, the same as ${isToday ? 'yesterday' : 'the day before'}`,
    }[language];
  const bani = counted(Math.abs(change) / 10, BANI, language);
  const word = { ro: change > 0 ? 'mai mult' : 'mai puțin', en: change > 0 ? 'more' : 'less' }[language];
  return `, ${language === 'ro' ? 'cu ' : ''}${bani} ${word} ${before[language]}`;
}
