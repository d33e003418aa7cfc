/** MOL's opening hours as a text: what is given and nothing else, equal days joined. */
import { cleanText, type FeedObject } from '../feed/fields.ts';

const SEASONS = ['Summer', 'Winter'] as const;
/** The days of a key, from the first to the last. */
const DAYS = [
  ['WeekDay', 'luni', 'vineri'],
  ['Saturday', 'sâmbătă', 'sâmbătă'],
  ['Sunday', 'duminică', 'duminică'],
] as const;
const MAX_SPAN_LENGTH = 60;

type DayRange = { readonly from: string; to: string; readonly span: string; readonly last: number };

/**
 * `{openedSummerWeekDay: '06:00-22:00', …}` → `luni-vineri 06:00-22:00; sâmbătă-duminică 07:00-21:00`. Where winter differs
 * from summer both are told: `vara: …; iarna: …`. A season of which nothing is given is like the other. `''` without any.
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
