/** Favourites: the star on a page and the list on the home page; `favourites.ts` for browsers shows both. */
import { ROAD_FUELS } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { FavouriteSettings } from '../browser/favourite-prices.ts';
import { MAP_FILE_PATH } from '../browser/map-stations.ts';
import { type Html, html } from '../html/html-template.ts';
import type { RememberedPage } from './alert-button.ts';
import { fuelNameInText, MAIN_FUELS } from './fuel-words.ts';

const ADD: LocalizedText = { ro: 'Adaugă la favorite', en: 'Add to favourites' };
const REMOVE: LocalizedText = { ro: 'Scoate din favorite', en: 'Remove from favourites' };
const LIST = {
  heading: { ro: 'Favoritele mele', en: 'My favourites' },
  remove: { ro: 'Scoate', en: 'Remove' },
  /** For readers of screens: `%` is the page. */
  removeOne: { ro: 'Scoate %: nu mai este favorit', en: 'Remove % from favourites' },
  lowest: { ro: 'cel mai mic preț: ', en: 'lowest price: ' },
  none: { ro: 'niciun preț de încredere acum', en: 'no trusted price now' },
} as const satisfies Record<string, LocalizedText>;

/** The star of a page; the page declares the module `favourites`. */
export function favouriteStar(page: RememberedPage, language: Language): Html {
  return html`<button type="button" class="star needs-code" data-page="${JSON.stringify(page)}" data-add="${ADD[language]}" data-remove="${REMOVE[language]}">☆ ${ADD[language]}</button>`;
}

/** The place of the list of favourites with their prices; the page declares the module `favourites`. */
export function favouritesList(language: Language): Html {
  const settings: FavouriteSettings = {
    file: MAP_FILE_PATH,
    fuels: ROAD_FUELS.map((fuel) => (MAIN_FUELS.includes(fuel) ? fuelNameInText(fuel, language) : '')),
    texts: {
      ...{ remove: LIST.remove[language], removeOne: LIST.removeOne[language] },
      ...{ lowest: LIST.lowest[language], none: LIST.none[language] },
    },
  };
  return html`<section class="favourites" aria-labelledby="favorite" data-settings="${JSON.stringify(settings)}" hidden>
<h2 id="favorite">${LIST.heading[language]}</h2>
<ul></ul>
</section>`;
}
