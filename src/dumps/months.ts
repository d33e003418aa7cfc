/** Calendar months in Bucharest, as `YYYY-MM`. */
import { type DayNumber, dayNumber, dayText } from '../domain/days.ts';

/** Days after the end of a month until its files are final: late readings of its last days are in by then. */
const FINAL_AFTER_DAYS = 3;

/** The month of a day. */
export function monthOf(day: DayNumber): string {
  return dayText(day).slice(0, 7);
}

/** Its first day. */
export function firstDayOf(month: string): DayNumber {
  return dayNumber(`${month}-01`);
}

export function nextMonth(month: string): string {
  return monthOf(firstDayOf(month) + 31);
}

/** All months from one to another, both included. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month);
  return months;
}

/** Whether the files of a month never change again. */
export function isFinalMonth(month: string, today: DayNumber): boolean {
  return today >= firstDayOf(nextMonth(month)) + FINAL_AFTER_DAYS;
}

/** Whether a text is a month, such as `2026-03`. */
export function isMonth(text: string): boolean {
  return /^(20|21)\d\d-(0[1-9]|1[0-2])$/.test(text);
}
