/** The data for anybody: what is published, in which forms, under which licence, and how to cite it. */
import { ANONYMOUS_LIMITS } from '../../../domain/access/request-limits.ts';
import { dayText, isoInstant } from '../../../domain/days.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../../domain/service-identity.ts';
import { SIMULATED } from '../../../dumps/description/dump-identity.ts';
import { firstDayOf } from '../../../dumps/months.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { CITIES, counted, countedShort, PRICES, STATIONS } from '../../html/counted.ts';
import { curlCommand } from '../../html/curl.ts';
import { durationInWords } from '../../html/duration.ts';
import { formatBucharestTime, formatDay } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { COUNTRY, countryLink } from '../../parts/breadcrumb.ts';
import { CITY_CSV_COLUMNS } from '../city/city-csv.ts';
import { csvPath } from '../city/city-data.ts';
import { dumpDownloads, dumpSection, spreadsheetSection } from './dump-section.ts';
import { COLUMN_MEANINGS, TEXTS } from './open-data-texts.ts';

/** Cities whose file the page links to. */
const CITIES_SHOWN = 12;

/** The data page. */
export function dataPage({ language, data }: PageRequest): Page {
  const { snapshot, publicUrl } = data;
  const { counts, today } = snapshot;
  const prices = counted(counts.recordsWithPrice, PRICES, language);
  const stations = counted(counts.stationsWithPrice, STATIONS, language);
  const description = TEXTS.description[language](prices, stations, formatDay(today, language));
  return {
    language,
    route: 'data',
    paths: ROUTES.data,
    title: TEXTS.title[language](countedShort(counts.stationsWithPrice, STATIONS, language)),
    description,
    breadcrumb: [countryLink(language)],
    structuredData: [dataset(data, description, language)],
    content: html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${TEXTS.lead[language](prices, stations, counted(snapshot.cities.length, CITIES, language))}</p>
<h2 id="licenta">${TEXTS.licence[language]}</h2>
<p>${inlineMarkup(TEXTS.licenceAbout[language])}</p>
<p>${TEXTS.citeAs[language]}</p>
<pre tabindex="0"><code>${citation(data, language)}</code></pre>
<h2 id="csv">${TEXTS.csv[language]}</h2>
<p>${TEXTS.csvAbout[language]}</p>
${cityFiles(data, language)}
${columnsList(language)}
<p>${inlineMarkup(TEXTS.csvStates[language])}</p>
<p>${inlineMarkup(TEXTS.csvDays[language])}</p>
${spreadsheetSection(data, language)}${dumpSection(data, language)}<h2 id="api">API</h2>
<p>${inlineMarkup(TEXTS.apiAbout[language](ANONYMOUS_LIMITS.cities))}</p>
<pre tabindex="0"><code>${curlCommand(`${publicUrl}/api/v1/preturi/minime`)}</code></pre>
<ul class="links">
<li><a href="${routePath('docs', language)}"><b>${TEXTS.docs[language]}</b><span>${TEXTS.docsAbout[language]}</span></a></li>
<li><a href="/openapi.json"><b>OpenAPI 3.1</b><span>${TEXTS.openApiAbout[language]}</span></a></li>
<li><a href="${routePath('plans', language)}"><b>${TEXTS.plans[language]}</b><span>${TEXTS.plansAbout[language]}</span></a></li>
<li><a href="${routePath('germany', language)}"><b>${TEXTS.germany[language]}</b><span>${TEXTS.germanyAbout[language]}</span></a></li>
<li><a href="${routePath('embeds', language)}"><b>${TEXTS.embeds[language]}</b><span>${TEXTS.embedsAbout[language]}</span></a></li>
</ul>
<h2 id="ritm">${TEXTS.rhythm[language]}</h2>
<p>${rhythm(data, language)}</p>
<ul>
<li><a href="${routePath('status', language)}">${TEXTS.status[language]}</a></li>
<li><a href="${routePath('method', language)}">${TEXTS.method[language]}</a></li>
<li><a href="${routePath('terms', language)}">${TEXTS.terms[language]}</a></li>
</ul>`,
  };
}

/** A line that credits the source, as the licence asks. */
function citation({ publicUrl, snapshot: { today } }: SiteData, language: Language): string {
  return `${SERVICE_NAME}, ${TEXTS.work[language]}, ${formatDay(today, language)}, ${publicUrl}${ROUTES.home[language]} (${LICENCE.name})`;
}

function cityFiles({ snapshot, gazetteer }: SiteData, language: Language): Html | null {
  const cities = snapshot.cities.slice(0, CITIES_SHOWN);
  if (cities.length === 0) return null;
  return html`<ul class="columns">
${cities.map(({ slug, name }) => html`<li><a href="${csvPath({ segment: { city: slug } })}" download>${cityName(slug, name, gazetteer)}</a> <span class="soft">CSV</span></li>\n`)}</ul>
<p class="soft">${inlineMarkup(TEXTS.csvAddress[language])}</p>`;
}

function columnsList(language: Language): Html {
  return html`<dl class="named">
${CITY_CSV_COLUMNS.map((column) => html`<div><dt><code>${column}</code></dt><dd>${inlineMarkup(COLUMN_MEANINGS[column][language])}</dd></div>\n`)}</dl>`;
}

function rhythm({ collectEveryMs, snapshot: { updatedAt } }: SiteData, language: Language): string {
  const every = collectEveryMs === null ? null : durationInWords(collectEveryMs, language);
  const last = updatedAt === null ? null : formatBucharestTime(updatedAt, language);
  return [TEXTS.everySoOften[language](every), last === null ? null : TEXTS.lastUpdate[language](last)]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

function dataset(data: SiteData, description: string, language: Language): object {
  const { publicUrl, snapshot, gazetteer } = data;
  const download = (encodingFormat: string, contentUrl: string) => ({
    '@type': 'DataDownload',
    encodingFormat,
    contentUrl: `${publicUrl}${contentUrl}`,
  });
  const [largest] = snapshot.cities.filter(({ slug }) => gazetteer.localityBySlug(slug) !== undefined);
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: data.simulated ? `${SIMULATED[language]} ${TEXTS.work[language]}` : TEXTS.work[language],
    description,
    url: `${publicUrl}${ROUTES.data[language]}`,
    license: LICENCE.url,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: SERVICE_NAME, url: `${publicUrl}/` },
    spatialCoverage: { '@type': 'Place', name: COUNTRY[language] },
    temporalCoverage: coverage(data),
    ...(snapshot.updatedAt !== null && { dateModified: isoInstant(snapshot.updatedAt) }),
    distribution: [
      download('application/json', '/api/v1/preturi/minime'),
      ...(largest === undefined ? [] : [download('text/csv', csvPath({ segment: { city: largest.slug } }))]),
      ...dumpDownloads(data).map(({ mediaType, path }) => download(mediaType, path)),
    ],
  };
}

/** From the first month of the files to today, as an interval of ISO 8601; today where there are none. */
function coverage({ snapshot, dumps }: SiteData): string {
  const today = dayText(snapshot.today);
  const [first] = (dumps?.files ?? []).flatMap(({ month }) => month ?? []).toSorted();
  return first === undefined ? today : `${dayText(firstDayOf(first))}/${today}`;
}
