/**
 * A chart of the last 90 days for each fuel of a station, with the band of its town: the first open, the others folded.
 */
import { type Fuel, isRoadFuel } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import { chartTable } from '../../charts/chart-table.ts';
import { stepChart } from '../../charts/step-chart.ts';
import { type Html, html } from '../../html/html-template.ts';
import { dailyFigure, dailyPrices } from '../../lookup/daily-prices.ts';
import { CHART_DAYS } from '../../parts/price-past.ts';
import { nameOf } from './price-sections.ts';
import type { StationDetails } from './station-data.ts';

const HEADING: LocalizedText = { ro: 'Ultimele 90 de zile', en: 'The last 90 days' };
const THIS_STATION: LocalizedText = { ro: 'această benzinărie', en: 'this station' };

const BAND: Readonly<Record<Language, (city: string) => string>> = {
  ro: (city) => `8 din 10 benzinării din ${city}`,
  en: (city) => `8 of 10 stations in ${city}`,
};

/** The charts; nothing if no fuel has ever had a price. */
export function priceCharts(details: StationDetails, snapshot: Snapshot, language: Language): Html | null {
  const { station, fuels } = details;
  const firstDay = snapshot.today - CHART_DAYS + 1;
  const series = fuels
    .map(({ fuel }) => ({ fuel, prices: dailyPrices(station.id, fuel, CHART_DAYS, snapshot) }))
    .filter(({ prices }) => prices.some((price) => price !== null));
  if (series.length === 0) return null;
  const charts = series.map(({ fuel, prices }, index) => {
    const title = nameOf(fuel, language);
    const name = THIS_STATION[language];
    const band = townBand(details, fuel, snapshot, language);
    return html`<details class="fold"${index === 0 ? html` open` : null}><summary>${title}</summary>
${stepChart({ id: `grafic-${fuel}`, title, language, name, firstDay, prices, ...(band && { band }) })}
${chartTable({ language, firstDay, columns: [{ name: title, prices }] })}</details>
`;
  });
  return html`<h2>${HEADING[language]}</h2>
${charts}`;
}

/** What the stations of the town charged; `null` = nothing is known of them. */
function townBand({ city }: StationDetails, fuel: Fuel, snapshot: Snapshot, language: Language) {
  if (city === null || !isRoadFuel(fuel)) return null;
  const series = snapshot.statistics(`city:${city.slug}`, fuel);
  if (series.length < 2) return null;
  const of = (figure: 'p10' | 'median' | 'p90') => dailyFigure(series, figure, CHART_DAYS, snapshot.today);
  return { label: BAND[language](city.name), low: of('p10'), middle: of('median'), high: of('p90') };
}
