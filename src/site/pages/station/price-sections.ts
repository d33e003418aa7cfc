/** The prices of a station: against its town, where they come from, and what is cheaper nearby. */
import { FUEL_NAME, type Fuel, isRoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import { baniText, counted, PRICES } from '../../html/counted.ts';
import { formatKm, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { fuelName, fuelNameInText } from '../../parts/fuel-words.ts';
import { ageAndSource, reasonNotRanked } from '../../parts/price-notes.ts';
import { priceTrend, stationLink } from '../../parts/ranking.ts';
import { lastKnownSentence, originSentences } from './price-origin.ts';
import { type FuelDetails, NEARBY_KM, type NearbyPrices, type StationDetails } from './station-data.ts';
import { TEXTS } from './station-texts.ts';

/** As the page calls a fuel. */
export function nameOf(fuel: Fuel, language: Language): string {
  return isRoadFuel(fuel) ? fuelName(fuel, language) : FUEL_NAME[fuel][language];
}

/** Every fuel with its price, its place in the town, its age and its source. */
export function priceList(details: StationDetails, snapshot: Snapshot, language: Language): Html {
  const items = details.fuels.map((each) => priceItem(each, details, snapshot, language));
  const compared = details.fuels.some(({ inTown }) => inTown !== null && inTown.level !== null);
  const missing = details.notSold.map((fuel) =>
    isRoadFuel(fuel) ? fuelNameInText(fuel, language) : nameOf(fuel, language),
  );
  return html`<ul class="ranking">
${items}</ul>
${compared ? html`<p class="soft">${TEXTS.levelMeaning[language]}</p>\n` : null}${missing.length === 0 ? null : html`<p class="soft">${TEXTS.notSold[language](alternatives(missing, language))}</p>\n`}`;
}

function priceItem(each: FuelDetails, details: StationDetails, snapshot: Snapshot, language: Language): Html {
  const { city } = details;
  const { fuel, verdict, inTown } = each;
  const name = html`<strong>${nameOf(fuel, language)}</strong>`;
  const who =
    city === null || !isRoadFuel(fuel)
      ? name
      : html`<a href="${routePath('cityFuel', language, { city: city.slug, fuel: FUEL_SLUG[language][fuel] })}">${nameOf(fuel, language)}</a>`;
  if (verdict.kind !== 'trusted') {
    const price = verdict.kind === 'doubtful' ? formatRon(verdict.price, language) : '–';
    return html`<li class="unranked"><span class="who">${who}<span>${reasonNotRanked(verdict, language)}</span></span><span class="price"><span>${price}</span></span></li>\n`;
  }
  const place = city === null ? null : placeText(each, city.name, language);
  const level = inTown?.level ?? null;
  return html`<li><span class="who">${who}${place === null ? null : html`<span>${place}</span>`}<span class="origin">${ageAndSource(verdict.fact, snapshot.now, language)}</span></span>${priceTrend(details, fuel, snapshot, language)}<span class="price"><strong>${formatRon(verdict.price, language)}</strong>${level === null ? null : html`<span class="level ${level}">${TEXTS.level[level][language]}</span>`}</span></li>\n`;
}

/** The place of a price in its town, in words; `null` = it has none. */
function placeText({ inTown }: FuelDetails, city: string, language: Language): string | null {
  if (inTown === null) return null;
  const { rank, count, overCheapest } = inTown;
  if (count === 1) return TEXTS.onlyHere[language](city);
  if (rank === 1) return TEXTS.cheapest[language](counted(count, PRICES, language), city);
  return TEXTS.rank[language](rank, String(count), city, baniText(overCheapest, language));
}

/** The origin of each price in words; fuels of which the same is known share a row. */
export function priceOrigins({ station, fuels }: StationDetails, snapshot: Snapshot, language: Language): Html {
  const groups = Map.groupBy(fuels, ({ fuel, verdict }) => {
    const lastKnown = lastKnownSentence({ station: station.id, fuel, verdict }, snapshot, language);
    return [...originSentences(verdict, language), ...(lastKnown === null ? [] : [lastKnown])].join(' ');
  });
  const items = [...groups].map(([words, own]) => {
    const names = own.map(({ fuel }) => nameOf(fuel, language)).join(', ');
    return html`<div><dt>${names}</dt><dd>${words}</dd></div>\n`;
  });
  return html`<h2>${TEXTS.origin[language]}</h2>
<dl class="named">
${items}</dl>
<p><a href="${routePath('method', language)}">${TEXTS.method[language]}</a></p>`;
}

/** The cheapest stations nearby, fuel by fuel. */
export function nearbyPrices(nearby: readonly NearbyPrices[] | null, language: Language): Html {
  const heading = html`<h2>${TEXTS.nearby[language]}</h2>`;
  if (nearby === null) return html`${heading}\n<p>${TEXTS.nearbyUnknown[language]}</p>`;
  const some = nearby.filter(({ stations }) => stations.length > 0);
  if (some.length === 0) return html`${heading}\n<p>${TEXTS.noneNearby[language](NEARBY_KM)}</p>`;
  const blocks = some.map((each) => nearbyBlock(each, language));
  return html`${heading}
<p class="soft">${TEXTS.nearbyLead[language](NEARBY_KM)}</p>
<div class="beside">
${blocks}</div>`;
}

function nearbyBlock({ fuel, own, stations }: NearbyPrices, language: Language): Html {
  const items = stations.map((each) => {
    const lower = own === null ? null : TEXTS.lower[language](baniText(own - each.price, language));
    return html`<li><span class="who">${stationLink(each, language)}<span>${each.station.address}</span><span>${formatKm(each.km, language)}</span></span><span class="price"><strong>${formatRon(each.price, language)}</strong>${lower === null ? null : html`<span>${lower}</span>`}</span></li>\n`;
  });
  return html`<section><h3>${fuelName(fuel, language)}</h3>
<ol class="ranking">
${items}</ol></section>
`;
}

function alternatives(names: readonly string[], language: Language): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')}${TEXTS.or[language]}${last}`;
}
