/** Amounts of a journey in words: lei, litres, minutes. */
import type { Language } from '../../../domain/localized-text.ts';
import { byLanguage } from '../../html/by-language.ts';
import { counted, type Noun } from '../../html/counted.ts';
import { formatRon } from '../../html/formats.ts';

const LEI: Noun = { ro: { one: 'leu', many: 'lei' }, en: { one: 'leu', many: 'lei' } };
const LITRES: Noun = { ro: { one: 'litru', many: 'litri' }, en: { one: 'litre', many: 'litres' } };

const FRACTION = byLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));

/** Money: `12,40 lei`. */
export function leiText(lei: number, language: Language): string {
  return `${formatRon(Math.round(lei * 100) * 10, language)} lei`;
}

/** An amount as somebody typed it: `60 de lei`, `7,5 lei`. */
export function typedLeiText(lei: number, language: Language): string {
  return amountText(lei, LEI, language);
}

/** `50 de litri`, `45,5 litri`. */
export function litresText(litres: number, language: Language): string {
  return amountText(litres, LITRES, language);
}

/** `5 h 49 min`, `4 min`. */
export function minutesText(minutes: number): string {
  const whole = Math.round(minutes);
  const hours = Math.floor(whole / 60);
  return hours === 0 ? `${whole} min` : `${hours} h ${whole % 60} min`;
}

/** Fractions take the plural, and no "de" in Romanian. */
function amountText(amount: number, noun: Noun, language: Language): string {
  if (Number.isInteger(amount)) return counted(amount, noun, language);
  return `${FRACTION(language).format(amount)} ${noun[language].many}`;
}
