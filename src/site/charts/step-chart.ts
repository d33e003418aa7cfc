/** The chart of one price: a step line, and behind it what the stations around charge. */
import type { Language } from '../../domain/localized-text.ts';
import { formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { across, type ChartNaming, chartFrame, down, extremesOf, noPrices } from './chart-frame.ts';
import { CHART_TEXTS, describeSeries } from './chart-texts.ts';
import { type PriceScale, priceScale } from './price-scale.ts';
import { columnsOf, type DailyPrices, type Period, type SeriesSummary, summarize } from './price-series.ts';
import { stepArea, stepLine } from './step-path.ts';

/** The middle eight tenths of a group of stations, day by day, over the same days as the line. */
type PriceBand = {
  /** As the legend names it: "8 din 10 benzinării din Cluj-Napoca". */
  readonly label: string;
  readonly low: DailyPrices;
  readonly middle: DailyPrices;
  readonly high: DailyPrices;
};

export type StepChartOptions = ChartNaming & {
  /** Whose price it is, as the legend names it: "această benzinărie". */
  readonly name: string;
  readonly firstDay: number;
  readonly prices: DailyPrices;
  readonly band?: PriceBand;
};

/** A figure with its legend; a sentence if no day has a price. */
export function stepChart(options: StepChartOptions): Html {
  const { name, firstDay, prices, band, language } = options;
  const summary = summarize(prices);
  if (summary === null) return noPrices(language);
  const around = band === undefined ? [] : [summarize(band.low), summarize(band.middle), summarize(band.high)];
  const scale = priceScale(...extremesOf([summary, ...around.filter((each) => each !== null)]));
  const period = { firstDay, length: prices.length };
  const picture = chartFrame({
    ...{ id: options.id, title: options.title, language, kind: 'one', period, scale },
    description: describeSeries(summary, period, language),
    curves: html`${band && bandCurves(band, scale)}<path class="line" d="${stepLine(columnsOf(prices), scale.top)}"/>`,
    labels: html`${lowestLabel(summary, period, scale, language)}${lastLabel(summary, period, scale, language)}`,
  });
  return html`<figure class="chart-figure">${picture}
${legend(name, band, language)}</figure>`;
}

function bandCurves({ low, middle, high }: PriceBand, { top }: PriceScale): Html {
  return html`<path class="band" d="${stepArea(columnsOf(low), columnsOf(high), top)}"/><path class="middle" d="${stepLine(columnsOf(middle), top)}"/>`;
}

/** None where the label of the last price says it already. */
function lowestLabel(summary: SeriesSummary, period: Period, scale: PriceScale, language: Language): Html | null {
  const { lowest, lowestCentre, endsAtLowest } = summary;
  if (endsAtLowest) return null;
  const [x, y] = [across(lowestCentre, period), down(lowest.price, scale)];
  const part = lowestCentre / period.length;
  const anchor = part < 0.15 ? 'start' : part > 0.85 ? 'end' : 'middle';
  const text = `${CHART_TEXTS.lowest[language]} ${formatRon(lowest.price, language)}`;
  return html`<circle cx="${x}" cy="${y}" r="4"/><text class="mark" x="${x}" y="${y}" dy="1.55em" text-anchor="${anchor}">${text}</text>`;
}

/** To the right of the line's end, where nothing else is drawn. */
function lastLabel(summary: SeriesSummary, period: Period, scale: PriceScale, language: Language): Html {
  const { lowest, highest, last, endsAtLowest } = summary;
  const [x, y] = [across(last.index + 1, period), down(last.price, scale)];
  const isLowest = endsAtLowest && lowest.price !== highest.price;
  const below = isLowest
    ? html`<text class="mark" x="${x}" y="${y}" dx="8" dy="1.5em">${CHART_TEXTS.lowest[language]}</text>`
    : null;
  return html`<circle cx="${x}" cy="${y}" r="4"/><text class="mark" x="${x}" y="${y}" dx="8" dy=".35em">${formatRon(last.price, language)}</text>${below}`;
}

function legend(name: string, band: PriceBand | undefined, language: Language): Html {
  const around =
    band &&
    html` <span class="key band-key">${band.label}</span> <span class="key middle-key">${CHART_TEXTS.median[language]}</span>`;
  return html`<figcaption><span class="key line-key">${name}</span>${around}</figcaption>`;
}
