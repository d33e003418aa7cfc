/** The stations around the visitor, cheapest first. The position is in the address alone: nothing keeps it. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { fuelOfQuery } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { Point } from '../../../domain/point.ts';
import type { Page } from '../../frame/page.ts';
import { searchForm } from '../../frame/search-form.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { formatKm, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import type { RankedStation, StationPrices } from '../../lookup/station-prices.ts';
import { mapFrame } from '../../map/map-frame.ts';
import { boundsOf } from '../../map/static-map.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { fuelGenitive } from '../../parts/fuel-words.ts';
import { nearbyPath, nearMeButton } from '../../parts/near-me-button.ts';
import { fuelTabs, keyFigures } from '../../parts/price-parts.ts';
import { ranking, stationLink } from '../../parts/ranking.ts';
import { stationMarks } from '../../parts/station-map.ts';
import { citiesTable } from '../../parts/tables.ts';
import { isAbroad, type Nearby, nearbyStations, readPosition } from './nearby-data.ts';
import { TEXTS } from './nearby-texts.ts';

const CITIES_SHOWN = 20;
/** Stations in the ranking: a large city has more within the smallest radius. */
const STATIONS_SHOWN = 40;

/** The page around `lat` and `lng` for the fuel `tip`; without a position, the way to one. */
export function nearbyPage({ language, query, data }: PageRequest): Page {
  const position = readPosition(query);
  const fuel = fuelOfQuery(query);
  const base = { ...frameOf(language), language };
  if (position === 'none') return { ...base, content: invitation(data, language), paths: PATHS };
  if (position === 'malformed') {
    const content = html`<h1>${TEXTS.heading[language]}</h1>\n<p class="lead">${TEXTS.malformed[language]}</p>\n${ways(data, language)}`;
    return { ...base, content, paths: PATHS, status: 400, isPrivate: true, isIndexed: false };
  }
  return {
    ...base,
    paths: { ro: nearbyPath(position, 'ro', fuel), en: nearbyPath(position, 'en', fuel) },
    isPrivate: true,
    isIndexed: false,
    showsPrices: true,
    content: around(position, fuel, data, language),
  };
}

const PATHS = { ro: routePath('nearby', 'ro'), en: routePath('nearby', 'en') };

function frameOf(language: Language): Omit<Page, 'language' | 'content' | 'paths'> {
  return {
    route: 'nearby',
    canonical: routePath('nearby', language),
    title: TEXTS.title[language],
    description: TEXTS.description[language],
    breadcrumb: [countryLink(language)],
    modules: ['near-me', 'search'],
    hasSearchForm: true,
  };
}

function invitation(data: SiteData, language: Language): Html {
  return html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${TEXTS.lead[language]}</p>
${ways(data, language)}`;
}

/** The ways to prices nearby: the position, a name, a list of cities. */
function ways({ snapshot, gazetteer }: SiteData, language: Language): Html {
  const cities = snapshot.cities.slice(0, CITIES_SHOWN);
  return html`${nearMeButton(language, null, true)}
<p class="soft">${TEXTS.notKept[language]}</p>
<h2>${TEXTS.byName[language]}</h2>
${searchForm({ language })}
${cities.length === 0 ? null : html`<h2>${TEXTS.cities[language]}</h2>\n${citiesTable(cities, TEXTS.citiesCaption[language], gazetteer, language)}`}`;
}

function around(point: Point, fuel: RoadFuel, data: SiteData, language: Language): Html {
  const nearby = nearbyStations(point, fuel, data);
  const { ranked, unranked, others, radiusKm, km } = nearby;
  const place = data.gazetteer.nearestLocality(point).name;
  const noteOf = ({ station }: StationPrices) =>
    html`${station.approximateCoordinates || station.suspectCoordinates ? `${TEXTS.about[language]} ` : ''}${formatKm(km.get(station.id) as number, language)}${otherNames(station, others, language)}`;
  const nothing = ranked.length + unranked.length === 0;
  const abroad = isAbroad(point, data) ? html`<p class="notice">${inlineMarkup(TEXTS.abroad[language])}</p>\n` : null;
  return html`<h1>${TEXTS.headingOf[language](fuelGenitive(fuel, language))}</h1>
${abroad}<p class="lead">${leadSentence(nearby, abroad === null ? place : null, language)}</p>
${fuelTabs(fuel, language, (each) => nearbyPath(point, language, each))}
${figures(nearby, language)}
${mapAround(point, [...ranked.slice(0, STATIONS_SHOWN), ...unranked], fuel, radiusKm, data, language)}
${nothing ? null : html`<h2>${TEXTS.within[language](radiusKm)}</h2>\n${ranking({ language, fuel, snapshot: data.snapshot, ranked: ranked.slice(0, STATIONS_SHOWN), unranked, noteOf })}`}
${nothing ? ways(data, language) : html`<h2>${TEXTS.elsewhere[language]}</h2>\n${nearMeButton(language, fuel, true)}\n${searchForm({ language })}\n<p class="soft">${TEXTS.notKept[language]}</p>`}`;
}

/** The stations and the position itself; nothing where no station is. */
function mapAround(
  point: Point,
  stations: readonly StationPrices[],
  fuel: RoadFuel,
  radiusKm: number,
  { streetZoom }: SiteData,
  language: Language,
): Html | null {
  const marks = stationMarks(stations, fuel, language);
  const bounds = boundsOf([...marks, point]);
  if (marks.length === 0 || bounds === undefined) return null;
  const position = { ...point, label: TEXTS.position[language] };
  return mapFrame({ language, label: TEXTS.within[language](radiusKm), marks, position, bounds, streetZoom });
}

/** The other networks under which a source lists the same place. */
function otherNames({ id, network }: StationPrices['station'], others: Nearby['others'], language: Language) {
  const named = (others.get(id) ?? []).filter(({ station }) => station.network.slug !== network.slug);
  return named.map((each) => html` · ${TEXTS.listedAs[language]} ${stationLink(each, language)}`);
}

/** Where and how many; the place is left out abroad. */
function leadSentence({ ranked, radiusKm }: Nearby, place: string | null, language: Language): string {
  if (ranked.length === 0) return TEXTS.none[language](radiusKm);
  return TEXTS.found[language](counted(ranked.length, STATIONS, language), radiusKm, place);
}

function figures({ ranked, nearest, km }: Nearby, language: Language): Html | null {
  const [cheapest] = ranked;
  if (cheapest === undefined || nearest === null) return null;
  const figure = (name: string, each: RankedStation) => ({
    name,
    value: html`${formatRon(each.price, language)} <span class="unit">lei/l</span>`,
    note: html`${stationLink(each, language)}, ${each.station.address} · ${formatKm(km.get(each.station.id) as number, language)}`,
  });
  return keyFigures([figure(TEXTS.cheapest[language], cheapest), figure(TEXTS.nearest[language], nearest)]);
}
