/** The two marks that our texts use within a sentence. */
import { type Html, html } from './html.ts';

/** A sentence with `code` in backticks and [links](to) in Markdown's way. */
export function inlineMarkup(text: string): Html[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, words, target] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    return words === undefined ? html`${part}` : html`<a href="${target}">${inlineMarkup(words)}</a>`;
  });
}
