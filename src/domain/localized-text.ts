/** The two languages in which the service speaks to people, and texts that have both. */

export const LANGUAGES = ['ro', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One text in both languages: writing one without the other does not compile. */
export type LocalizedText = { readonly ro: string; readonly en: string };
