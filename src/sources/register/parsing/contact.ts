/** Parses opening hours and telephone from the register's single free text, `Non-Stop; Blueline: 0800 0800 11`. */
import { cleanText } from '../../feed/fields.ts';

export type Contact = { readonly hours: string | null; readonly phone: string | null };

/** Begins with 0 or `+` and has 9 to 14 digits, but does not start like opening hours, `06.00-`. */
const PHONE = /(?<![\d.:])(?!\d{1,2}[.:]\d{2}\s*[-–])(?:\+|0)\d(?:[ ./()-]{0,2}\d){7,12}(?![\d:])/;
const HOURS =
  /non[\s-]*stop|24\s*(?:\/|din|de|h\b|ore)|\d{1,2}[:.]\d{2}|\b\d{1,2}\s*[-–]\s*\d{1,2}\b|[iî]nchis|permanent/i;
const PHONE_LABEL = /[\s,]*(?:\b(?:tel|telefon|telefonul|blueline|call ?center|fax|mobil|contact)\b)?[.:,\s]*$/i;
const HOURS_LABEL = /^(?:program|orar)(?:ul)?\b(?:\s+de\s+\p{L}+)?\s*[:-]?\s*/iu;

/** Classifies the parts of the text; it drops those that are neither hours nor a telephone number. */
export function readContact(value: unknown): Contact {
  const hours: string[] = [];
  let phone: string | null = null;
  for (const part of String(typeof value === 'string' ? value : '')
    .slice(0, 1000)
    .split(/[;|\r\n]/)) {
    const text = cleanText(part);
    const found = PHONE.exec(text);
    phone ??= found?.[0].trim() ?? null;
    const rest = found
      ? `${text.slice(0, found.index).replace(PHONE_LABEL, '')} ${text.slice(found.index + found[0].length)}`
      : text;
    if (HOURS.test(rest))
      hours.push(
        rest
          .replace(HOURS_LABEL, '')
          .replace(/[\s,]+$/, '')
          .trim(),
      );
  }
  return { hours: hours.length === 0 ? null : cleanText(hours.join('; ')), phone };
}
