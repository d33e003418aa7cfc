/** A city: its lowest prices, every station, its networks compared; and the page of one of its fuels. */
import { meanToBani, ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { FUEL_SLUG, fuelOfSlug } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { scopeOf } from '../../../domain/prices/day-statistics.ts';
import { trustedPrice } from '../../../domain/prices/price-verdict.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import { feedLink, feedPath } from '../../change-feeds/feed-address.ts';
import { embedsLink } from '../../embeds/embeds-link.ts';
import type { Page, Redirect } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, countedShort, STATIONS } from '../../html/counted.ts';
import { formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { pageDescription, pageTitle } from '../../html/page-title.ts';
import {
  MIN_INDEXED_STATIONS,
  rankByPrice,
  type StationPrices,
  unrankedStations,
} from '../../lookup/station-prices.ts';
import { alertOffer, STANDARD_FUELS, simulationLink, standardFuels } from '../../parts/alert-button.ts';
import { countyTrail } from '../../parts/breadcrumb.ts';
import { favouriteStar } from '../../parts/favourites.ts';
import { fuelGenitive, fuelNameInText, MAIN_FUELS, pricesInWords } from '../../parts/fuel-words.ts';
import { networksTable } from '../../parts/networks-table.ts';
import { fuelTabs, keyFigures, TANK_LITRES, tankCost } from '../../parts/price-parts.ts';
import { cheapToday, pastSection } from '../../parts/price-past.ts';
import { othersAtPrice, ranking, stationLink } from '../../parts/ranking.ts';
import { stationMap } from '../../parts/station-map.ts';
import { type City, citiesNearby, cityOf, csvPath } from './city-data.ts';
import { cityData, cityFuelData } from './city-structured-data.ts';
import { fuelPath, lowestTable, meansByNetwork, stationsTable } from './city-tables.ts';
import { TEXTS } from './city-texts.ts';

/** More would make the page of București too heavy; the rest is in the file. */
const STATIONS_LISTED = 60;

/** On the page of all fuels, where a station has more columns. Decision 24. */
const STATIONS_OF_ALL_FUELS = 40;

/** The page of a city: all fuels. */
export function cityPage({ language, parameters, data }: PageRequest): Page | null {
  const city = cityOf(parameters.city ?? '', data);
  if (city === null) return null;
  const stations = counted(city.stations.length, STATIONS, language);
  const ranked = rankByPrice(city.stations, 'petrol').slice(0, STATIONS_OF_ALL_FUELS);
  const unranked = city.stations.filter(({ verdicts }) => trustedPrice(verdicts.get('petrol')) === null);
  const others = unranked.slice(0, STATIONS_OF_ALL_FUELS - ranked.length);
  const paths = { ro: routePath('city', 'ro', city.segment), en: routePath('city', 'en', city.segment) };
  const names = { ro: city.name, en: city.name };
  return {
    language,
    route: 'city',
    paths,
    title: cityTitle(city, language),
    description: cityDescription(city, language),
    breadcrumb: countyTrail(city.county, language),
    showsPrices: true,
    structuredData: cityData(city, data, language),
    modules: data.hasAlerts ? ['search', 'alerts', 'favourites'] : ['search', 'favourites'],
    ...(data.latestChanges !== null && { feed: feedPath({ kind: 'city', slug: city.segment.city }, language) }),
    content: html`<h1>${TEXTS.heading[language]} ${city.name}</h1>
<p class="lead">${stations}. ${TEXTS.lead[language]}</p>
<p>${favouriteStar({ names, paths }, language)}</p>
${fuelTabs(null, language, (fuel) => fuelPath(city, fuel, language))}
<h2>${TEXTS.lowest[language]}</h2>
${lowestTable(city, data.snapshot.now, language)}
${data.hasAlerts ? html`${alertOffer({ names: standardFuels(names), paths }, STANDARD_FUELS, language)}\n` : null}${petrolMap([...ranked, ...others], city, data, language)}
<h2>${TEXTS.allStations[language]}</h2>
${premiumLinks(city, language)}
${stationsTable({ language, ranked, others, now: data.snapshot.now })}
${csvLink(city, city.stations.length - ranked.length - others.length, language)}
${pastOf(city, 'petrol', data.snapshot, language)}<h2>${TEXTS.networks[language]}</h2>
${meansByNetwork(city, language)}
${nearbyCities(city, 'petrol', data, language)}${data.latestChanges === null ? null : feedLink({ kind: 'city', slug: city.segment.city }, language)}${embedsLink({ kind: 'city', slug: city.segment.city }, language)}`,
  };
}

/** The page of one fuel in a city. */
export function cityFuelPage({ language, parameters, data }: PageRequest): Page | Redirect | null {
  const city = cityOf(parameters.city ?? '', data);
  const fuel = fuelOfSlug(parameters.fuel ?? '', language);
  if (city === null || fuel === undefined) return null;
  const { snapshot } = data;
  const ranked = rankByPrice(city.stations, fuel);
  const unranked = unrankedStations(city.stations, fuel);
  const paths = { ro: fuelPath(city, fuel, 'ro'), en: fuelPath(city, fuel, 'en') };
  const isIndexed = ranked.length >= MIN_INDEXED_STATIONS;
  return {
    language,
    route: 'cityFuel',
    paths,
    title: fuelTitle(city, fuel, ranked.length, language),
    description: fuelDescription(city, fuel, ranked.length, language),
    breadcrumb: [
      ...countyTrail(city.county, language),
      { name: city.name, path: routePath('city', language, city.segment) },
    ],
    showsPrices: true,
    structuredData: cityFuelData(city, fuel, ranked, data, language),
    modules: data.hasAlerts ? ['search', 'alerts'] : ['search'],
    ...(isIndexed ? {} : { canonical: routePath('city', language, city.segment) }),
    content: html`<h1>${TEXTS.priceOf[language](fuelGenitive(fuel, language), city.name)}</h1>
${fuelTabs(fuel, language, (each) => fuelPath(city, each, language))}
${ranked.length === 0 ? html`<p>${TEXTS.noPrice[language]}</p>` : figures(city, ranked, language)}
${cheapToday(snapshot.statistics(scopeOf('city', city.segment.city), fuel), snapshot.today, language)}${data.hasAlerts ? html`${alertOffer({ names: subjectNames(city, fuel), paths }, [fuel], language)}\n${simulationLink(city.segment.city, fuel, language)}\n` : null}${stationMap([...ranked, ...unranked].slice(0, STATIONS_LISTED), fuel, TEXTS.map[language](city.name), data, language)}
${ranked.length + unranked.length === 0 ? null : html`<h2>${TEXTS.allOf[language](counted(ranked.length, STATIONS, language))}</h2>\n`}${ranking({ language, fuel, snapshot, ranked: ranked.slice(0, STATIONS_LISTED), unranked: unranked.slice(0, STATIONS_LISTED) })}
${networksTable(city.stations, fuel, language)}${pastOf(city, fuel, snapshot, language)}${csvLink(city, leftOut(ranked) + leftOut(unranked), language)}
${nearbyCities(city, fuel, data, language)}`,
  };
}

/** How many stations a list that is cut leaves out. */
const leftOut = (list: readonly unknown[]) => Math.max(0, list.length - STATIONS_LISTED);

/** The way to the prices as a file, with how many stations the lists above it leave out. */
function csvLink(city: City, left: number, language: Language): Html {
  const more = left > 0 ? `${TEXTS.more[language](counted(left, STATIONS, language))} ` : null;
  return html`<p>${more}<a href="${csvPath(city)}" download>${TEXTS.csv[language]}</a></p>`;
}

/** The stations of the table on a map, by the price of petrol. */
function petrolMap(
  stations: readonly StationPrices[],
  { name }: City,
  data: SiteData,
  language: Language,
): Html | null {
  const map = stationMap(stations, 'petrol', TEXTS.map[language](name), data, language);
  return map === null ? null : html`<h2>${TEXTS.petrolMap[language]}</h2>\n${map}`;
}

/** The table has no room for premium fuels on a narrow screen: their own pages have. */
function premiumLinks(city: City, language: Language): Html {
  const [petrol, diesel] = (['petrol_premium', 'diesel_premium'] as const).map(
    (fuel) => html`<a href="${fuelPath(city, fuel, language)}">${fuelNameInText(fuel, language)}</a>`,
  );
  return html`<p class="narrow">${TEXTS.premium[language]} ${petrol}, ${diesel}.</p>`;
}

/** The chart of 90 days with the band of the city's stations. */
function pastOf({ segment, name }: City, fuel: RoadFuel, snapshot: Snapshot, language: Language): Html | null {
  const scope = scopeOf('city', segment.city);
  return pastSection({ snapshot, scope, fuel, language, place: name, band: TEXTS.band[language](name) });
}

/** What a list of alerts calls a fuel in a city. */
function subjectNames({ name }: City, fuel: RoadFuel): LocalizedText {
  return { ro: `${name}: ${fuelNameInText(fuel, 'ro')}`, en: `${name}: ${fuelNameInText(fuel, 'en')}` };
}

/** With the county where another place has the same name, as its address has. */
function titleName({ name, county, segment }: City): string {
  return county !== null && segment.city.endsWith(`-${county.slug}`) ? `${name} (${county.name})` : name;
}

function cityTitle(city: City, language: Language): string {
  const { stations, lowest } = city;
  const { petrol } = lowest;
  const start = `${TEXTS.title[language](titleName(city))}: ${countedShort(stations.length, STATIONS, language)}`;
  if (petrol === null) return pageTitle([start]);
  return pageTitle([`${start}, ${TEXTS.from[language]} ${formatRon(petrol, language)} lei`, start]);
}

function cityDescription(city: City, language: Language): string {
  const count = city.stations.length;
  return (
    pricesDescription(city, [ROAD_FUELS, MAIN_FUELS, ['petrol', 'diesel'], ['petrol']], count, language) ??
    pageDescription([TEXTS.descriptionWithoutPrice[language](city.name, count)])
  );
}

/** With the prices of as many fuels as there is room for; `null` where none has one. */
function pricesDescription(
  { name, lowest }: City,
  choices: readonly (readonly RoadFuel[])[],
  count: number,
  language: Language,
): string | null {
  const prices = choices.map((fuels) => pricesInWords(fuels, (fuel) => lowest[fuel], language));
  const [first, ...more] = prices
    .filter((each) => each !== '')
    .flatMap((each) => {
      const plain = TEXTS.description[language](name, each, counted(count, STATIONS, language));
      return [`${plain}${TEXTS.withSources[language]}.`, `${plain}.`];
    });
  return first === undefined ? null : pageDescription([first, ...more]);
}

function fuelTitle(city: City, fuel: RoadFuel, count: number, language: Language): string {
  const words = TEXTS.fuelTitle[language](fuelNameInText(fuel, language), titleName(city));
  const price = city.lowest[fuel];
  if (price === null) return pageTitle([words]);
  const lei = `${formatRon(price, language)} lei`;
  const from = `${words}: ${TEXTS.from[language]} ${lei}`;
  return pageTitle([`${from}, ${countedShort(count, STATIONS, language)}`, from, `${words}: ${lei}`, words]);
}

function fuelDescription(city: City, fuel: RoadFuel, count: number, language: Language): string {
  return (
    pricesDescription(city, [[fuel]], count, language) ??
    pageDescription([TEXTS.fuelUnknown[language](fuelNameInText(fuel, language), city.name)])
  );
}

function figures(city: City, ranked: ReturnType<typeof rankByPrice>, language: Language): Html {
  const [cheapest] = ranked;
  const dearest = ranked.at(-1);
  if (cheapest === undefined || dearest === undefined) return html``;
  const mean = meanToBani(ranked.map(({ price }) => price));
  const difference = tankCost(dearest.price - cheapest.price);
  return keyFigures([
    {
      name: TEXTS.cheapestNow[language],
      value: html`${formatRon(cheapest.price, language)} <span class="unit">lei/l</span>`,
      note: html`${stationLink(cheapest, language)}, ${cheapest.station.address}${othersAtPrice(ranked, language)}`,
    },
    {
      name: TEXTS.meanOf[language](city.name),
      value: html`${mean === null ? '–' : formatRon(mean, language)} <span class="unit">lei/l</span>`,
      note: TEXTS.over[language](counted(ranked.length, STATIONS, language)),
    },
    {
      name: TEXTS.tank[language](TANK_LITRES),
      value: html`${formatRon(Math.round(difference * 100) * 10, language)} <span class="unit">lei</span>`,
      note: TEXTS.tankAbout[language],
    },
  ]);
}

function nearbyCities(city: City, fuel: RoadFuel, data: SiteData, language: Language): Html | null {
  const nearby = citiesNearby(city, fuel, data);
  if (nearby.length === 0) return null;
  return html`<h2>${TEXTS.nearby[language]}</h2>
<ul class="columns">
${nearby.map(({ name, slug, price, km }) => html`<li><a href="${routePath('cityFuel', language, { city: slug, fuel: FUEL_SLUG[language][fuel] })}">${name}</a> <strong>${formatRon(price, language)}</strong> <span class="soft">${Math.round(km)} km</span></li>\n`)}</ul>`;
}
