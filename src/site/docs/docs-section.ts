/** A section of the documentation that is not about a single endpoint. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { ApiDescription } from '../frame/api-description.ts';
import { type Html, html } from '../html/html-template.ts';
import { inlineMarkup } from '../html/inline-markup.ts';

export type DocsSection = {
  readonly id: string;
  readonly title: LocalizedText;
  readonly content: (language: Language, api: ApiDescription) => Html;
};

/**
 * The content of a section that is a list of sentences, with links and code as Markdown writes them. `texts` is called
 * for each page: the first formatted number takes 20 ms, which no start waits for.
 */
export const bulletList = (texts: () => readonly LocalizedText[]) => (language: Language) =>
  html`<ul>${texts().map((text) => html`<li>${inlineMarkup(text[language])}</li>\n`)}</ul>`;
