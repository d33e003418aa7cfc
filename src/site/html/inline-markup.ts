/** The two kinds of inline markup that our texts use. */
import { type Html, html } from './html-template.ts';

/** A sentence with `code` in backticks and Markdown [links](to). */
export function inlineMarkup(text: string): Html[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, words, target] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    return words === undefined ? html`${part}` : html`<a href="${target}">${inlineMarkup(words)}</a>`;
  });
}
