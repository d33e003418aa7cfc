/**
 * The chart of several prices: up to five step lines and the market, each named at its end, each with its own dashes.
 */
import type { Language } from '../../domain/localized-text.ts';
import { formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { type ChartNaming, chartFrame, extremesOf, noPrices, percent } from './chart-frame.ts';
import { describeSeries } from './chart-texts.ts';
import { spreadApart } from './label-positions.ts';
import { type PriceScale, positionOf, priceScale } from './price-scale.ts';
import { columnsOf, type DailyPrices, type Period, type SeriesSummary, summarize } from './price-series.ts';
import { stepLine } from './step-path.ts';

/** A line of the chart; names longer than about 16 characters have no room. */
export type NamedSeries = { readonly name: string; readonly prices: DailyPrices };

export type SeriesChartOptions = ChartNaming & {
  readonly firstDay: number;
  /** At most `MOST_SERIES`. */
  readonly series: readonly NamedSeries[];
  /** What the others are compared with, drawn in the colour of text. */
  readonly market?: NamedSeries;
};

/** More lines could not be told apart. */
export const MOST_SERIES = 5;

/** Two lines of text, as a part of the lowest picture's height. */
const LABEL_HEIGHT = 0.118;

/** A figure; a sentence if no series has a price. Series without a price are left out. */
export function seriesChart(options: SeriesChartOptions): Html {
  const { firstDay, series, market, language } = options;
  if (series.length > MOST_SERIES) throw new RangeError(`A chart has room for ${MOST_SERIES} series`);
  const lines = [
    ...(market ? [toLine(market, 'market')] : []),
    ...series.map((one, n) => toLine(one, `series-${n + 1}`)),
  ].filter((line) => line !== null);
  if (lines.length === 0) return noPrices(language);
  const scale = priceScale(...extremesOf(lines.map(({ summary }) => summary)));
  const period = { firstDay, length: Math.max(...lines.map(({ prices }) => prices.length)) };
  const picture = chartFrame({
    ...{ id: options.id, title: options.title, language, kind: 'several', period, scale },
    description: lines.map(({ name, summary }) => `${name}: ${describeSeries(summary, period, language)}`).join(' '),
    curves: html`${lines.map((line) => html`<path class="line ${line.look}" d="${stepLine(columnsOf(line.prices), scale.top)}"/>`)}`,
    labels: endLabels(lines, period, scale, language),
  });
  return html`<figure class="chart-figure">${picture}</figure>`;
}

type Line = NamedSeries & { readonly look: string; readonly summary: SeriesSummary };

function toLine(series: NamedSeries, look: string): Line | null {
  const summary = summarize(series.prices);
  return summary && { ...series, look, summary };
}

/** Beside the ends of the lines; a short stroke in the line's own dashes leads to a label that had to move. */
function endLabels(lines: readonly Line[], period: Period, scale: PriceScale, language: Language): Html {
  const ends = lines.map(({ summary }) => positionOf(summary.last.price, scale));
  const places = spreadApart(ends, LABEL_HEIGHT);
  const labels = lines.map(({ name, look, summary: { last } }, index) => {
    const [end, y] = [percent(ends[index] as number), percent(places[index] as number)];
    const price = last.index === period.length - 1 ? formatRon(last.price, language) : null;
    const priceText = price && html`<text class="mark" x="17" y="${y}" dy="1em">${price}</text>`;
    return html`<line class="line ${look}" x1="2" x2="14" y1="${end}" y2="${y}"/><text class="mark ${look}" x="17" y="${y}" dy="${price ? '-.15em' : '.35em'}">${name}</text>${priceText}`;
  });
  return html`<svg x="100%">${labels}</svg>`;
}
