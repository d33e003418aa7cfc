/** The numbers of a chart as a table, newest first, folded until the reader opens it. */
import type { DayNumber } from '../../domain/days.ts';
import type { MilliPrice } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { formatBani, formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { scrollableTable } from '../html/scrollable-table.ts';
import { CHART_TEXTS, formatDays, formatMonth } from './chart-texts.ts';
import type { DailyPrices } from './price-series.ts';

export type ChartTableOptions = {
  readonly language: Language;
  readonly firstDay: DayNumber;
  /** The first column is the one whose changes are shown; all columns have the same number of days. */
  readonly columns: readonly { readonly name: string; readonly prices: DailyPrices }[];
};

/** A longer period has a row for each month instead of each day. */
const MOST_DAYS = 120;

/** The table in `<details>`; nothing if no column has a price. */
export function chartTable({ language, firstDay, columns }: ChartTableOptions): Html {
  const days = columns[0]?.prices.length ?? 0;
  if (columns.every(({ prices }) => prices.every((price) => price === null))) return html``;
  const monthly = days > MOST_DAYS;
  const series = columns.map(({ prices }) => prices);
  const rows = monthly ? monthRows(series, firstDay, language) : dayRows(series, firstDay, language);
  const text = (key: keyof typeof CHART_TEXTS) => CHART_TEXTS[key][language];
  const [first, ...others] = columns.map(({ name }) => html`<th scope="col" class="num">${name}</th>`);
  return html`<details class="chart-table"><summary>${text(monthly ? 'monthlyValues' : 'dailyValues')}</summary>
${scrollableTable(text(monthly ? 'monthlyValues' : 'dailyValues'))}<table><caption>${text(monthly ? 'monthlyNote' : 'dailyNote')}</caption>
<thead><tr><th scope="col">${text(monthly ? 'month' : 'day')}</th>${first}<th scope="col" class="num">${text('change')}</th>${others}</tr></thead>
<tbody>
${withChanges(rows)
  .toReversed()
  .map((row) => tableRow(row, language))}</tbody></table></div></details>`;
}

type Row = { readonly label: string; readonly prices: readonly (MilliPrice | null)[] };
type ChangedRow = Row & { readonly change: MilliPrice | null };

/** Oldest first; consecutive days with the same prices share a row. */
function dayRows(series: readonly DailyPrices[], firstDay: DayNumber, language: Language): Row[] {
  const stretches: { first: DayNumber; last: DayNumber; prices: readonly (MilliPrice | null)[] }[] = [];
  for (const index of series[0]?.keys() ?? []) {
    const prices = series.map((each) => each[index] ?? null);
    const [day, current] = [firstDay + index, stretches.at(-1)];
    if (current?.prices.every((price, column) => price === prices[column])) current.last = day;
    else stretches.push({ first: day, last: day, prices });
  }
  return stretches.map(({ first, last, prices }) => ({
    label: formatDays(first, last, language),
    prices,
  }));
}

/** Oldest first; the last price of each month. */
function monthRows(series: readonly DailyPrices[], firstDay: DayNumber, language: Language): Row[] {
  const days = [...(series[0]?.keys() ?? [])];
  const months = Map.groupBy(days, (index) => formatMonth(firstDay + index, language));
  return [...months].map(([label, indexes]) => ({
    label,
    prices: series.map(
      (prices) => indexes.map((index) => prices[index] ?? null).findLast((price) => price !== null) ?? null,
    ),
  }));
}

/** Each row with the difference of its first price to the last known one before it. */
function withChanges(rows: readonly Row[]): ChangedRow[] {
  let before: MilliPrice | null = null;
  return rows.map((row) => {
    const [price = null] = row.prices;
    const change: MilliPrice | null = price === null || before === null ? null : price - before;
    before = price ?? before;
    return { ...row, change };
  });
}

function tableRow({ label, prices, change }: ChangedRow, language: Language): Html {
  const cell = (text: string | null) => html`<td class="num">${text ?? '–'}</td>`;
  const [first, ...others] = prices.map((price) => cell(price === null ? null : formatRon(price, language)));
  return html`<tr><th scope="row">${label}</th>${first}${cell(change === null ? null : formatBani(change, language))}${others}</tr>\n`;
}
