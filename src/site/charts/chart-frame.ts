/**
 * The part that all charts share: accessible name, grid, time axis. Positions are percentages, so that a chart fills
 * any width while its text keeps its size; labels stand in the padding that the style sheet gives the picture.
 */
import type { Language } from '../../domain/localized-text.ts';
import { formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { calendarTicks } from './calendar-ticks.ts';
import { CHART_TEXTS } from './chart-texts.ts';
import { type PriceScale, positionOf } from './price-scale.ts';
import type { Period, SeriesSummary } from './price-series.ts';

/** What identifies and describes a chart; `id` must be unique in the page. */
export type ChartNaming = { readonly id: string; readonly title: string; readonly language: Language };

type FrameOptions = ChartNaming & {
  readonly kind: 'one' | 'several';
  readonly description: string;
  readonly period: Period;
  readonly scale: PriceScale;
  /** Drawn in days and bani, stretched to the size of the picture. */
  readonly curves: Html;
  /** Drawn above the curves, in percentages of the picture. */
  readonly labels: Html;
};

/** Days; the lines of a longer period are thinner. */
const LONG_PERIOD = 200;

/** The picture, without its legend. */
export function chartFrame(options: FrameOptions): Html {
  const { id, title, description, kind, language, period, scale, curves, labels } = options;
  return html`<svg class="chart${kind === 'several' ? ' several' : null}${period.length > LONG_PERIOD ? ' long' : null}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
${grid(scale, language)}${timeAxis(period, language)}
<svg viewBox="0 0 ${period.length} ${(scale.top - scale.bottom) / 10}" preserveAspectRatio="none">${curves}</svg>
${labels}</svg>`;
}

/** A sentence in place of a chart without any price. */
export function noPrices(language: Language): Html {
  return html`<p class="none">${CHART_TEXTS.noPrices[language]}</p>`;
}

/** The position of a day's end, from the left, as a percentage. */
export function across(days: number, { length }: Period): string {
  return percent(days / length);
}

/** The position of a price, from the top, as a percentage. */
export function down(price: number, scale: PriceScale): string {
  return percent(positionOf(price, scale));
}

/** A part of the whole, to a hundredth of a percent: `12.34%`. */
export function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`;
}

/** The lowest and highest price over several series, as a scale needs them. */
export function extremesOf(summaries: readonly SeriesSummary[]): [lowest: number, highest: number] {
  return [
    Math.min(...summaries.map(({ lowest }) => lowest.price)),
    Math.max(...summaries.map(({ highest }) => highest.price)),
  ];
}

function grid(scale: PriceScale, language: Language): Html {
  const lines = scale.gridPrices.map((price) => {
    const y = down(price, scale);
    return html`<line x2="100%" y1="${y}" y2="${y}"/><text x="-6" y="${y}" dy=".35em">${formatRon(price, language)}</text>`;
  });
  return html`<g class="grid">${lines}<text class="unit" x="-6" y="-13">${CHART_TEXTS.unit[language]}</text></g>`;
}

function timeAxis(period: Period, language: Language): Html {
  const ticks = calendarTicks(period, language).map(({ index, label, wideOnly }) => {
    const x = across(index, period);
    const text = html`<text x="${x}" dx="3" y="18"${wideOnly ? html` class="wide"` : null}>${label}</text>`;
    return html`<line x1="${x}" x2="${x}" y2="6"/>${text}`;
  });
  return html`<svg class="days" y="100%">${ticks}</svg>`;
}
