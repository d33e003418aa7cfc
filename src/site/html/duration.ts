/** Durations in words. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { counted, DAYS, HOURS, MINUTES } from './counted.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const UNDER_A_MINUTE: LocalizedText = { ro: 'mai puțin de un minut', en: 'less than a minute' };

/** `25 de minute`, `3 ore`, `2 zile`, rounded down; hours up to two days. */
export function durationInWords(ms: number, language: Language): string {
  if (ms < MINUTE_MS) return UNDER_A_MINUTE[language];
  if (ms < HOUR_MS) return counted(Math.floor(ms / MINUTE_MS), MINUTES, language);
  if (ms < 2 * DAY_MS) return counted(Math.floor(ms / HOUR_MS), HOURS, language);
  return counted(Math.floor(ms / DAY_MS), DAYS, language);
}
