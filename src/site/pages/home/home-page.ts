/** The home page: what fuel costs today, and the way to every city and station. */

import { ROAD_FUELS } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import type { PriceVerdict } from '../../../domain/prices/price-verdict.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import type { Page } from '../../frame/page.ts';
import { searchForm } from '../../frame/search-form.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { curlCommand } from '../../html/curl.ts';
import { formatBucharestTime, formatCount, formatDay, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { pageDescription } from '../../html/page-title.ts';
import { stationLookup } from '../../lookup/station-prices.ts';
import { favouritesList } from '../../parts/favourites.ts';
import { fuelAsSubject, fuelNameInText, MAIN_FUELS, pricesInWords } from '../../parts/fuel-words.ts';
import { citiesPicture } from '../../parts/map-picture.ts';
import { nearMeButton } from '../../parts/near-me-button.ts';
import { ageAndSource } from '../../parts/price-notes.ts';
import { stationLink } from '../../parts/ranking.ts';
import { addressWithCity } from '../../parts/station-address.ts';
import { citiesTable } from '../../parts/tables.ts';
import { LOGO_ICON } from '../../pictures/icons.ts';
import { TEXTS } from './home-texts.ts';
import { priceCards } from './national-prices.ts';

/** Cities in the table. */
const CITIES_SHOWN = 20;

/** The home page. */
export function homePage({ language, data }: PageRequest): Page {
  const { snapshot } = data;
  const content = html`<h1>${TEXTS.heading[language]}</h1>
${searchForm({ language })}
${nearMeButton(language, null)}
${favouritesList(language)}
${priceCards(snapshot, language)}
<p class="lead">${leadSentence(snapshot, language)}</p>
${snapshot.updatedAt === null ? firstPrices(data.firstPricesInSeconds, language) : null}${cheapestNow(data, language)}${largestCities(data, language)}${networks(snapshot, language)}
${dataFacts(snapshot, language)}
<h2>${TEXTS.developers[language]}</h2>
<p>${TEXTS.example[language]}</p>
<pre tabindex="0"><code>${curlCommand(`${data.publicUrl}/api/v1/preturi/minime`)}</code></pre>
<ul class="links">
<li><a href="${routePath('docs', language)}"><b>${TEXTS.docs[language]}</b><span>${TEXTS.docsAbout[language]}</span></a></li>
<li><a href="${routePath('plans', language)}"><b>${TEXTS.plans[language]}</b><span>${TEXTS.plansAbout[language]}</span></a></li>
<li><a href="${ROUTES.status[language]}"><b>${TEXTS.health[language]}</b><span>${TEXTS.healthAbout[language]}</span></a></li>
<li><a href="/openapi.json"><b>OpenAPI 3.1</b><span>${TEXTS.openApiAbout[language]}</span></a></li>
</ul>`;
  return {
    language,
    route: 'home',
    paths: ROUTES.home,
    title: title(snapshot, language),
    description: description(snapshot, language),
    content,
    showsPrices: true,
    modules: ['search', 'near-me', 'favourites'],
    hasSearchForm: true,
    structuredData: siteAndOrganization(data),
  };
}

/** The site, and who publishes it. */
function siteAndOrganization({ publicUrl }: SiteData): object[] {
  const common = { '@context': 'https://schema.org', name: SERVICE_NAME, url: `${publicUrl}/` };
  const publisher = { '@id': `${publicUrl}/#organization` };
  return [
    { ...common, '@type': 'WebSite', publisher },
    { ...common, ...publisher, '@type': 'Organization', logo: `${publicUrl}${LOGO_ICON.path}` },
  ];
}

/** With the two prices that people ask for most, where they are known. */
function title({ national }: Snapshot, language: Language): string {
  const [petrol, diesel] = [national.petrol.mean, national.diesel.mean];
  if (petrol === null || diesel === null) return `${TEXTS.heading[language]} | ${SERVICE_NAME}`;
  const prices = pricesInWords(['petrol', 'diesel'], (fuel) => national[fuel].mean, language);
  return `${TEXTS.title[language]}: ${prices} lei | ${SERVICE_NAME}`;
}

/** Today in words: petrol and diesel, their mean and spread, and over how many stations. */
function leadSentence(snapshot: Snapshot, language: Language): string {
  const prices = (['petrol', 'diesel'] as const).flatMap((fuel) => {
    const { min, mean, max } = snapshot.national[fuel];
    if (min === null || mean === null || max === null) return [];
    const [low, middle, high] = [min, mean, max].map((price) => formatRon(price, language)) as [string, string, string];
    return [TEXTS.costs[language](fuelAsSubject(fuel, language), middle, low, high)];
  });
  if (prices.length === 0) return TEXTS.about[language];
  const stations = counted(snapshot.counts.stationsWithPrice, STATIONS, language);
  return TEXTS.today[language](formatDay(snapshot.today, language), prices.join(TEXTS.and[language]), stations);
}

/** The same figures for search engines. */
function description(snapshot: Snapshot, language: Language): string {
  const stations = counted(snapshot.counts.stationsWithPrice, STATIONS, language);
  const day = formatDay(snapshot.today, language);
  const [first, ...more] = [ROAD_FUELS, MAIN_FUELS, MAIN_FUELS.slice(0, 2)]
    .map((fuels) => pricesInWords(fuels, (fuel) => snapshot.national[fuel].mean, language))
    .filter((known) => known !== '')
    .map((known) => TEXTS.described[language](day, known, stations));
  return first === undefined ? TEXTS.description[language] : pageDescription([first, ...more]);
}

function firstPrices(seconds: number | null, language: Language): Html {
  const wait =
    seconds === null
      ? TEXTS.afterFirst[language]
      : TEXTS.inSeconds[language].replace('%', formatCount(seconds, language));
  return html`<p>${TEXTS.nothingYet[language]} ${wait}</p>\n`;
}

function dataFacts({ updatedAt, counts }: Snapshot, language: Language): Html {
  const time = updatedAt === null ? TEXTS.unknown[language] : timeElement(updatedAt, language);
  return html`<dl class="facts">
<div><dt>${TEXTS.updated[language]}</dt><dd>${time}</dd></div>
<div><dt>${TEXTS.known[language]}</dt><dd>${formatCount(counts.stations, language)}</dd></div>
<div><dt>${TEXTS.priced[language]}</dt><dd>${formatCount(counts.stationsWithPrice, language)}</dd></div>
</dl>`;
}

function timeElement(instant: number, language: Language): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${formatBucharestTime(instant, language)}</time>`;
}

/** The cheapest station of the country for each fuel. */
function cheapestNow({ snapshot, gazetteer }: SiteData, language: Language): Html | null {
  const lookup = stationLookup(snapshot);
  const rows = ROAD_FUELS.flatMap((fuel) => {
    const cheapest = lookup.cheapest.get(fuel);
    return cheapest === undefined ? [] : [{ fuel, cheapest }];
  });
  if (rows.length === 0) return null;
  return html`<h2>${TEXTS.cheapest[language]}</h2>
<ol class="ranking">
${rows.map(({ fuel, cheapest }) => {
  const verdict = cheapest.verdicts.get(fuel) as Extract<PriceVerdict, { kind: 'trusted' }>;
  return html`<li><span class="who">${stationLink(cheapest, language)}<span>${addressWithCity(cheapest.station, gazetteer)}</span><span class="origin">${ageAndSource(verdict.fact, snapshot.now, language)}</span></span><span class="price"><strong>${formatRon(cheapest.price, language)}</strong><span>${fuelNameInText(fuel, language)}</span></span></li>\n`;
})}</ol>
`;
}

function largestCities({ snapshot, gazetteer }: SiteData, language: Language): Html | null {
  const cities = snapshot.cities.slice(0, CITIES_SHOWN);
  if (cities.length === 0) return null;
  const table = citiesTable(cities, TEXTS.citiesCaption[language], gazetteer, language);
  return html`<h2>${TEXTS.cities[language]}</h2>\n${citiesPicture(TEXTS.map[language], language)}\n${table}`;
}

/** The networks, the cheapest first, each with what its petrol costs on average. */
function networks({ networks: all }: Snapshot, language: Language): Html | null {
  const priced = all.flatMap(({ network, prices: { petrol } }) => (petrol === null ? [] : [{ network, petrol }]));
  const items = priced
    .toSorted((a, b) => a.petrol - b.petrol)
    .map(({ network: { name, slug }, petrol }) => {
      const link = html`<a href="${routePath('network', language, { network: slug })}">${name}</a>`;
      return html`<li>${link} <strong>${formatRon(petrol, language)}</strong></li>\n`;
    });
  return items.length === 0 ? null : html`<h2>${TEXTS.networks[language]}</h2>\n<ul class="columns">\n${items}</ul>\n`;
}
