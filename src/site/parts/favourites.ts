/** Favourites: the star on a page and the list on the home page; `favourites.ts` for browsers shows both. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { type Html, html } from '../html/html-template.ts';
import type { RememberedPage } from './alert-button.ts';

const ADD: LocalizedText = { ro: 'Adaugă la favorite', en: 'Add to favourites' };
const REMOVE: LocalizedText = { ro: 'Scoate din favorite', en: 'Remove from favourites' };
const HEADING: LocalizedText = { ro: 'Favoritele mele', en: 'My favourites' };

/** The star of a page; the page declares the module `favourites`. */
export function favouriteStar(page: RememberedPage, language: Language): Html {
  return html`<button type="button" class="star needs-code" data-page="${JSON.stringify(page)}" data-add="${ADD[language]}" data-remove="${REMOVE[language]}">☆ ${ADD[language]}</button>`;
}

/** The place of the list of favourites; the page declares the module `favourites`. */
export function favouritesList(language: Language): Html {
  return html`<section class="favourites" aria-labelledby="favorite" hidden>
<h2 id="favorite">${HEADING[language]}</h2>
<ul></ul>
</section>`;
}
