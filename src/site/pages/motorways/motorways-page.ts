/** The motorways: what their stations charge above the nearest towns, a table of all, and a section a motorway. */
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import { slugify } from '../../../domain/places/place-names.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { BANI, counted, countedShort, STATIONS } from '../../html/counted.ts';
import { formatBani, formatKm, formatOneDecimal, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { rankByPrice } from '../../lookup/station-prices.ts';
import { motorwaysPicture } from '../../parts/map-picture.ts';
import { priceAlone } from '../../parts/price-parts.ts';
import { stationLink } from '../../parts/ranking.ts';
import { fuelHeadings, priceClass } from '../../parts/tables.ts';
import {
  FARTHEST_TOWN_KM,
  type Motorway,
  type MotorwayStation,
  type Motorways,
  motorwaysOf,
  NEAREST_TOWNS,
} from './motorways-data.ts';
import { premiumSentence } from './motorways-sentences.ts';
import { motorwaysDataset } from './motorways-structured-data.ts';
import { TEXTS } from './motorways-texts.ts';

/** Journeys along a motorway, by the slugs of their ends. */
const JOURNEYS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  A1: ['bucuresti', 'pitesti'],
  A2: ['bucuresti', 'constanta'],
  A3: ['bucuresti', 'ploiesti'],
  A7: ['ploiesti', 'focsani'],
  A10: ['sebes', 'turda'],
};

/** The page of all motorways. */
export async function motorwaysPage({ language, data }: PageRequest): Promise<Page> {
  const all = await motorwaysOf(data);
  const about = describe(all, language);
  return {
    language,
    route: 'motorways',
    paths: ROUTES.motorways,
    title: title(all, language),
    description: about,
    showsPrices: true,
    modules: ['search'],
    structuredData: all.stations.length === 0 ? [] : [motorwaysDataset(all, about, data, language)],
    breadcrumb: [{ name: TEXTS.country[language], path: ROUTES.home[language] }],
    content: html`<h1>${TEXTS.heading[language]}</h1>
${all.stations.length === 0 ? html`<p class="lead">${TEXTS.none[language]}</p>` : content(all, data, language)}`,
  };
}

function content(all: Motorways, data: SiteData, language: Language): Html {
  return html`<p class="lead">${TEXTS.lead[language](...whatIsShown(all, language))}</p>
<p>${comparison(all, language)}</p>
${overview(all, language)}
${motorwaysPicture(TEXTS.map[language], language)}
${all.motorways.map((motorway) => section(motorway, data, language))}
<p>${TEXTS.how[language](NEAREST_TOWNS, FARTHEST_TOWN_KM)}</p>`;
}

function section(motorway: Motorway, data: SiteData, language: Language): Html {
  const { ref, stations, means } = motorway;
  return html`<h2 id="${idOf(ref)}">${nameOf(ref, language)}</h2>
${means.size === 0 ? html`<p>${TEXTS.notComparable[language]}</p>\n` : null}<div class="table"><table>
<caption>${TEXTS.caption[language]}</caption>
<thead><tr><th scope="col">${TEXTS.station[language]}</th>${fuelHeadings(language)}</tr></thead>
<tbody>
${stations.map((each) => stationRow(each, data, language))}</tbody>
</table></div>
${journeyLink(ref, data, language)}`;
}

/** What diesel costs more on all motorways together, also for a full tank. */
function comparison({ means }: Motorways, language: Language): string {
  const diesel = means.get('diesel');
  if (diesel === undefined) return TEXTS.notComparable[language];
  return premiumSentence(TEXTS.onMotorways[language], 'diesel', diesel, language);
}

/** A row for each motorway, and one for all where there are several. */
function overview({ motorways, stations, means }: Motorways, language: Language): Html {
  const rows = motorways.map((each) => {
    const name = html`<a href="#${idOf(each.ref)}">${each.ref ?? TEXTS.unnamed[language]}</a>`;
    return overviewRow(name, each, language);
  });
  const all = motorways.length < 2 ? null : overviewRow(TEXTS.all[language], { stations, means }, language);
  return html`<div class="table"><table>
<caption>${TEXTS.overview[language]}</caption>
<thead><tr><th scope="col">${TEXTS.name[language]}</th>${fuelHeadings(language)}</tr></thead>
<tbody>
${rows}${all}</tbody>
</table></div>`;
}

function overviewRow(
  name: Html | string,
  { stations, means }: Pick<Motorway, 'stations' | 'means'>,
  language: Language,
): Html {
  const cells = ROAD_FUELS.map(
    (fuel) => html`<td class="${priceClass(fuel)}">${lowestCell(stations, means, fuel, language)}</td>`,
  );
  return html`<tr><th scope="row">${name}<div class="unit">${counted(stations.length, STATIONS, language)}</div></th>${cells}</tr>
`;
}

