/** Tables that several pages show. */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { CityPrices } from '../../snapshot/snapshot.ts';
import { formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { cityName } from '../lookup/place-slugs.ts';
import { fuelName } from './fuel-words.ts';
import { priceAlone } from './price-parts.ts';

const CITY: LocalizedText = { ro: 'Localitate', en: 'Place' };

/** Column headings, one a fuel. */
export function fuelHeadings(language: Language, fuels: readonly RoadFuel[] = ROAD_FUELS): Html[] {
  return fuels.map((fuel) => html`<th scope="col" class="${priceClass(fuel)}">${fuelName(fuel, language)}</th>`);
}

/** The lowest prices of cities; each leads to the page of the city and fuel. */
export function citiesTable(
  cities: readonly CityPrices[],
  caption: string,
  gazetteer: Gazetteer,
  language: Language,
): Html {
  return html`<div class="table"><table>
<caption>${caption}</caption>
<thead><tr><th scope="col">${CITY[language]}</th>${fuelHeadings(language)}</tr></thead>
<tbody>
${cities.map((city) => cityRow(city, gazetteer, language))}</tbody>
</table></div>
`;
}

/** The columns of premium fuels are left out where the screen has no room for five. */
export function priceClass(fuel: RoadFuel): string {
  return fuel.endsWith('_premium') ? 'num wide' : 'num';
}

function cityRow({ slug, name, prices }: CityPrices, gazetteer: Gazetteer, language: Language): Html {
  const cells = ROAD_FUELS.map((fuel) => {
    const price = prices[fuel];
    if (price === null) return html`<td class="${priceClass(fuel)}">${priceAlone(null, language)}</td>`;
    const path = routePath('cityFuel', language, { city: slug, fuel: FUEL_SLUG[language][fuel] });
    return html`<td class="${priceClass(fuel)}"><a href="${path}">${formatRon(price, language)}</a></td>`;
  });
  const shown = cityName(slug, name, gazetteer);
  return html`<tr><th scope="row"><a href="${routePath('city', language, { city: slug })}">${shown}</a></th>${cells}</tr>\n`;
}
