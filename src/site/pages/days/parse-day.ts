/** The day in an address. */
import { type DayNumber, dayNumber, dayText } from '../../../domain/days.ts';

/** `2026-11-22`; `null` = no day is written so. */
export function parseDay(text: string): DayNumber | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const day = dayNumber(text);
  return Number.isFinite(day) && dayText(day) === text ? day : null;
}
