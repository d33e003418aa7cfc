/** How fresh the data are: each source, the incidents, and how many prices count. The same as `/api/v1/health`. */
import { dayNumber, isoInstant } from '../../../domain/days.ts';
import { FUEL_NAME } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import type { DoubtReason } from '../../../domain/prices/price-verdict.ts';
import { freshness } from '../../../snapshot/freshness.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, countedShort, PRICES, STATIONS } from '../../html/counted.ts';
import { durationInWords } from '../../html/duration.ts';
import { formatBucharestTime, formatCount, formatDay } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { pageTitle } from '../../html/page-title.ts';
import { scrollableTable } from '../../html/scrollable-table.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { keyFigures } from '../../parts/price-parts.ts';
import { sourceTitle } from './source-names.ts';
import {
  countVerdicts,
  coverage,
  type LocatorState,
  locatorStates,
  type SourceState,
  sourceStates,
  type VerdictCounts,
  type VerdictKind,
} from './status-data.ts';
import {
  INCIDENTS,
  KIND_WORDS,
  LOCATOR_INCIDENT,
  REASON_WORDS,
  SET_ASIDE,
  STATE_WORDS,
  TEXTS,
} from './status-texts.ts';

/** The ages on the page are at most this much too young. */
const CACHE_MS = 20_000;

/** The status page. */
export function statusPage({ language, data }: PageRequest): Page {
  const { snapshot, clock, publicUrl } = data;
  const { counts, updatedAt, today } = snapshot;
  const states = sourceStates(data);
  const locatorsInService = locatorStates(data);
  const verdicts = countVerdicts(snapshot);
  const prices = counted(counts.recordsWithPrice, PRICES, language);
  const stations = counted(counts.stationsWithPrice, STATIONS, language);
  const description = TEXTS.description[language](prices, stations, formatDay(today, language));
  return {
    language,
    route: 'status',
    paths: ROUTES.status,
    title: title(data, language),
    description,
    breadcrumb: [countryLink(language)],
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'WebPage',
        name: TEXTS.heading[language],
        description,
        url: `${publicUrl}${ROUTES.status[language]}`,
        ...(updatedAt !== null && { dateModified: isoInstant(updatedAt) }),
      },
    ],
    cacheForMs: CACHE_MS,
    content: html`<h1>${TEXTS.heading[language]}</h1>
${verdict(data, language)}
${figures(data, language)}
<h2 id="surse">${TEXTS.sources[language]}</h2>
${states.length === 0 ? html`<p>${TEXTS.noSource[language]}</p>\n` : sourcesTable(states, clock(), language)}${manualPrices(data, language)}${rhythm(data, language)}${locators(locatorsInService, clock(), language)}
<h2 id="incidente">${TEXTS.incidents[language]}</h2>
${incidents(states, locatorsInService, clock(), language)}
<h2 id="preturi">${TEXTS.prices[language]}</h2>
<p>${TEXTS.pricesAbout[language]} <a href="${routePath('method', language)}#stari">${TEXTS.method[language]}</a>.</p>
${verdictsTable(verdicts, language)}
${doubts(verdicts, language)}
<h2 id="cifre">${TEXTS.figures[language]}</h2>
<p>${inlineMarkup(TEXTS.figuresAbout[language])}</p>
${healthFigures(data, language)}`,
  };
}

function title({ snapshot: { updatedAt, counts }, clock }: SiteData, language: Language): string {
  if (updatedAt === null) return TEXTS.titleWithout[language];
  const stations = countedShort(counts.stationsWithPrice, STATIONS, language);
  const age = durationInWords(clock() - updatedAt, language);
  return pageTitle([TEXTS.title[language](stations, age), TEXTS.titleOfAge[language](age)]);
}

function verdict({ snapshot, clock }: SiteData, language: Language): Html {
  const { isFresh } = freshness(snapshot, clock());
  const reason = snapshot.counts.recordsWithPrice === 0 ? html` ${TEXTS.noPrice[language]}` : null;
  return isFresh
    ? html`<p class="lead state good">${TEXTS.fresh[language]}</p>`
    : html`<p class="lead state bad">${TEXTS.degraded[language]}${reason}</p>`;
}

