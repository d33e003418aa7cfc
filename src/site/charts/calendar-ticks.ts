/** The marks of the time axis: days, weeks, months, quarters or years, as the length of the period allows. */
import type { DayNumber } from '../../domain/days.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { Period } from './price-series.ts';

export type CalendarTick = {
  /** Days from the start of the period. */
  readonly index: number;
  readonly label: string;
  /** Whether a narrow screen has no room for the label. */
  readonly wideOnly: boolean;
};

type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };

/** Which days have a mark. */
type Rhythm = {
  readonly longestPeriod: number;
  readonly isMarked: (day: CalendarDay) => boolean;
  readonly hasRoomOnPhones: (day: CalendarDay) => boolean;
  readonly label: (day: CalendarDay, months: readonly string[]) => string;
};

const MONTHS: Readonly<Record<Language, readonly string[]>> = {
  ro: ['ian.', 'feb.', 'mar.', 'apr.', 'mai', 'iun.', 'iul.', 'aug.', 'sept.', 'oct.', 'nov.', 'dec.'],
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'],
};

const always = () => true;
const dayAndMonth: Rhythm['label'] = ({ day, month }, months) => `${day} ${months[month - 1]}`;
/** January is labelled with the year that begins. */
const monthOrYear: Rhythm['label'] = ({ month, year }, months) => (month === 1 ? `${year}` : `${months[month - 1]}`);

const RHYTHMS: readonly Rhythm[] = [
  { longestPeriod: 3, isMarked: always, hasRoomOnPhones: always, label: dayAndMonth },
  { longestPeriod: 6, isMarked: always, hasRoomOnPhones: ({ day }) => day % 2 === 0, label: dayAndMonth },
  { longestPeriod: 17, isMarked: always, hasRoomOnPhones: ({ day }) => day % 4 === 0, label: dayAndMonth },
  {
    longestPeriod: 45,
    isMarked: ({ day }) => [1, 8, 15, 22].includes(day),
    hasRoomOnPhones: ({ day }) => day === 1 || day === 15,
    label: dayAndMonth,
  },
  { longestPeriod: 130, isMarked: ({ day }) => day === 1, hasRoomOnPhones: always, label: monthOrYear },
  {
    longestPeriod: 400,
    isMarked: ({ day }) => day === 1,
    hasRoomOnPhones: ({ month }) => month % 3 === 1,
    label: monthOrYear,
  },
  {
    longestPeriod: 1100,
    isMarked: ({ day, month }) => day === 1 && month % 3 === 1,
    hasRoomOnPhones: ({ month }) => month === 1,
    label: monthOrYear,
  },
  {
    longestPeriod: Number.POSITIVE_INFINITY,
    isMarked: ({ day, month }) => day === 1 && month === 1,
    hasRoomOnPhones: ({ year }) => year % 2 === 0,
    label: monthOrYear,
  },
];

/** The marks of a period, oldest first. */
export function calendarTicks({ firstDay, length }: Period, language: Language): CalendarTick[] {
  const { isMarked, hasRoomOnPhones, label } = RHYTHMS.find(({ longestPeriod }) => length <= longestPeriod) as Rhythm;
  return Array.from({ length }, (_, index) => ({ index, date: calendarDay(firstDay + index) }))
    .filter(({ date }) => isMarked(date))
    .map(({ index, date }) => ({ index, label: label(date, MONTHS[language]), wideOnly: !hasRoomOnPhones(date) }));
}

function calendarDay(day: DayNumber): CalendarDay {
  const date = new Date(day * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
