/** The two languages of the pages, and texts that have both. */
import { type Html, html } from './html.ts';

export type Language = 'ro' | 'en';

/** One text in both languages: writing one without the other does not compile. */
export type LocalizedText = { readonly ro: string; readonly en: string };

/** A sentence with the two marks our texts use: `code` in backticks, and [links](to) in Markdown's way. */
export function inlineMarkup(text: string): Html[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, words, target] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    return words === undefined ? html`${part}` : html`<a href="${target}">${inlineMarkup(words)}</a>`;
  });
}
