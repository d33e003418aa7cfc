/** Formatters of the languages of the site. */
import type { Language } from '../../domain/localized-text.ts';

const LOCALE: Readonly<Record<Language, string>> = { ro: 'ro-RO', en: 'en-GB' };

/** Makes the formatter of each language at its first use: all of them take 20 to 40 ms, which no start waits for. */
export function byLanguage<T>(make: (locale: string) => T): (language: Language) => T {
  const made: Partial<Record<Language, T>> = {};
  return (language) => {
    made[language] ??= make(LOCALE[language]);
    return made[language];
  };
}
