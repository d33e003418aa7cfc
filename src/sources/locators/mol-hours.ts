/** MOL's opening hours as a text: only what is given, with equal days joined. */
import { cleanText, type FeedObject } from '../feed/fields.ts';

const SEASONS = ['Summer', 'Winter'] as const;
/** The first and last day that each key covers. */
const DAYS = [
  ['WeekDay', 'luni', 'vineri'],
  ['Saturday', 'sâmbătă', 'sâmbătă'],
  ['Sunday', 'duminică', 'duminică'],
] as const;
const MAX_SPAN_LENGTH = 60;

type DayRange = { readonly from: string; to: string; readonly span: string; readonly last: number };

/**
 * `{openedSummerWeekDay: '06:00-22:00', …}` → `luni-vineri 06:00-22:00; sâmbătă-duminică 07:00-21:00`. If winter
 * differs from summer it gives both: `vara: …; iarna: …`. A season without hours counts as equal to the other; `''`
 * without any.
 */
export function molHours(opened: FeedObject): string {
  const [summer = '', winter = ''] = SEASONS.map((season) => seasonText(opened, season));
  if (summer === winter || winter === '') return summer;
  return summer === '' ? winter : `vara: ${summer}; iarna: ${winter}`;
}

function seasonText(opened: FeedObject, season: (typeof SEASONS)[number]): string {
  const ranges: DayRange[] = [];
  for (const [index, [key, from, to]] of DAYS.entries()) {
    const span = cleanText(opened[`opened${season}${key}`], MAX_SPAN_LENGTH + 1);
    if (span === '' || span.length > MAX_SPAN_LENGTH) continue;
    const before = ranges.at(-1);
    if (before?.span === span && before.last === index - 1) ranges[ranges.length - 1] = { ...before, to, last: index };
    else ranges.push({ from, to, span, last: index });
  }
  return ranges.map(({ from, to, span }) => `${from === to ? from : `${from}-${to}`} ${span}`).join('; ');
}