function figures({ snapshot: { counts, updatedAt }, clock }: SiteData, language: Language): Html {
  const count = (value: number) => formatCount(value, language);
  return keyFigures([
    {
      name: TEXTS.dataAge[language],
      value: updatedAt === null ? '–' : durationInWords(clock() - updatedAt, language),
      note: updatedAt === null ? null : time(updatedAt, language),
    },
    {
      name: TEXTS.stationsWithPrice[language],
      value: count(counts.stationsWithPrice),
      note: TEXTS.ofStations[language](count(counts.stations)),
    },
    {
      name: TEXTS.available[language],
      value: count(counts.recordsWithPrice),
      note: TEXTS.ofRecords[language](count(counts.records)),
    },
  ]);
}

function sourcesTable(states: readonly SourceState[], now: number, language: Language): Html {
  return html`<div class="table"><table class="stacked">
<thead><tr><th scope="col">${TEXTS.source[language]}</th><th scope="col">${TEXTS.state[language]}</th><th scope="col">${TEXTS.delivered[language]}</th><th scope="col">${TEXTS.downloaded[language]}</th><th scope="col">${TEXTS.covers[language]}</th></tr></thead>
<tbody>
${states.map(({ name, state, deliveredAt, downloadedAt, covers }) => {
  const moment = (instant: number | null) =>
    instant === null
      ? TEXTS.never[language]
      : html`${ago(instant, now, language)} <span class="soft">(${time(instant, language)})</span>`;
  return html`<tr><th scope="row">${sourceTitle(name, language)}</th><td><span class="state ${state === 'current' ? 'good' : 'bad'}">${STATE_WORDS[language][state]}</span></td><td data-column="${TEXTS.delivered[language]}">${moment(deliveredAt)}</td><td data-column="${TEXTS.downloaded[language]}">${moment(downloadedAt)}</td><td data-column="${TEXTS.covers[language]}">${covered(covers, language)}</td></tr>\n`;
})}</tbody>
</table></div>
`;
}

/** Prices of reports, whose age no rule limits to the rhythm of a source. */
function manualPrices({ snapshot }: SiteData, language: Language): Html | null {
  const manual = coverage(snapshot).get('manual');
  if (manual === undefined) return null;
  const prices = counted(manual.prices, PRICES, language);
  return html`<p>${TEXTS.manual[language](prices, counted(manual.stations, STATIONS, language))}</p>\n`;
}

function rhythm({ collectEveryMs }: SiteData, language: Language): Html | null {
  if (collectEveryMs === null) return null;
  return html`<p class="soft">${TEXTS.rhythm[language](durationInWords(collectEveryMs, language))}</p>`;
}

function locators(states: readonly LocatorState[], now: number, language: Language): Html | null {
  if (states.length === 0) return null;
  return html`<p>${TEXTS.locators[language]}</p>
<ul>
${states.map(({ name, deliveredAt }) => {
  const when = deliveredAt === null ? TEXTS.never[language] : ago(deliveredAt, now, language);
  return html`<li>${TEXTS.locatorDelivered[language](sourceTitle(name, language), when)}</li>
`;
})}</ul>
`;
}

function covered({ stations, prices }: SourceState['covers'], language: Language): string {
  return TEXTS.from[language](counted(prices, PRICES, language), counted(stations, STATIONS, language));
}

function incidents(
  states: readonly SourceState[],
  locatorsInService: readonly LocatorState[],
  now: number,
  language: Language,
): Html {
  const ofLocators = locatorsInService
    .filter(({ isLate }) => isLate)
    .map(({ name, deliveredAt }) => {
      const age = deliveredAt === null ? null : durationInWords(now - deliveredAt, language);
      return LOCATOR_INCIDENT[language](sourceTitle(name, language), age);
    });
  const ofSources = states.flatMap(({ name, state, deliveredAt, downloadedAt, setAside }) => {
    const source = sourceTitle(name, language);
    const age = deliveredAt === null ? '' : durationInWords(now - deliveredAt, language);
    const silence = INCIDENTS[language](source, age)[state];
    const aside =
      setAside && downloadedAt !== null
        ? SET_ASIDE[language](source, formatBucharestTime(downloadedAt, language))
        : null;
    return [silence, aside].filter((sentence) => sentence !== null);
  });
  const sentences = [...ofSources, ...ofLocators];
  if (sentences.length === 0)
    return html`<p>${states.length === 0 ? TEXTS.noSource[language] : TEXTS.noIncident[language]}</p>`;
  return html`<ul>
${sentences.map((sentence) => html`<li>${sentence}</li>\n`)}</ul>`;
}

