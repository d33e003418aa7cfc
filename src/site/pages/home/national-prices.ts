/**
 * The prices of the country, a card for each fuel: mean, change since yesterday, the last 30 days, lowest and highest.
 */
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import { BANI, counted } from '../../html/counted.ts';
import { formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { fuelName } from '../../parts/fuel-words.ts';
import { priceWithUnit } from '../../parts/price-parts.ts';
import { changeToYesterday, trend } from '../../parts/price-past.ts';
import { TEXTS } from './home-texts.ts';

/** The cards, and what their figures are. */
export function priceCards(snapshot: Snapshot, language: Language): Html {
  return html`<ul class="fuel-cards">
${ROAD_FUELS.map((fuel) => fuelCard(fuel, snapshot, language))}</ul>
<p class="soft">${TEXTS.caption[language]}</p>`;
}

function fuelCard(fuel: RoadFuel, { national, statistics, today }: Snapshot, language: Language): Html {
  const { min, mean, max } = national[fuel];
  const series = statistics('national', fuel);
  const change = changeToYesterday(series, today);
  const spread =
    min === null || max === null ? null : html`<span>${formatRon(min, language)} – ${formatRon(max, language)}</span>`;
  return html`<li><b>${fuelName(fuel, language)}</b><strong>${priceWithUnit(mean, language)}</strong>${change === null ? null : html`<span>${changeWords(change, language)}</span>`}${series.length > 1 ? trend(series, today, language) : null}${spread}</li>
`;
}

/** `+3 bani față de ieri`. */
function changeWords(change: MilliPrice, language: Language): string {
  if (change === 0) return TEXTS.asYesterday[language];
  const sign = change > 0 ? '+' : '−';
  return `${sign}${counted(Math.round(Math.abs(change) / 10), BANI, language)} ${TEXTS.sinceYesterday[language]}`;
}
