/** The small chart in a row of a table: the shape of the last days, without axes. */
import { type Html, html } from '../html/html-template.ts';
import { positionOf, priceScale } from './price-scale.ts';
import { columnsOf, type DailyPrices, summarize } from './price-series.ts';
import { stepLine } from './step-path.ts';

const WIDTH = 120;
const HEIGHT = 28;
/** Keeps the dot at the end inside the picture. */
const DOT = 2.5;

/** A step line with a dot at the last price; nothing if no day has a price. The label says in words what it shows. */
export function sparkline(prices: DailyPrices, label: string): Html {
  const summary = summarize(prices);
  if (summary === null) return html``;
  const scale = priceScale(summary.lowest.price, summary.highest.price);
  const bani = (scale.top - scale.bottom) / 10;
  const x = DOT + ((summary.last.index + 1) / prices.length) * (WIDTH - 2 * DOT);
  const y = positionOf(summary.last.price, scale) * HEIGHT;
  return html`<svg class="spark" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}"><svg x="${DOT}" width="${WIDTH - 2 * DOT}" viewBox="0 0 ${prices.length} ${bani}" preserveAspectRatio="none"><path d="${stepLine(columnsOf(prices), scale.top)}"/></svg><circle cx="${round(x)}" cy="${round(y)}" r="${DOT}"/></svg>`;
}

function round(pixels: number): number {
  return Math.round(10 * pixels) / 10;
}
