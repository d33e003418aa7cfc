/** The pages of days: today, any earlier day, and the list of all days. */
import { type DayNumber, dayText } from '../../../domain/days.ts';
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import { statisticsFilePath } from '../../../domain/pages/statistics-files.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import { formatMonth } from '../../charts/chart-texts.ts';
import type { Page, Redirect } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { signedBani } from '../../html/counted.ts';
import { formatBani, formatDay, formatLei, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { scrollableTable } from '../../html/scrollable-table.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { fuelName, pricesInWords } from '../../parts/fuel-words.ts';
import { priceAlone, TANK_LITRES, tankCost } from '../../parts/price-parts.ts';
import { fuelHeadings, priceClass } from '../../parts/tables.ts';
import { dayCsvPath } from './day-csv.ts';
import { CHANGE_DAYS, CITIES_SHOWN, citiesOn, type Day, dayOf, type FuelDay, knownDays } from './day-data.ts';
import { daySentence, recordSentence } from './day-sentences.ts';
import { TEXTS } from './day-texts.ts';
import { parseDay } from './parse-day.ts';

/** The page of today, at an address that stays. */
export function todayPage({ language, data }: PageRequest): Page {
  const { snapshot } = data;
  const day = dayOf(snapshot.today, snapshot);
  const heading = TEXTS.todayHeading[language](formatDay(snapshot.today, language));
  return {
    language,
    route: 'today',
    feed: FEED_PATH[language],
    paths: ROUTES.today,
    title: title(day, TEXTS.todayTitle[language], language),
    description: day === null ? TEXTS.none[language] : description(day, language),
    showsPrices: true,
    modules: ['search'],
    breadcrumb: [countryLink(language)],
    content: html`<h1>${heading}</h1>
${day === null ? html`<p>${TEXTS.none[language]}</p>` : dayContent(day, data, language)}`,
  };
}

/** The page of a day with figures. */
export function dayPage({ language, parameters, data }: PageRequest): Page | Redirect | null {
  const day = parseDay(parameters.day ?? '');
  if (day === null) return null;
  const known = dayOf(day, data.snapshot);
  if (known === null) return null;
  if (known.isToday) return { redirect: ROUTES.today[language] };
  const segment = { day: dayText(day) };
  return {
    language,
    route: 'day',
    feed: FEED_PATH[language],
    modules: ['search'],
    paths: { ro: routePath('day', 'ro', segment), en: routePath('day', 'en', segment) },
    title: title(known, TEXTS.dayTitle[language](formatDay(day, language)), language),
    description: description(known, language),
    breadcrumb: [countryLink(language), { name: TEXTS.days[language], path: ROUTES.days[language] }],
    content: html`<h1>${TEXTS.dayHeading[language](formatDay(day, language))}</h1>
${dayContent(known, data, language)}`,
  };
}

/**
 * Every day of a year with figures, newest first: of the year `an` of the query, or of the last one. With a day in
 * `ziua` it leads to the page of that day.
 */
export function daysPage({ language, query, data: { snapshot } }: PageRequest): Page | Redirect {
  const wanted = parseDay(query.get('ziua') ?? '');
  const known = knownDays(snapshot);
  if (wanted !== null && known.includes(wanted)) return { redirect: dayPath(wanted, snapshot.today, language) };
  const years = Map.groupBy(known.toReversed(), (day) => dayText(day).slice(0, 4));
  const [newest] = years.keys();
  const asked = query.get('an') ?? '';
  const year = years.has(asked) ? asked : newest;
  const months = Map.groupBy(years.get(year ?? '') ?? [], (day) => dayText(day).slice(0, 7));
  const pathOf = (each: string | undefined, own: Language) =>
    each === newest ? ROUTES.days[own] : `${ROUTES.days[own]}?an=${each}`;
  const yearLink = (each: string) =>
    each === year ? html`<strong>${each}</strong> ` : html`<a href="${pathOf(each, language)}">${each}</a> `;
  return {
    language,
    route: 'days',
    feed: FEED_PATH[language],
    modules: ['search'],
    paths: { ro: pathOf(year, 'ro'), en: pathOf(year, 'en') },
    title: year === newest ? TEXTS.daysTitle[language] : TEXTS.yearTitle[language](year ?? ''),
    description: year === newest ? TEXTS.daysDescription[language] : TEXTS.yearDescription[language](year ?? ''),
    breadcrumb: [countryLink(language)],
    // Search engines find the days of earlier years by the sitemap.
    isIndexed: year === newest,
    content: html`<h1>${TEXTS.daysHeading[language]}</h1>
<p class="lead">${TEXTS.daysDescription[language]} <a href="${FEED_PATH[language]}">${TEXTS.feed[language]}</a></p>
${query.has('ziua') ? html`<p class="notice">${TEXTS.none[language]}</p>\n` : null}${dayForm(known, language)}
${years.size < 2 ? null : html`<p>${[...years.keys()].map(yearLink)}</p>\n`}${[...months.values()].map(
  (ofMonth) => html`<h2>${formatMonth(ofMonth[0] as DayNumber, language)}</h2>
<ul class="columns">
${ofMonth.map((day) => html`<li>${dayLink(day, snapshot.today, language)}</li>\n`)}</ul>
`,
)}`,
  };
}

/** A form that leads to any day with figures; it needs no code. */
function dayForm(known: readonly DayNumber[], language: Language): Html | null {
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return null;
  return html`<form class="fields" action="${ROUTES.days[language]}" method="get">
<label>${TEXTS.anyDay[language]} <input type="date" name="ziua" min="${dayText(first)}" max="${dayText(last)}" required></label> <button type="submit">${TEXTS.show[language]}</button>
</form>`;
}

/** The address of the feed of days. */
export const FEED_PATH: Readonly<Record<Language, string>> = { ro: '/azi.atom', en: '/en/today.atom' };

/** The link to the page of a day; today has an address of its own. */
function dayLink(day: DayNumber, today: DayNumber, language: Language): Html {
  return html`<a href="${dayPath(day, today, language)}">${formatDay(day, language)}</a>`;
}

export function dayPath(day: DayNumber, today: DayNumber, language: Language): string {
  return day === today ? ROUTES.today[language] : routePath('day', language, { day: dayText(day) });
}

function title(day: Day | null, words: string, language: Language): string {
  const meanOf = (fuel: RoadFuel) => day?.fuels.find((each) => each.fuel === fuel)?.statistics.mean;
  const prices = pricesInWords(['petrol', 'diesel'], meanOf, language);
  return prices === '' ? words : `${words}: ${prices} lei`;
}

function description(day: Day, language: Language): string {
  const [first] = day.fuels;
  return first === undefined ? TEXTS.none[language] : daySentence(first, day, language);
}

function dayContent(day: Day, data: SiteData, language: Language): Html {
  const { snapshot } = data;
  const sentences = day.fuels.map((each) => {
    const record = recordSentence(each, language);
    return html`<p>${daySentence(each, day, language)}${record === null ? null : html` <strong>${record}</strong>`}</p>\n`;
  });
  return html`<div class="sentences">
${sentences}</div>
${figuresTable(day.fuels, language)}
<p><a href="${dayCsvPath(day.day)}" download>${TEXTS.dayCsv[language]}</a></p>
${sinceThen(day, snapshot, language)}<p>${TEXTS.everyDay[language]} <a href="${statisticsFilePath('national')}" download>CSV</a>, <a href="${FEED_PATH[language]}">${TEXTS.feed[language]}</a></p>
<h2>${TEXTS.tank[language](TANK_LITRES)}</h2>
<ul>
${day.fuels.map(({ fuel, statistics }) => html`<li>${tankSentence(fuelName(fuel, language), statistics.mean, language)}</li>\n`)}</ul>
${citiesTable(day.day, data, language)}
<nav class="days" aria-label="${TEXTS.days[language]}">
${day.earlier === null ? null : html`<span>‹ ${dayLink(day.earlier, snapshot.today, language)}</span>`}
<a href="${ROUTES.days[language]}">${TEXTS.days[language]}</a>
${day.later === null ? null : html`<span>${dayLink(day.later, snapshot.today, language)} ›</span>`}
</nav>`;
}

/** What each fuel costs today, and how far it is from that day; nothing on the page of today. */
function sinceThen(day: Day, snapshot: Snapshot, language: Language): Html | null {
  if (day.isToday) return null;
  const items = day.fuels.flatMap(({ fuel, statistics }) => {
    const now = snapshot.statistics('national', fuel).find((each) => each.day === snapshot.today);
    if (now === undefined) return [];
    const change = signedBani(now.mean - statistics.mean, language);
    return [html`<li>${fuelName(fuel, language)}: ${formatRon(now.mean, language)} lei (${change})</li>\n`];
  });
  return items.length === 0 ? null : html`<h2>${TEXTS.today[language]}</h2>\n<ul class="columns">\n${items}</ul>\n`;
}

function tankSentence(name: string, mean: MilliPrice, language: Language): string {
  return `${name}: ${formatLei(tankCost(mean), language)} lei`;
}

function figuresTable(fuels: readonly FuelDay[], language: Language): Html {
  const changeHeadings = CHANGE_DAYS.map(
    (days) => html`<th scope="col" class="num">${TEXTS.change[language](days)}</th>`,
  );
  const rows = fuels.map(({ fuel, statistics: { min, mean, max }, changes }) => {
    const cells = changes.map(
      (change, index) =>
        html`<td class="num" data-column="${TEXTS.change[language](CHANGE_DAYS[index] ?? 0)}">${change === null ? priceAlone(null, language) : formatBani(change, language)}</td>`,
    );
    return html`<tr><th scope="row">${fuelName(fuel, language)}</th><td class="num" data-column="${TEXTS.lowest[language]}">${formatRon(min, language)}</td><td class="num mean" data-column="${TEXTS.mean[language]}">${formatRon(mean, language)}</td><td class="num" data-column="${TEXTS.highest[language]}">${formatRon(max, language)}</td>${cells}</tr>\n`;
  });
  return html`${scrollableTable(TEXTS.caption[language])}<table class="stacked">
<caption>${TEXTS.caption[language]}</caption>
<thead><tr><th scope="col">${TEXTS.fuel[language]}</th><th scope="col" class="num">${TEXTS.lowest[language]}</th><th scope="col" class="num">${TEXTS.mean[language]}</th><th scope="col" class="num">${TEXTS.highest[language]}</th>${changeHeadings}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

function citiesTable(day: DayNumber, { snapshot, gazetteer }: SiteData, language: Language): Html | null {
  const cities = citiesOn(day, CITIES_SHOWN, snapshot).filter(({ lowest }) => lowest.size > 0);
  if (cities.length === 0) return null;
  const rows = cities.map(({ slug, name, lowest }) => {
    const cells = ROAD_FUELS.map(
      (fuel) => html`<td class="${priceClass(fuel)}">${priceAlone(lowest.get(fuel) ?? null, language)}</td>`,
    );
    const shown = cityName(slug, name, gazetteer);
    return html`<tr><th scope="row"><a href="${routePath('city', language, { city: slug })}">${shown}</a></th>${cells}</tr>\n`;
  });
  return html`<h2>${TEXTS.cities[language]}</h2>
<div class="table"><table>
<caption>${TEXTS.citiesCaption[language]}</caption>
<thead><tr><th scope="col">${TEXTS.city[language]}</th>${fuelHeadings(language)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`;
}
