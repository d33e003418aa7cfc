/** Days of rows in the order of time: those of one run or state share their instant, and calendars are slow. */
import { bucharestDay } from '../../domain/days.ts';

let known = { at: Number.NaN, day: '' };

/** The day in Bucharest of an instant, epoch ms. */
export function knownDay(at: number): string {
  if (known.at !== at) known = { at, day: bucharestDay(at) };
  return known.day;
}