const KINDS: readonly VerdictKind[] = ['trusted', 'doubtful', 'expired', 'incoherent', 'unknown'];

function verdictsTable({ byFuel, byKind, total }: VerdictCounts, language: Language): Html {
  const row = (name: string, counts: Readonly<Record<VerdictKind, number>>, sum: number) =>
    html`<tr><th scope="row">${name}</th>${KINDS.map((kind) => html`<td class="num" data-column="${KIND_WORDS[language][kind]}">${formatCount(counts[kind], language)}</td>`)}<td class="num" data-column="${TEXTS.total[language]}">${formatCount(sum, language)}</td></tr>\n`;
  const sumOf = (counts: Readonly<Record<VerdictKind, number>>) => KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  return html`${scrollableTable(TEXTS.prices[language])}<table class="stacked">
<thead><tr><th scope="col">${TEXTS.fuel[language]}</th>${KINDS.map((kind) => html`<th scope="col" class="num">${KIND_WORDS[language][kind]}</th>`)}<th scope="col" class="num">${TEXTS.total[language]}</th></tr></thead>
<tbody>
${[...byFuel].map(([fuel, counts]) => row(FUEL_NAME[fuel][language], counts, sumOf(counts)))}${row(TEXTS.all[language], byKind, total)}</tbody>
</table></div>`;
}

const REASONS: readonly DoubtReason[] = ['stuck', 'stale', 'orphaned'];

function doubts({ byKind, byReason }: VerdictCounts, language: Language): Html | null {
  if (byKind.doubtful === 0) return null;
  return html`<h3>${TEXTS.doubts[language]}</h3>
<ul>
${REASONS.filter((reason) => byReason[reason] > 0).map((reason) => html`<li><strong>${formatCount(byReason[reason], language)}</strong> ${REASON_WORDS[language][reason]}</li>\n`)}</ul>`;
}

/** The fields of `/health`, in its order. */
function healthFigures({ snapshot, clock, api }: SiteData, language: Language): Html {
  const { updatedAt, counts } = snapshot;
  const { updateAgeSeconds, oldestDeliverySeconds, oldestDownloadSeconds } = freshness(snapshot, clock());
  const age = (seconds: number | null) => (seconds === null ? null : durationInWords(seconds * 1000, language));
  const count = (value: number) => formatCount(value, language);
  const { oldestObservation } = counts;
  const values: Readonly<Record<string, string | Html | null>> = {
    actualizat_la: updatedAt === null ? null : time(updatedAt, language),
    vechime_secunde: age(updateAgeSeconds),
    vechime_maxima_secunde: age(oldestDeliverySeconds),
    vechime_maxima_descarcare_secunde: age(oldestDownloadSeconds),
    observatie_cea_mai_veche: oldestObservation === null ? null : formatDay(dayNumber(oldestObservation), language),
    preturi_fara_data_observatie: count(counts.pricesWithoutDay),
    statii_cu_pret: count(counts.recordsWithPrice),
    inregistrari_total: count(counts.records),
    preturi_disponibile: count(counts.recordsWithPrice),
    statii_total: count(counts.stations),
    statii_cu_pret_unice: count(counts.stationsWithPrice),
  };
  return html`<dl class="named">
${Object.entries(values).map(([name, value]) => html`<div><dt><code>${name}</code></dt><dd><strong>${value ?? TEXTS.notKnown[language]}</strong> <span class="soft">${meaningOf(name, api, language)}</span></dd></div>\n`)}</dl>`;
}

/** What the documentation says about a field of `/health`. */
function meaningOf(field: string, { endpoints }: SiteData['api'], language: Language): Html[] {
  const answers = endpoints.find(({ path }) => path === '/api/v1/health')?.answers ?? [];
  const fields = answers.flatMap(({ objects }) => objects.flatMap((object) => object.fields));
  return inlineMarkup(fields.find(({ names }) => names.includes(field))?.description[language] ?? '');
}

function ago(instant: number, now: number, language: Language): string {
  return TEXTS.ago[language](durationInWords(now - instant, language));
}

function time(instant: number, language: Language): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${formatBucharestTime(instant, language)}</time>`;
}
