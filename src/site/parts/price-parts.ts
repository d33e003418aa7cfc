/** Pieces of markup that several pages show: a price, key figures, links between fuels. */
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { fuelName } from './fuel-words.ts';

const NONE: LocalizedText = { ro: 'indisponibil', en: 'not available' };
const PER_LITRE: LocalizedText = { ro: 'lei/l', en: 'lei/l' };
const FUELS_LABEL: LocalizedText = { ro: 'Carburanți', en: 'Fuels' };

/** Litres of a full tank. */
export const TANK_LITRES = 50;

/** What a full tank costs at a price per litre, or how much more by a difference of prices: lei. */
export function tankCost(price: MilliPrice): number {
  return (price * TANK_LITRES) / 1000;
}

/** `9,59 lei/l`, or a word where there is none. */
export function priceWithUnit(price: MilliPrice | null, language: Language): Html {
  if (price === null) return html`<span class="none">${NONE[language]}</span>`;
  return html`${formatRon(price, language)} <span class="unit">${PER_LITRE[language]}</span>`;
}

/** `9,59`, or a dash that screen readers speak as a word. */
export function priceAlone(price: MilliPrice | null, language: Language): Html {
  if (price === null) return html`<span class="none" role="img" aria-label="${NONE[language]}">–</span>`;
  return html`${formatRon(price, language)}`;
}

export type KeyFigure = { readonly name: string; readonly value: Html | string; readonly note?: Html | string | null };

/** Large figures beside each other. */
export function keyFigures(figures: readonly KeyFigure[]): Html {
  return html`<dl class="figures">
${figures.map(({ name, value, note }) => html`<div><dt>${name}</dt><dd><strong>${value}</strong>${note ? html`<span>${note}</span>` : null}</dd></div>\n`)}</dl>`;
}

/** Links to the same page for each fuel; the current one is marked. */
export function fuelTabs(current: RoadFuel | null, language: Language, pathOf: (fuel: RoadFuel) => string): Html {
  return html`<nav class="tabs" aria-label="${FUELS_LABEL[language]}"><ul>
${ROAD_FUELS.map((fuel) => html`<li><a href="${pathOf(fuel)}"${fuel === current ? html` aria-current="page"` : null}>${fuelName(fuel, language)}</a></li>\n`)}</ul></nav>`;
}
