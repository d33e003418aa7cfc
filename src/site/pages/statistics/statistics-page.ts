/** The history since records began: the country by fuel, counties and networks compared, with every series as CSV. */
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import { statisticsFilePath } from '../../../domain/pages/statistics-files.ts';
import { pricesOf, records } from '../../../domain/prices/price-standing.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, DAYS } from '../../html/counted.ts';
import { formatDay, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { countySlug } from '../../lookup/place-slugs.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { fuelGenitive, fuelName } from '../../parts/fuel-words.ts';
import { pastChart } from '../../parts/price-past.ts';
import { TEXTS } from './statistics-texts.ts';

/** The page of the whole history. */
export function statisticsPage({ language, data }: PageRequest): Page {
  const { snapshot } = data;
  const known = snapshot.statistics('national', 'petrol');
  const days = known.length === 0 ? 0 : snapshot.today - (known[0]?.day ?? snapshot.today) + 1;
  return {
    language,
    route: 'statistics',
    paths: ROUTES.statistics,
    title: TEXTS.title[language],
    description: TEXTS.description[language],
    showsPrices: true,
    modules: ['search'],
    breadcrumb: [countryLink(language)],
    content: html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${days === 0 ? TEXTS.none[language] : TEXTS.lead[language](counted(days, DAYS, language))} <a href="${routePath('days', language)}">${TEXTS.oneDay[language]}</a></p>
${recordsTable(snapshot, language)}
${ROAD_FUELS.map((fuel) => fuelSection(fuel, Math.max(days, 2), snapshot, language))}
${downloads(data, language)}`,
  };
}

function fuelSection(fuel: RoadFuel, days: number, snapshot: Snapshot, language: Language): Html | null {
  const title = TEXTS.past[language](fuelGenitive(fuel, language));
  const chart = pastChart({ snapshot, scope: 'national', fuel, language, title, band: TEXTS.band[language], days });
  return (
    chart &&
    html`<h2 id="${fuel}">${title}</h2>
${chart}`
  );
}

/** The lowest and highest mean of each fuel, each on its first day. */
function recordsTable(snapshot: Snapshot, language: Language): Html | null {
  const rows = ROAD_FUELS.flatMap((fuel) => {
    const found = records(pricesOf(snapshot.statistics('national', fuel), 'mean'));
    return found === null ? [] : [{ fuel, ...found }];
  });
  if (rows.length === 0) return null;
  return html`<div class="table"><table class="prices">
<caption>${TEXTS.records[language]}</caption>
<thead><tr><th scope="col">${TEXTS.fuel[language]}</th><th scope="col">${TEXTS.lowest[language]}</th><th scope="col">${TEXTS.highest[language]}</th></tr></thead>
<tbody>
${rows.map(({ fuel, lowest, highest }) => html`<tr><th scope="row">${fuelName(fuel, language)}</th>${[lowest, highest].map(({ day, price }) => html`<td>${formatRon(price, language)} <span class="unit">${formatDay(day, language)}</span></td>`)}</tr>\n`)}</tbody>
</table></div>`;
}

function downloads({ snapshot, gazetteer }: SiteData, language: Language): Html {
  const counties = gazetteer.counties
    .map((county) => ({
      name: county.name,
      page: routePath('county', language, { county: countySlug(county) }),
      csv: statisticsFilePath('county', countySlug(county)),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'ro'));
  const networks = snapshot.networks.map(({ network: { name, slug } }) => ({
    name,
    page: routePath('network', language, { network: slug }),
    csv: statisticsFilePath('network', slug),
  }));
  const list = (items: typeof counties) => html`<ul class="columns">
${items.map(({ name, page, csv }) => html`<li><a href="${page}">${name}</a> (<a href="${csv}" download aria-label="CSV ${name}">CSV</a>)</li>\n`)}</ul>`;
  return html`<h2>${TEXTS.downloads[language]}</h2>
<p><a href="${statisticsFilePath('national')}" download>${TEXTS.nationalCsv[language]}</a></p>
<h3>${TEXTS.networks[language]}</h3>
${list(networks)}
<h3>${TEXTS.counties[language]}</h3>
${list(counties)}`;
}
