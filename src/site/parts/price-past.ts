/** How a price moved: its chart, its changes, and whether today is a cheap day. */
import type { DayNumber } from '../../domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { type DayStanding, judgeToday } from '../../domain/prices/cheap-today.ts';
import type { DayStatistics, StatisticsScope } from '../../domain/prices/day-statistics.ts';
import { changeSince, type PriceFigure, pricesOf } from '../../domain/prices/price-standing.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { chartTable } from '../charts/chart-table.ts';
import { sparkline } from '../charts/sparkline.ts';
import { stepChart } from '../charts/step-chart.ts';
import { counted, DAYS } from '../html/counted.ts';
import { type Html, html } from '../html/html-template.ts';
import { dailyFigure } from '../lookup/daily-prices.ts';
import { fuelGenitive } from './fuel-words.ts';

/** Days of the chart on a page about a place. */
export const CHART_DAYS = 90;
/** Days of the small chart beside a price. */
const TREND_DAYS = 30;

const TREND: LocalizedText = { ro: 'Evoluția mediei în 30 de zile', en: 'The average over 30 days' };

/** The mean of the last 30 days as a small chart. */
export function trend(series: readonly DayStatistics[], today: DayNumber, language: Language): Html {
  return sparkline(dailyFigure(series, 'mean', TREND_DAYS, today), TREND[language]);
}

export type PastInput = {
  readonly snapshot: Snapshot;
  readonly scope: StatisticsScope;
  readonly fuel: RoadFuel;
  readonly language: Language;
  /** The heading of the chart, for those who cannot see it. */
  readonly title: string;
  /** What the line is; the mean unless it is of something else. */
  readonly line?: LocalizedText;
  /** Whose stations the band covers, as the legend names them. */
  readonly band: string;
  readonly days?: number;
  /** The address of the figures of all days, linked in place of the table on a page that has no room for it. */
  readonly file?: string;
};

const MEAN: LocalizedText = { ro: 'media', en: 'average' };
const LOWEST: LocalizedText = { ro: 'cel mai mic', en: 'lowest' };
const FILE: LocalizedText = { ro: 'Valorile zilnice (CSV)', en: 'The daily values (CSV)' };

/** The chart of the mean with the band of the stations, and its numbers as a table or a file; `null` without a past. */
export function pastChart({
  snapshot,
  scope,
  fuel,
  language,
  title,
  line = MEAN,
  band,
  file,
  days = CHART_DAYS,
}: PastInput): Html | null {
  const { today } = snapshot;
  const series = snapshot.statistics(scope, fuel);
  if (series.length < 2) return null;
  const of = (figure: PriceFigure) => dailyFigure(series, figure, days, today);
  const firstDay = today - days + 1;
  const id = `grafic-${scope.replaceAll(/[^a-z0-9]+/gi, '-')}-${fuel}`;
  const around = { label: band, low: of('p10'), middle: of('median'), high: of('p90') };
  const mean = of('mean');
  const columns = [
    { name: line[language], prices: mean },
    { name: LOWEST[language], prices: of('min') },
  ];
  return html`${stepChart({ id, title, language, name: line[language], firstDay, prices: mean, band: around })}
${file === undefined ? chartTable({ language, firstDay, columns }) : html`<p><a href="${file}" download>${FILE[language]}</a></p>`}
`;
}

const HEADING = {
  ro: (fuel: string, days: number) => `Prețul ${fuel} în ultimele ${days} de zile`,
  en: (fuel: string, days: number) => `${capitalized(fuel)} price over the last ${days} days`,
};
const TITLE = {
  ro: (fuel: string, place: string) => `Prețul ${fuel}, ${place}, zi de zi`,
  en: (fuel: string, place: string) => `${capitalized(fuel)} price, ${place}, day by day`,
};

export type PastSectionInput = Omit<PastInput, 'title' | 'days'> & {
  /** Whose prices they are, as the title of the chart names it. */
  readonly place: string;
};

/** The chart under a heading; `null` without a past. */
export function pastSection({ place, ...input }: PastSectionInput): Html | null {
  const { fuel, language } = input;
  const genitive = fuelGenitive(fuel, language);
  const chart = pastChart({ ...input, title: TITLE[language](genitive, place) });
  return chart === null ? null : html`<h2>${HEADING[language](genitive, CHART_DAYS)}</h2>\n${chart}`;
}

function capitalized(fuel: string): string {
  return `${fuel.charAt(0).toUpperCase()}${fuel.slice(1)}`;
}

/** The change of the mean to yesterday; `null` where either day is unknown. */
export function changeToYesterday(series: readonly DayStatistics[], today: DayNumber): MilliPrice | null {
  return changeSince(pricesOf(series, 'mean'), 1, today);
}

const VERDICTS = {
  cheap: {
    ro: (period: string) => `Da, azi este ieftin față de ultimele ${period}`,
    en: (period: string) => `Yes, today is cheap compared with the last ${period}`,
  },
  usual: {
    ro: (period: string) => `Azi este un preț obișnuit în ultimele ${period}`,
    en: (period: string) => `Compared with the last ${period}, today’s price is usual`,
  },
  dear: {
    ro: (period: string) => `Nu, azi este scump față de ultimele ${period}`,
    en: (period: string) => `No, today is expensive compared with the last ${period}`,
  },
} as const satisfies Record<string, Readonly<Record<Language, (period: string) => string>>>;
const QUESTION: LocalizedText = { ro: 'E ieftin azi?', en: 'Is it cheap today?' };

/** Whether today's mean is low against the last 7, 30, 90 and 365 days; `null` where too few days are known. */
export function cheapToday(series: readonly DayStatistics[], today: DayNumber, language: Language): Html | null {
  const judged = judgeToday(series, today);
  if (judged === null) return null;
  const { verdict, days, standings } = judged;
  return html`<h2>${QUESTION[language]}</h2>
<p><strong>${VERDICTS[verdict][language](counted(days, DAYS, language))}.</strong></p>
<ul>
${standings.map((standing) => html`<li>${comparison(standing, language)}</li>\n`)}</ul>
`;
}

/** How today's mean compares with that of the days, seen from the side on which most of them are. */
export function comparison({ days, dearer, cheaper }: DayStanding, language: Language): string {
  const period = counted(days, DAYS, language);
  const share = Math.max(dearer, cheaper);
  if (share === 0) return SAME[language](period);
  const words = (dearer >= cheaper ? LOWER : HIGHER)[language];
  // What is not all of them is never rounded to it.
  return share === 1
    ? ANY[language](words, period)
    : SHARE[language](words, Math.min(99, Math.round(share * 100)), period);
}

const LOWER: LocalizedText = { ro: 'mai mică', en: 'lower' };
const HIGHER: LocalizedText = { ro: 'mai mare', en: 'higher' };
const SAME = {
  ro: (period: string) => `Media de azi este aceeași ca în ultimele ${period}.`,
  en: (period: string) => `Today’s average is the same as on the last ${period}.`,
};
const ANY = {
  ro: (words: string, period: string) => `Media de azi este ${words} decât în oricare dintre ultimele ${period}.`,
  en: (words: string, period: string) => `Today’s average is ${words} than on any of the last ${period}.`,
};
const SHARE = {
  ro: (words: string, percent: number, period: string) =>
    `Media de azi este ${words} decât în ${percent}% din ultimele ${period}.`,
  en: (words: string, percent: number, period: string) =>
    `Today’s average is ${words} than on ${percent}% of the last ${period}.`,
};
