/** A county: the mean of its places, every place with its lowest prices, and the cheapest stations. */
import { meanToBani, ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { fuelOfQuery, withFuelQuery } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { statisticsFilePath } from '../../../domain/pages/statistics-files.ts';
import type { County } from '../../../domain/places/county.ts';
import { scopeOf } from '../../../domain/prices/day-statistics.ts';
import type { CityPrices } from '../../../snapshot/snapshot.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { CITIES, counted, STATIONS, signedBani } from '../../html/counted.ts';
import { type Html, html } from '../../html/html-template.ts';
import { pageTitle } from '../../html/page-title.ts';
import { scrollableTable } from '../../html/scrollable-table.ts';
import { cityName, countyBySlug, countySlug } from '../../lookup/place-slugs.ts';
import { rankByPrice, stationLookup } from '../../lookup/station-prices.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { fuelName, fuelNameInText, MAIN_FUELS, pricesInWords } from '../../parts/fuel-words.ts';
import { networksTable } from '../../parts/networks-table.ts';
import { fuelTabs, priceAlone } from '../../parts/price-parts.ts';
import { pastSection } from '../../parts/price-past.ts';
import { ranking } from '../../parts/ranking.ts';
import { cityMap } from '../../parts/station-map.ts';
import { citiesTable } from '../../parts/tables.ts';
import { TEXTS } from './county-texts.ts';

/** Stations in the ranking of the county. */
const STATIONS_SHOWN = 8;
/** Places in the table, and on the map: as many as a page can carry. */
const PLACES_SHOWN = 30;
const PLACES_ON_MAP = 25;

/** The page of a county; there is one for every county, with or without a station. */
export function countyPage({ language, parameters, query, data }: PageRequest): Page | null {
  const { snapshot, gazetteer } = data;
  const county = countyBySlug(parameters.county, gazetteer);
  if (county === undefined) return null;
  const cities = snapshot.cities.filter((city) => city.county === county.code);
  const shown = largestPlaces(cities, PLACES_SHOWN, data);
  const stations = stationLookup(snapshot).byCounty.get(county.code) ?? [];
  const fuel = fuelOfQuery(query);
  const ranked = rankByPrice(stations, fuel).slice(0, STATIONS_SHOWN);
  const segment = { county: countySlug(county) };
  const pathOf = (each: RoadFuel, its: Language) => withFuelQuery(routePath('county', its, segment), each, its);
  return {
    language,
    route: 'county',
    paths: { ro: pathOf(fuel, 'ro'), en: pathOf(fuel, 'en') },
    canonical: pathOf('petrol', language),
    title: pageTitle([TEXTS.title[language](county.name)]),
    description: description(county, data, language),
    showsPrices: true,
    modules: ['search'],
    breadcrumb: [countryLink(language)],
    isIndexed: stations.length > 0,
    content: html`<h1>${TEXTS.heading[language](county.name)}</h1>
<p class="lead">${counted(stations.length, STATIONS, language)} ${TEXTS.in[language]} ${counted(cities.length, CITIES, language)}.</p>
${meansTable(county, data, language)}
${stations.length === 0 ? null : fuelTabs(fuel, language, (each) => pathOf(each, language))}
${cityMap(largestPlaces(cities, PLACES_ON_MAP, data), fuel, TEXTS.map[language](fuelNameInText(fuel, language), county.name), data, language)}
${cities.length === 0 ? null : html`<h2>${TEXTS.places[language]}</h2>\n${citiesTable(shown, TEXTS.placesCaption[language], gazetteer, language)}${morePlaces(cities.length - shown.length, language)}`}${
  ranked.length === 0
    ? null
    : html`<h2>${TEXTS.cheapest[language](fuelNameInText(fuel, language))}</h2>
${ranking({ language, fuel, snapshot, ranked, noteOf: ({ station }) => cityName(station.citySlug, station.city, gazetteer) })}
${networksTable(stations, fuel, language)}`
}${pastOf(county, fuel, data, language)}`,
  };
}

/** The figures of each day are in a file: with a table of them the page would be too heavy. Decision 24. */
function pastOf(county: County, fuel: RoadFuel, { snapshot }: SiteData, language: Language): Html | null {
  return pastSection({
    ...{ snapshot, fuel, language, place: county.name },
    scope: scopeOf('county', county.code),
    line: TEXTS.line,
    band: TEXTS.band[language](county.name),
    file: statisticsFilePath('county', countySlug(county)),
  });
}

/** The places with the most stations, in their order. */
function largestPlaces(cities: readonly CityPrices[], most: number, { snapshot }: SiteData): readonly CityPrices[] {
  if (cities.length <= most) return cities;
  const { byCity } = stationLookup(snapshot);
  const sizeOf = ({ slug }: CityPrices) => byCity.get(slug)?.length ?? 0;
  const largest = new Set(cities.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, most));
  return cities.filter((city) => largest.has(city));
}

function morePlaces(left: number, language: Language): Html | null {
  if (left === 0) return null;
  return html`<p>${TEXTS.morePlaces[language](counted(left, CITIES, language))} <a href="${routePath('search', language)}">${TEXTS.search[language]}</a>.</p>\n`;
}

function description({ code, name }: County, { snapshot }: SiteData, language: Language): string {
  const prices = snapshot.counties.get(code)?.prices;
  return TEXTS.description[language](
    name,
    pricesInWords(MAIN_FUELS, (fuel) => prices?.[fuel], language),
  );
}

/** The means of the county, beside those of the country. */
function meansTable({ code }: County, { snapshot }: SiteData, language: Language): Html {
  const own = snapshot.counties.get(code)?.prices;
  return html`${scrollableTable(TEXTS.meansCaption[language])}<table class="prices">
<caption>${TEXTS.meansCaption[language]}</caption>
<thead><tr><th scope="col">${TEXTS.fuel[language]}</th><th scope="col" class="num">${TEXTS.mean[language]}</th><th scope="col" class="num">${TEXTS.others[language]}</th><th scope="col" class="num">${TEXTS.difference[language]}</th></tr></thead>
<tbody>
${ROAD_FUELS.map((fuel) => {
  const mean = own?.[fuel] ?? null;
  const country = meanOfCounties(snapshot, fuel);
  const difference = mean === null || country === null ? '' : signedBani(mean - country, language);
  return html`<tr><th scope="row">${fuelName(fuel, language)}</th><td class="num mean">${priceAlone(mean, language)}</td><td class="num">${priceAlone(country, language)}</td><td class="num">${difference}</td></tr>\n`;
})}</tbody>
</table></div>`;
}

/** Like with like: a county's figure is a mean of its places' lowest prices, so the country's is the mean of those. */
function meanOfCounties({ counties }: SiteData['snapshot'], fuel: RoadFuel): number | null {
  return meanToBani([...counties.values()].map(({ prices }) => prices[fuel]).filter((price) => price !== null));
}
