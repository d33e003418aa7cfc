/** MOL's opening hours as a text: what is given and nothing else, equal days joined. */
import { cleanText, type Row } from '../feed/fields.ts';

const SEASONS = ['Summer', 'Winter'] as const;
/** The days of a key, from the first to the last. */
const DAYS = [
  ['WeekDay', 'luni', 'vineri'],
  ['Saturday', 'sâmbătă', 'sâmbătă'],
  ['Sunday', 'duminică', 'duminică'],
] as const;
const LONGEST_SPAN = 60;

type Run = { readonly from: string; to: string; readonly span: string; readonly last: number };

/**
 * `{openedSummerWeekDay: '06:00-22:00', …}` → `luni-vineri 06:00-22:00; sâmbătă-duminică 07:00-21:00`. Where winter differs
 * from summer both are told: `vara: …; iarna: …`. A season of which nothing is given is like the other. `''` without any.
 */
export function molHours(opened: Row): string {
  const [summer = '', winter = ''] = SEASONS.map((season) => seasonText(opened, season));
  if (summer === winter || winter === '') return summer;
  return summer === '' ? winter : `vara: ${summer}; iarna: ${winter}`;
}

function seasonText(opened: Row, season: (typeof SEASONS)[number]): string {
  const runs: Run[] = [];
  for (const [index, [key, from, to]] of DAYS.entries()) {
    const span = cleanText(opened[`opened${season}${key}`], LONGEST_SPAN + 1);
    if (span === '' || span.length > LONGEST_SPAN) continue;
    const before = runs.at(-1);
    if (before?.span === span && before.last === index - 1) runs[runs.length - 1] = { ...before, to, last: index };
    else runs.push({ from, to, span, last: index });
  }
  return runs.map(({ from, to, span }) => `${from === to ? from : `${from}-${to}`} ${span}`).join('; ');
}
