/** What pages say, in both languages. */
import type { Language } from '../../domain/localized-text.ts';

/** A text, or a function that makes one, in both languages. */
export type Text<T> = Readonly<Record<Language, T>>;

/** Both languages of a text: one without the other does not compile. */
export function text<T>(ro: T, en: T): Text<T> {
  return { ro, en };
}
