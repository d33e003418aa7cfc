/** The form that asks what to show: place, fuel and colours; and links to the stations of a town. */
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { FUEL_NAME, THEME_NAME, THEME_WORD, THEMES } from '../../embeds/embed-address.ts';
import { CITY_NAME, embedsPath, STATION_NAME } from '../../embeds/embeds-link.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { stationLookup } from '../../lookup/station-prices.ts';
import { CITY_LIST_ID, cityList } from '../../parts/city-list.ts';
import { fuelName } from '../../parts/fuel-words.ts';
import { type EmbedsChoice, MAX_PLACE_CHARACTERS } from './embeds-choice.ts';
import { TEXTS, THEME_NAMES } from './embeds-texts.ts';

/** The form, filled in with the choice. */
export function embedsForm(choice: EmbedsChoice, data: SiteData, language: Language): Html {
  const { fuel, theme } = choice;
  const option = (value: string, name: string, isSelected: boolean) =>
    html`<option value="${value}"${isSelected ? html` selected` : null}>${name}</option>\n`;
  return html`<form class="fields" action="${routePath('embeds', language)}" method="get">
${placeField(choice, language)}
<label>${TEXTS.fuel[language]} <select name="${FUEL_NAME}">
${option('', TEXTS.allFuels[language], fuel === null)}${ROAD_FUELS.map((each) => option(FUEL_SLUG[language][each], fuelName(each, language), each === fuel))}</select></label>
<label>${TEXTS.theme[language]} <select name="${THEME_NAME}">
${THEMES.map((each) => option(THEME_WORD[language][each], THEME_NAMES[each][language], each === theme))}</select></label>
<button type="submit">${TEXTS.submit[language]}</button>
${choice.subject?.kind === 'station' ? null : cityList(data)}
</form>`;
}

/** `place-field.ts` adds suggestions while somebody types, in place of the list. */
function placeField({ typed, subject, fuel, theme }: EmbedsChoice, language: Language): Html {
  if (subject?.kind === 'station')
    return html`<input type="hidden" name="${STATION_NAME}" value="${subject.slug}">
<p>${TEXTS.station[language]}: <b>${subject.name[language]}</b> · <a href="${embedsPath({ place: null, fuel, theme }, language)}">${TEXTS.otherPlace[language]}</a></p>`;
  return html`<div class="place-field" data-suggestions="${TEXTS.suggested[language]}"><label>${TEXTS.place[language]} <input type="text" name="${CITY_NAME}" value="${typed}" placeholder="${TEXTS.country[language]}" list="${CITY_LIST_ID}" maxlength="${MAX_PLACE_CHARACTERS}" autocomplete="off"></label></div>`;
}

/** More would make the page of București too heavy; the page of each station leads here, too. */
const STATIONS_LISTED = 60;

/** The stations of a town, folded, each with the same choice for it alone. */
export function stationLinks(
  { subject, fuel, theme }: EmbedsChoice,
  { snapshot }: SiteData,
  language: Language,
): Html | null {
  if (subject?.kind !== 'city') return null;
  const stations = (stationLookup(snapshot).byCity.get(subject.slug) ?? []).slice(0, STATIONS_LISTED);
  const link = (slug: string) => embedsPath({ place: { kind: 'station', slug }, fuel, theme }, language);
  return html`<details class="fold"><summary>${TEXTS.stationsOf[language](subject.name[language])}</summary>
<ul class="columns">
${stations.map(({ station, slug }) => html`<li><a href="${link(slug)}" rel="nofollow">${station.network.name}, ${station.address}</a></li>\n`)}</ul>
</details>`;
}