/** The lowest trusted price, which leads to its station, and below it the mean difference from the towns. */
function lowestCell(
  stations: readonly MotorwayStation[],
  means: Motorway['means'],
  fuel: RoadFuel,
  language: Language,
): Html {
  const [cheapest] = rankByPrice(stations, fuel);
  if (cheapest === undefined) return priceAlone(null, language);
  const mean = means.get(fuel);
  const path = routePath('station', language, { station: cheapest.slug });
  return html`<a href="${path}">${formatRon(cheapest.price, language)}</a>${mean === undefined ? null : html`<div class="unit">${formatBani(mean.premium, language)}</div>`}`;
}

function stationRow(each: MotorwayStation, data: SiteData, language: Language): Html {
  const cells = ROAD_FUELS.map((fuel) => html`<td class="${priceClass(fuel)}">${priceCell(each, fuel, language)}</td>`);
  return html`<tr><th scope="row">${stationLink(each, language)}<div class="unit">${positionText(each, language)}${countyLink(each, data, language)}</div><div class="unit">${townsText(each, language)}</div></th>${cells}</tr>
`;
}

function priceCell({ verdicts, premiums }: MotorwayStation, fuel: RoadFuel, language: Language): Html {
  const verdict = verdicts.get(fuel);
  if (verdict?.kind !== 'trusted') return priceAlone(null, language);
  const premium = premiums.get(fuel);
  return html`${formatRon(verdict.price, language)}${premium === undefined ? null : html`<div class="unit">${formatBani(premium, language)}</div>`}`;
}

/** `km 68,5, spre Constanța`, as far as the address says so; else the address. */
function positionText({ station, position: { km }, towards }: MotorwayStation, language: Language): string {
  const known = [
    ...(km === null ? [] : [`km ${Number.isInteger(km) ? km : formatOneDecimal(km, language)}`]),
    ...(towards === null ? [] : [`${TEXTS.towards[language]} ${towards}`]),
  ];
  return known.length === 0 ? station.address : known.join(', ');
}

function countyLink({ station }: MotorwayStation, { gazetteer }: SiteData, language: Language): Html | null {
  const county = gazetteer.countyByCode(station.county);
  if (county === undefined) return null;
  return html` · <a href="${routePath('county', language, { county: slugify(county.name) })}">${county.name}</a>`;
}

function townsText({ station, towns }: MotorwayStation, language: Language): Html | string {
  if (station.suspectCoordinates || station.approximateCoordinates) return TEXTS.noTowns[language];
  if (towns.length === 0) return TEXTS.farTowns[language];
  const links = towns.map(
    ({ place, km }, index) =>
      html`${index === 0 ? '' : ', '}<a href="${routePath('city', language, { city: place.slug })}">${place.name}</a> (${formatKm(km, language)})`,
  );
  return html`${TEXTS.against[language]} ${links}`;
}

function journeyLink(ref: string | null, { gazetteer }: SiteData, language: Language): Html | null {
  const ends = ref === null ? undefined : JOURNEYS[ref];
  const [from, to] = (ends ?? []).map((slug) => gazetteer.localityBySlug(slug));
  if (from === undefined || to === undefined) return null;
  const path = routePath('journeyBetween', language, { from: from.slug, to: to.slug });
  return html`<p><a href="${path}">${TEXTS.journey[language](from.name, to.name)}</a></p>`;
}

function title({ means }: Motorways, language: Language): string {
  const premium = means.get('diesel')?.premium ?? 0;
  if (premium === 0) return TEXTS.title[language];
  const bani = countedShort(Math.abs(premium) / 10, BANI, language);
  return (premium > 0 ? TEXTS.dearer : TEXTS.cheaper)[language](bani);
}

function describe(all: Motorways, language: Language): string {
  if (all.stations.length === 0) return TEXTS.emptyDescription[language];
  const diesel = all.means.get('diesel');
  return diesel === undefined
    ? TEXTS.description[language](...whatIsShown(all, language))
    : premiumSentence(TEXTS.onMotorways[language], 'diesel', diesel, language);
}

/** `32 de benzinării`, `A1, A2, A3`. */
function whatIsShown({ stations, motorways }: Motorways, language: Language): [stations: string, roads: string] {
  const refs = motorways.flatMap(({ ref }) => ref ?? []);
  return [counted(stations.length, STATIONS, language), refs.join(', ') || TEXTS.motorways[language]];
}

function nameOf(ref: string | null, language: Language): string {
  return ref === null ? TEXTS.unnamed[language] : TEXTS.motorway[language](ref);
}

function idOf(ref: string | null): string {
  return ref === null ? 'alta' : ref.toLowerCase();
}
