/** The form that searches around a town in Germany, and links to searches around some. */
import type { Language } from '../../../domain/localized-text.ts';
import {
  GERMAN_FUEL_SLUG,
  GERMAN_FUELS,
  GERMAN_QUERY,
  type GermanChoices,
  germanPath,
  MAX_PLACE_CHARACTERS,
  RADII_KM,
  USUAL_GERMAN,
} from '../../../domain/pages/german-choices.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { type Html, html } from '../../html/html-template.ts';
import { SEARCH_TEXTS as TEXTS } from './german-search-texts.ts';
import { GERMAN_CITIES } from './germany-texts.ts';

/** The form, filled in with the choices. */
export function germanForm({ place, fuel, radiusKm }: GermanChoices, language: Language): Html {
  const option = (value: string | number, name: string, isSelected: boolean) =>
    html`<option value="${value}"${isSelected ? html` selected` : null}>${name}</option>`;
  return html`<form class="fields" action="${routePath('germany', language)}" method="get">
<label>${TEXTS.place[language]} <input type="text" name="${GERMAN_QUERY.place}" value="${place}" placeholder="${TEXTS.placeholder[language]}" maxlength="${MAX_PLACE_CHARACTERS}" autocomplete="off" required></label>
<label>${TEXTS.fuel[language]} <select name="${GERMAN_QUERY.fuel}">${GERMAN_FUELS.map((each) => option(GERMAN_FUEL_SLUG[language][each], TEXTS.fuels[each][language], each === fuel))}</select></label>
<label>${TEXTS.radius[language]} <select name="${GERMAN_QUERY.radiusKm}">${RADII_KM.map((km) => option(km, `${km} km`, km === radiusKm))}</select></label>
<button type="submit">${TEXTS.submit[language]}</button>
</form>`;
}

/** Programs that read the site shall not follow them: each may take a question to the source. */
export function cityLinks(language: Language): Html {
  return html`<ul class="columns">
${GERMAN_CITIES.map(({ name, town }) => html`<li><a href="${germanPath({ ...USUAL_GERMAN, place: town }, language)}" rel="nofollow">${name[language]}</a></li>\n`)}</ul>`;
}
