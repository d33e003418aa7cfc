/** The stations around a town in Germany, cheapest first, with the age of their prices. */
import type { GermanAnswer, GermanStation } from '../../../domain/german-station.ts';
import type { Language } from '../../../domain/localized-text.ts';
import {
  GERMAN_FUELS,
  type GermanChoices,
  type GermanFuel,
  germanPath,
  RADII_KM,
} from '../../../domain/pages/german-choices.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { formatEur, formatKm } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { linksToPoint } from '../../html/map-links.ts';
import { keyFigures } from '../../parts/price-parts.ts';
import { askedAgo, centsAbove, SEARCH_TEXTS as TEXTS } from './german-search-texts.ts';

/** What a search found around a town. */
export type GermanFindings = {
  readonly choices: GermanChoices;
  /** The label of the town. */
  readonly place: string;
  readonly answer: GermanAnswer;
  /** The current time, epoch ms. */
  readonly now: number;
};

type PricedGermanStation = GermanStation & { readonly price: number };

const STATIONS_SHOWN = 40;
/** The links that a row has room for on a phone. */
const IN_ROWS: ReadonlySet<string> = new Set(['Google Maps', 'Waze']);

/** The stations with a price of a fuel, cheapest first, nearest first among equals. */
export function rankGermanStations(stations: readonly GermanStation[], fuel: GermanFuel): PricedGermanStation[] {
  return stations
    .flatMap((station) => (station[fuel] === null ? [] : [{ ...station, price: station[fuel] }]))
    .sort((a, b) => a.price - b.price || a.distanceKm - b.distanceKm);
}

/** Lead, links to the other fuels, figures and the list. */
export function germanList({ choices, place, answer, now }: GermanFindings, language: Language): Html {
  const { fuel, radiusKm } = choices;
  const ranked = rankGermanStations(answer.stations, fuel);
  const fuelName = TEXTS.fuels[fuel][language];
  const lead =
    ranked.length === 0
      ? TEXTS.none[language](radiusKm, place, fuelName)
      : TEXTS.found[language](counted(ranked.length, STATIONS, language), radiusKm, place, fuelName);
  return html`<p class="lead">${lead}</p>
<p class="soft">${TEXTS.age[language](askedAgo(now - answer.answeredAt, language))} ${TEXTS.centre[language]} <a href="#cautare">${TEXTS.elsewhere[language]}</a></p>
${fuelLinks(choices, language)}
${ranked.length === 0 ? widerLink(choices, language) : rankedStations(ranked, fuel, language)}
${otherStations(ranked, answer.stations, fuel, language)}`;
}

function fuelLinks(choices: GermanChoices, language: Language): Html {
  return html`<nav class="tabs" aria-label="${TEXTS.fuelsLabel[language]}"><ul>
${GERMAN_FUELS.map((fuel) => html`<li><a href="${germanPath({ ...choices, fuel }, language)}" rel="nofollow"${fuel === choices.fuel ? html` aria-current="page"` : null}>${TEXTS.fuels[fuel][language]}</a></li>\n`)}</ul></nav>`;
}

function widerLink(choices: GermanChoices, language: Language): Html | null {
  const wider = RADII_KM.find((radiusKm) => radiusKm > choices.radiusKm);
  if (wider === undefined) return null;
  const path = germanPath({ ...choices, radiusKm: wider }, language);
  return html`<p><a href="${path}" rel="nofollow">${TEXTS.wider[language](wider)}</a></p>`;
}

function rankedStations(ranked: readonly PricedGermanStation[], fuel: GermanFuel, language: Language): Html {
  const [first] = ranked;
  const lowest = first?.price ?? 0;
  return html`${figures(ranked, language)}
<h2>${TEXTS.stations[language]}</h2>
<ol class="ranking">
${ranked.slice(0, STATIONS_SHOWN).map((station) => stationItem(station, fuel, lowest, language))}</ol>`;
}

/** The source wants no station left out: the dearer ones, and those without a price of the fuel, in short. */
function otherStations(
  ranked: readonly PricedGermanStation[],
  stations: readonly GermanStation[],
  fuel: GermanFuel,
  language: Language,
): Html | null {
  const others = [...ranked.slice(STATIONS_SHOWN), ...stations.filter((station) => station[fuel] === null)];
  if (others.length === 0) return null;
  const item = (station: GermanStation) => {
    const about = `${formatKm(station.distanceKm, language)} · ${stateOf(station, language)}`;
    const price = station[fuel] === null ? '–' : formatEur(station[fuel], language);
    return html`<li><span class="who"><b>${nameOf(station, language)}</b><span>${addressOf(station)} · ${about}</span></span><span class="price">${price}</span></li>\n`;
  };
  return html`<details><summary>${TEXTS.others[language](counted(others.length, STATIONS, language))}</summary>
<ul class="ranking">
${others.map(item)}</ul></details>`;
}

function figures(ranked: readonly PricedGermanStation[], language: Language): Html | null {
  const open = ranked.filter((station) => station.open);
  const [cheapest] = open;
  const [nearest] = open.toSorted((a, b) => a.distanceKm - b.distanceKm);
  if (cheapest === undefined || nearest === undefined) return null;
  const figure = (name: string, station: PricedGermanStation) => ({
    name,
    value: html`${formatEur(station.price, language)} <span class="unit">${TEXTS.perLitre[language]}</span>`,
    note: `${nameOf(station, language)}, ${addressOf(station)} · ${formatKm(station.distanceKm, language)}`,
  });
  return keyFigures([
    figure(TEXTS.cheapest[language], cheapest),
    ...(nearest === cheapest ? [] : [figure(TEXTS.nearest[language], nearest)]),
  ]);
}

function stationItem(station: PricedGermanStation, fuel: GermanFuel, lowest: number, language: Language): Html {
  const others = GERMAN_FUELS.flatMap((other) =>
    other === fuel || station[other] === null
      ? []
      : [`${TEXTS.fuels[other][language]} ${formatEur(station[other], language)}`],
  );
  const about = [formatKm(station.distanceKm, language), stateOf(station, language), ...others].join(' · ');
  const difference = station.price === lowest ? TEXTS.lowest[language] : centsAbove(station.price - lowest, language);
  return html`<li${station.open ? null : html` class="unranked"`}><span class="who"><b>${nameOf(station, language)}</b><span>${addressOf(station)}</span><span class="origin">${about}</span><span class="origin">${mapLinks(station, language)}</span></span><span class="price"><strong>${formatEur(station.price, language)}</strong><span>${difference}</span></span></li>
`;
}

function mapLinks(station: GermanStation, language: Language): Html[] {
  return linksToPoint(station, nameOf(station, language)).flatMap(([name, href]) =>
    name === null || !IN_ROWS.has(name)
      ? []
      : [html`<a href="${href}" rel="nofollow noopener noreferrer">${name}</a> `],
  );
}

function stateOf({ open }: GermanStation, language: Language): string {
  return (open ? TEXTS.open : TEXTS.closed)[language];
}

/** The brand; a station without one has a name of its own. */
function nameOf({ brand, name }: GermanStation, language: Language): string {
  return brand || name || TEXTS.independent[language];
}

/** Postcodes of the east have lost their leading zero. */
function addressOf({ address, postcode, city }: GermanStation): string {
  const town = `${String(postcode).padStart(5, '0')} ${city}`.trim();
  return address === '' ? town : `${address}, ${town}`;
}
