/** The map of all stations, cheapest first. Without code it is a picture with links; the code makes it movable. */
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { MapSettings } from '../../browser/map-start.ts';
import { MAP_FILE_PATH } from '../../browser/map-stations.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, countedShort, STATIONS } from '../../html/counted.ts';
import { formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { MAP_NOTE } from '../../map/map-frame.ts';
import { nameBoxes } from '../../map/name-boxes.ts';
import { boundsOf } from '../../map/static-map.ts';
import { COUNTRY, countryLink } from '../../parts/breadcrumb.ts';
import { fuelGenitive, fuelName, fuelNameInText } from '../../parts/fuel-words.ts';
import { countryPicture } from '../../parts/map-picture.ts';
import { ageInWords } from '../../parts/price-notes.ts';
import { ranking } from '../../parts/ranking.ts';
import { stationItemList } from '../../parts/station-list-data.ts';
import { stationMap } from '../../parts/station-map.ts';
import { type MapData, mapData, mapPath } from './map-data.ts';
import { greatestAge } from './map-file.ts';
import { BROWSER_TEXTS, TEXTS } from './map-texts.ts';
import { tileLayer } from './tile-layer.ts';

const STATIONS_LISTED = 20;

/** The page of the map; `oras`, `tip` and `retea` of the query select what it shows. */
export function mapPage({ language, query, data }: PageRequest): Page {
  const map = mapData(query, data);
  const listed = map.ranked.slice(0, STATIONS_LISTED);
  return {
    language,
    route: 'map',
    paths: { ro: mapPath(map, 'ro'), en: mapPath(map, 'en') },
    canonical: routePath('map', language),
    title: titleOf(map, language),
    description: descriptionOf(map, language),
    breadcrumb: [countryLink(language)],
    showsPrices: true,
    modules: ['search', 'map'],
    imageOrigins: data.mapTiles === null ? [] : [data.mapTiles.origin],
    structuredData:
      listed.length === 0
        ? []
        : [stationItemList(listHeading(listed.length, language), listed, data.publicUrl, language)],
    content: html`<div data-part="about">
<h1>${headingOf(map, language)}</h1>
<p class="lead">${leadOf(map, language)}${wholeCountryLink(map, language)}</p>
</div>
${filters(map, language)}
<div class="live-map" data-settings="${JSON.stringify(browserSettings(map, data, language))}">
<section class="map map-main" aria-label="${mapLabel(map, language)}"></section>
<noscript>${picture(map, data, language)}</noscript>
<p role="status"></p>
<p class="soft">${data.mapTiles === null && data.streetZoom === null ? `${MAP_NOTE[language]} ` : null}${TEXTS.legend[language]}</p>
</div>
<section data-part="list">
${listed.length === 0 ? null : html`<h2>${listHeading(listed.length, language)}</h2>\n${ranking({ language, fuel: map.fuel, snapshot: data.snapshot, ranked: listed })}`}
</section>`,
  };
}

/** What stands for the map without code: of the whole country a file, so that nobody else loads it. */
function picture(map: MapData, data: SiteData, language: Language): Html | null {
  const label = mapLabel(map, language);
  if (map.city !== null || map.network !== null) return stationMap(map.stations, map.fuel, label, data, language);
  return countryPicture(map.fuel, label, language);
}

function titleOf({ fuel, ranked }: MapData, language: Language): string {
  const [cheapest] = ranked;
  if (cheapest === undefined) return TEXTS.titleWithoutPrice[language];
  const count = countedShort(ranked.length, STATIONS, language);
  return TEXTS.title[language](fuelNameInText(fuel, language), count, formatRon(cheapest.price, language));
}

function descriptionOf({ fuel, ranked, city }: MapData, language: Language): string {
  const [cheapest] = ranked;
  if (cheapest === undefined) return TEXTS.descriptionWithoutPrice[language];
  const count = counted(ranked.length, STATIONS, language);
  const place = city?.name ?? COUNTRY[language];
  return TEXTS.description[language](fuelNameInText(fuel, language), count, formatRon(cheapest.price, language), place);
}

function headingOf({ fuel, city }: MapData, language: Language): string {
  return TEXTS.heading[language](fuelGenitive(fuel, language), city === null ? '' : TEXTS.inCity[language](city.name));
}

function leadOf({ ranked }: MapData, language: Language): string {
  const [cheapest, dearest] = [ranked[0], ranked.at(-1)];
  if (cheapest === undefined || dearest === undefined) return TEXTS.none[language];
  const [from, to] = [formatRon(cheapest.price, language), formatRon(dearest.price, language)];
  return TEXTS.lead[language](counted(ranked.length, STATIONS, language), from, to);
}

function wholeCountryLink({ fuel, network, city }: MapData, language: Language): Html | null {
  if (city === null) return null;
  return html` <a href="${mapPath({ fuel, network, city: null }, language)}">${TEXTS.wholeCountry[language]}</a>`;
}

function mapLabel({ fuel, city }: MapData, language: Language): string {
  return TEXTS.map[language](fuelNameInText(fuel, language), city?.name ?? COUNTRY[language]);
}

function listHeading(count: number, language: Language): string {
  return count === 1 ? TEXTS.cheapestOne[language] : TEXTS.cheapest[language](counted(count, STATIONS, language));
}

/** The choices, as a form that works without code. */
function filters({ fuel, network, networks, city }: MapData, language: Language): Html {
  const fuels = ROAD_FUELS.map((each) => {
    const checked = each === fuel ? html` checked` : null;
    return html`<label><input type="radio" name="tip" value="${FUEL_SLUG[language][each]}"${checked}><span>${fuelName(each, language)}</span></label>\n`;
  });
  const options = networks.map((each) => {
    const selected = each.slug === network?.slug ? html` selected` : null;
    return html`<option value="${each.slug}"${selected}>${each.name}</option>\n`;
  });
  return html`<form class="map-filters" action="${routePath('map', language)}" aria-label="${TEXTS.filters[language]}">
${city === null ? null : html`<input type="hidden" name="oras" value="${city.slug}">\n`}<fieldset class="choices"><legend class="unseen">${TEXTS.fuel[language]}</legend>
${fuels}</fieldset>
<label><span class="unseen">${TEXTS.network[language]}</span><select name="retea"><option value=""${network === null ? html` selected` : null}>${TEXTS.allNetworks[language]}</option>
${options}</select></label>
<button type="submit">${TEXTS.show[language]}</button>
</form>`;
}

/** What the code of the map must know of the page. */
function browserSettings({ city, stations }: MapData, data: SiteData, language: Language): MapSettings {
  // The whole country unless the address names a city: the browser knows its bounds.
  const all = city === null ? undefined : boundsOf(stations.map(({ station }) => station));
  const ages = greatestAge(data.snapshot) + 1;
  return {
    file: MAP_FILE_PATH,
    stationPath: routePath('station', language, { station: '' }),
    bounds: all === undefined ? null : [all.south, all.west, all.north, all.east],
    tiles: tileLayer(data),
    names: data.mapTiles === null ? nameBoxes() : {},
    fuels: ROAD_FUELS.map((fuel) => ({ slug: FUEL_SLUG[language][fuel], name: fuelName(fuel, language) })),
    ages: Array.from({ length: ages }, (_, days) => ageInWords(days, language)),
    texts: BROWSER_TEXTS[language],
  };
}
