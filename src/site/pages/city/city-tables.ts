/** The tables on the page of a city: its lowest prices, its stations, its networks compared. */
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { PriceVerdict } from '../../../domain/prices/price-verdict.ts';
import { formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { scrollableTable } from '../../html/scrollable-table.ts';
import { type RankedStation, rankByPrice, type StationPrices } from '../../lookup/station-prices.ts';
import { fuelName, fuelNameInText, MAIN_FUELS } from '../../parts/fuel-words.ts';
import { ageAndSource, sharedNotes } from '../../parts/price-notes.ts';
import { priceAlone } from '../../parts/price-parts.ts';
import { othersAtPrice, stationLink } from '../../parts/ranking.ts';
import { fuelHeadings, priceClass } from '../../parts/tables.ts';
import { type City, networksIn } from './city-data.ts';
import { TEXTS } from './city-texts.ts';

/** Programs read the main fuels right after the address; the premium ones follow them. */
const COLUMNS: readonly RoadFuel[] = [...MAIN_FUELS, ...ROAD_FUELS.filter((fuel) => !MAIN_FUELS.includes(fuel))];

/** The lowest price of each fuel, where it is, how old it is, and who reported it. */
export function lowestTable(city: City, now: number, language: Language): Html {
  return html`<div class="table"><table class="prices lowest">
<thead><tr><th scope="col">${TEXTS.fuel[language]}</th><th scope="col" class="num">${TEXTS.price[language]}</th><th scope="col">${TEXTS.station[language]}</th><th scope="col">${TEXTS.address[language]}</th><th scope="col">${TEXTS.origin[language]}</th></tr></thead>
<tbody>
${ROAD_FUELS.map((fuel) => {
  const ranked = rankByPrice(city.stations, fuel);
  const [cheapest] = ranked;
  const verdict = cheapest?.verdicts.get(fuel);
  const origin = verdict?.kind === 'trusted' ? ageAndSource(verdict.fact, now, language) : '';
  return html`<tr><th scope="row"><a href="${fuelPath(city, fuel, language)}">${fuelName(fuel, language)}</a></th><td class="num">${priceAlone(cheapest?.price ?? null, language)}</td><td>${cheapest === undefined ? null : stationLink(cheapest, language)}</td><td>${cheapest?.station.address ?? ''}${othersAtPrice(ranked, language)}</td><td class="origin">${origin}</td></tr>\n`;
})}</tbody>
</table></div>`;
}

export type StationsTableInput = {
  readonly language: Language;
  /** By the price of petrol. */
  readonly ranked: readonly RankedStation[];
  /** Without a trusted price of petrol, which have no rank. */
  readonly others: readonly StationPrices[];
  /** The moment of the snapshot. */
  readonly now: number;
};

/** Stations with their prices, the age and the source of each, and why some do not count. */
export function stationsTable({ language, ranked, others, now }: StationsTableInput): Html {
  const rows = [
    ...ranked.map((each, index) => stationRow(each, String(index + 1), now, language)),
    ...others.map((each) => stationRow(each, '', now, language)),
  ];
  return html`<div class="table"><table class="all-stations">
<caption>${TEXTS.stationsCaption[language]}</caption>
<thead><tr><th scope="col">${TEXTS.rank[language]}</th><th scope="col">${TEXTS.station[language]}</th><th scope="col">${TEXTS.address[language]}</th>${fuelHeadings(language, COLUMNS)}<th scope="col">${TEXTS.origin[language]}</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

function stationRow(each: StationPrices, rank: string, now: number, language: Language): Html {
  const { station, verdicts } = each;
  const cells = COLUMNS.map(
    (fuel) => html`<td class="${priceClass(fuel)}">${knownPrice(verdicts.get(fuel), language)}</td>`,
  );
  return html`<tr><td>${rank}</td><th scope="row">${stationLink(each, language)}</th><td>${station.address}</td>${cells}<td class="origin">${notes(each, now, language)}</td></tr>\n`;
}

/** A doubtful price is grey. */
function knownPrice(verdict: PriceVerdict | undefined, language: Language): Html {
  if (verdict?.kind === 'doubtful') return html`<span class="soft">${formatRon(verdict.price, language)}</span>`;
  return priceAlone(verdict?.kind === 'trusted' ? verdict.price : null, language);
}

/** A line for all fuels of which the same is known; it names them unless it is the only one. */
function notes({ verdicts }: StationPrices, now: number, language: Language): Html[] {
  const lines = sharedNotes(verdicts, now, language);
  return lines.map(({ fuels, words }) => {
    const names = fuels.map((fuel) => fuelNameInText(fuel, language)).join(', ');
    return html`<span>${lines.length === 1 ? null : `${names}: `}${words}</span>`;
  });
}

/** The mean prices of each network in the city. */
export function meansByNetwork(city: City, language: Language): Html {
  return html`${scrollableTable(TEXTS.networksCaption[language])}<table>
<caption>${TEXTS.networksCaption[language]}</caption>
<thead><tr><th scope="col">${TEXTS.network[language]}</th><th scope="col" class="num wide">${TEXTS.stations[language]}</th>${fuelHeadings(language, MAIN_FUELS)}</tr></thead>
<tbody>
${networksIn(city, MAIN_FUELS).map(({ network, count, means }) => {
  const cells = MAIN_FUELS.map((fuel) => html`<td class="num">${priceAlone(means.get(fuel) ?? null, language)}</td>`);
  return html`<tr><th scope="row"><a href="${routePath('network', language, { network: network.slug })}">${network.name}</a></th><td class="num wide">${count}</td>${cells}</tr>\n`;
})}</tbody>
</table></div>`;
}

/** The page of a fuel in a city. */
export function fuelPath({ segment }: City, fuel: RoadFuel, language: Language): string {
  return routePath('cityFuel', language, { ...segment, fuel: FUEL_SLUG[language][fuel] });
}
