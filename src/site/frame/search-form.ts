/** The search form: leads to the page of results; with `search.ts` it also shows suggestions while somebody types. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import { type Html, html } from '../html/html-template.ts';
import { MAX_SEARCH_LENGTH } from '../lookup/search-text.ts';

export type SearchFormInput = {
  readonly language: Language;
  /** What is in the field already. */
  readonly text?: string;
  /** Whether it is the small one in the header. */
  readonly isCompact?: boolean;
};

const LABEL: LocalizedText = {
  ro: 'Caută un oraș, o benzinărie, o rețea sau un județ',
  en: 'Search for a city, station, network or county',
};
const HINT: LocalizedText = { ro: 'Oraș, adresă, rețea', en: 'City, address, network' };
const SEARCH: LocalizedText = { ro: 'Caută', en: 'Search' };
const SUGGESTIONS: LocalizedText = { ro: 'Sugestii', en: 'Suggestions' };

/** The form, as a landmark of its own. */
export function searchForm({ language, text = '', isCompact = false }: SearchFormInput): Html {
  const path = routePath('search', language);
  return html`<search><form class="search${isCompact ? ' compact' : ''}" action="${path}">
<label><span class="unseen">${LABEL[language]}</span><input type="search" name="q" value="${text}" placeholder="${HINT[language]}" maxlength="${MAX_SEARCH_LENGTH}" autocomplete="off" enterkeyhint="search"></label>
<button type="submit">${SEARCH[language]}</button>
<ul aria-label="${SUGGESTIONS[language]}" hidden></ul>
</form></search>`;
}
