/** A network: its prices against the market, whether they are the same everywhere, and its cheapest stations. */
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { fuelOfQuery, withFuelQuery } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { scopeOf } from '../../../domain/prices/day-statistics.ts';
import type { NetworkPrices } from '../../../snapshot/snapshot.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, countedShort, STATIONS, signedBani } from '../../html/counted.ts';
import { formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { pageTitle } from '../../html/page-title.ts';
import { scrollableTable } from '../../html/scrollable-table.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { type RankedStation, rankByPrice, type StationPrices, stationLookup } from '../../lookup/station-prices.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { fuelAsSubject, fuelName, fuelNameInText, MAIN_FUELS, pricesInWords } from '../../parts/fuel-words.ts';
import { fuelTabs, priceAlone } from '../../parts/price-parts.ts';
import { pastSection } from '../../parts/price-past.ts';
import { ranking } from '../../parts/ranking.ts';
import { TEXTS } from './network-texts.ts';

/** Stations in the ranking of the network. */
const STATIONS_SHOWN = 20;

/** The page of a network with a station. */
export function networkPage({ language, parameters, query, data }: PageRequest): Page | null {
  const { snapshot, gazetteer } = data;
  const own = snapshot.networks.find(({ network }) => network.slug === parameters.network);
  if (own === undefined) return null;
  const { name, slug } = own.network;
  const stations = stationLookup(snapshot).byNetwork.get(slug) ?? [];
  const fuel = fuelOfQuery(query);
  const all = rankByPrice(stations, fuel);
  const ranked = all.slice(0, STATIONS_SHOWN);
  const segment = { network: slug };
  const pathOf = (each: RoadFuel, its: Language) => withFuelQuery(routePath('network', its, segment), each, its);
  return {
    language,
    route: 'network',
    paths: { ro: pathOf(fuel, 'ro'), en: pathOf(fuel, 'en') },
    canonical: pathOf('petrol', language),
    title: title(own, stations.length, language),
    description: description(own, stations.length, language),
    showsPrices: true,
    modules: ['search'],
    breadcrumb: [countryLink(language)],
    content: html`<h1>${TEXTS.heading[language](name)}</h1>
<p class="lead">${TEXTS.lead[language](counted(stations.length, STATIONS, language))}</p>
${marketTable(own, stations, snapshot, language)}
${fuelTabs(fuel, language, (each) => pathOf(each, language))}
${
  ranked.length === 0
    ? null
    : html`<h2>${TEXTS.cheapest[language](fuelNameInText(fuel, language))}</h2>
${sharedLowest(all, language)}${ranking({ language, fuel, snapshot, ranked, noteOf: ({ station }) => cityName(station.citySlug, station.city, gazetteer) })}`
}
${pastSection({ snapshot, scope: scopeOf('network', slug), fuel, language, place: name, band: TEXTS.band[language](name) })}<h2>${TEXTS.others[language]}</h2>
<ul class="columns">
${snapshot.networks.map(({ network }) => (network.slug === slug ? null : html`<li><a href="${routePath('network', language, { network: network.slug })}">${network.name}</a></li>\n`))}</ul>`,
  };
}

/** That more stations have the lowest price than the list shows; `null` = they do not. */
function sharedLowest(ranked: readonly RankedStation[], language: Language): Html | null {
  const [lowest] = ranked;
  const sharing = ranked.filter(({ price }) => price === lowest?.price).length;
  if (lowest === undefined || sharing <= STATIONS_SHOWN) return null;
  const stations = counted(sharing, STATIONS, language);
  return html`<p>${TEXTS.sharing[language](stations, formatRon(lowest.price, language), STATIONS_SHOWN)}</p>
`;
}

function title({ network, prices }: NetworkPrices, count: number, language: Language): string {
  const start = `${TEXTS.title[language](network.name)}: ${countedShort(count, STATIONS, language)}`;
  const known = (['petrol', 'diesel'] as const).flatMap((fuel) => {
    const price = prices[fuel];
    return price === null ? [] : [`${fuelAsSubject(fuel, language)} ${formatRon(price, language)}`];
  });
  if (known.length === 0) return pageTitle([start]);
  return pageTitle([`${start}, ${known.join(', ')} lei`, `${start}, ${known[0]} lei`, start]);
}

function description({ network, prices }: NetworkPrices, count: number, language: Language): string {
  const known = pricesInWords(MAIN_FUELS, (fuel) => prices[fuel], language);
  return TEXTS.description[language](network.name, known, counted(count, STATIONS, language));
}

/** The mean of the network beside that of all stations, and between which prices its stations lie. */
function marketTable(
  { prices }: NetworkPrices,
  stations: readonly StationPrices[],
  { national }: SiteData['snapshot'],
  language: Language,
): Html {
  const rows = ROAD_FUELS.map((fuel) => {
    const mean = prices[fuel];
    const market = national[fuel].mean;
    const difference = mean === null || market === null ? '' : signedBani(mean - market, language);
    return html`<tr><th scope="row">${fuelName(fuel, language)}</th><td class="num mean" data-column="${TEXTS.own[language]}">${priceAlone(mean, language)}</td><td class="num" data-column="${TEXTS.market[language]}">${priceAlone(market, language)}</td><td class="num" data-column="${TEXTS.difference[language]}">${difference}</td><td data-column="${TEXTS.spread[language]}">${spread(stations, fuel, language)}</td></tr>\n`;
  });
  return html`${scrollableTable(TEXTS.caption[language])}<table class="prices stacked">
<caption>${TEXTS.caption[language]}</caption>
<thead><tr><th scope="col">${TEXTS.fuel[language]}</th><th scope="col" class="num">${TEXTS.own[language]}</th><th scope="col" class="num">${TEXTS.market[language]}</th><th scope="col" class="num">${TEXTS.difference[language]}</th><th scope="col">${TEXTS.spread[language]}</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

/** From this share of the stations on, the price that they share is the network's. */
const UNIFORM_SHARE = 0.9;

/** Whether the network has one price, at all of its stations or nearly all, or which prices they lie between. */
function spread(stations: readonly StationPrices[], fuel: RoadFuel, language: Language): string {
  const ranked = rankByPrice(stations, fuel);
  const [lowest] = ranked;
  const highest = ranked.at(-1);
  if (lowest === undefined || highest === undefined) return '';
  const byPrice = Map.groupBy(ranked, ({ price }) => price);
  const [price, sharing] = [...byPrice].reduce((most, each) => (each[1].length > most[1].length ? each : most));
  if (ranked.length === 1) return TEXTS.single[language];
  if (sharing.length === ranked.length) return TEXTS.uniform[language];
  if (sharing.length >= UNIFORM_SHARE * ranked.length)
    return TEXTS.nearlyUniform[language](formatRon(price, language), sharing.length, ranked.length);
  return TEXTS.between[language](formatRon(lowest.price, language), formatRon(highest.price, language));
}
