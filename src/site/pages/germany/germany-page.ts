/**
 * The stations around a town in Germany, from the German channel: the page takes from the limits and the cache of the
 * API. Its stations and prices in EUR are in no page and no answer about Romania. Rule 35.
 */

import { GERMANY_RATE_LIMIT } from '../../../domain/access/request-limits.ts';
import type { GermanOutcome } from '../../../domain/german-station.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { type GermanChoices, germanChoices, germanPath } from '../../../domain/pages/german-choices.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { GermanPlace } from '../../../domain/places/german-places.ts';
import { GERMAN_SOURCE, POSTCODES_CREDIT } from '../../../domain/service-identity.ts';
import type { GermanPages } from '../../frame/german-pages.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest } from '../../frame/site-data.ts';
import { curlCommand } from '../../html/curl.ts';
import { formatEur } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { pageTitle } from '../../html/page-title.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { cityLinks, germanForm } from './german-form.ts';
import { type GermanFindings, germanList, rankGermanStations } from './german-list.ts';
import { SEARCH_TEXTS, waitText } from './german-search-texts.ts';
import { API_EXAMPLE, TEXTS } from './germany-texts.ts';

const API_PATH = '/api/v1/de-statii';
/** What a page says besides its form. */
type Message = Pick<Page, 'status' | 'retryAfterSeconds'> & { readonly content: Html };

/** The page; with a place in the query, of the stations around it. */
export function germanyPage(request: PageRequest): Page | Promise<Page> {
  const { language, query, data, outsideTurn } = request;
  const choices = germanChoices(query);
  const { germany } = data;
  if (germany === null) return formPage(request, choices, problem(SEARCH_TEXTS.notConfigured[language]), false);
  if (choices.place === '') return formPage(request, choices, null);
  // The time that the channel has begins before the limit is asked, as in the API.
  const startedAt = performance.now();
  const wait = germany.takeRequest(request.visitor);
  const searched = (waitMs: number) => search(request, choices, germany, waitMs, startedAt);
  return wait instanceof Promise ? outsideTurn(wait).then(searched) : searched(wait);
}

function search(
  request: PageRequest,
  choices: GermanChoices,
  germany: GermanPages,
  waitMs: number,
  startedAt: number,
): Page | Promise<Page> {
  const { language, visitor, outsideTurn } = request;
  if (waitMs > 0) {
    const text = SEARCH_TEXTS.limited[language](GERMANY_RATE_LIMIT.perMinute, waitText(waitMs, language));
    return formPage(request, choices, { ...problem(text), ...refusal(429, waitMs) });
  }
  const place = germany.places.findPlace(choices.place);
  if (place === undefined) return formPage(request, choices, unknownPlace(choices, germany, language));
  const outcome = germany.find({ lat: place.lat, lng: place.lng, radiusKm: choices.radiusKm }, visitor, startedAt);
  const shown = (settled: GermanOutcome) => outcomePage(request, choices, place, settled, germany);
  return outcome instanceof Promise ? outsideTurn(outcome).then(shown) : shown(outcome);
}

function outcomePage(
  request: PageRequest,
  choices: GermanChoices,
  place: GermanPlace,
  outcome: GermanOutcome,
  germany: GermanPages,
): Page {
  const { language, data } = request;
  if (outcome.kind !== 'found') return formPage(request, choices, { ...unanswered(outcome, language) });
  const findings: GermanFindings = { choices, place: place.label, answer: outcome.answer, now: data.clock() };
  const namesakes = germany.places.namesakesOf(choices.place);
  return {
    ...frameOf(request, choices),
    title: titleOf(findings, language),
    content: html`<h1>${SEARCH_TEXTS.heading[language](place.label)}</h1>
${germanList(findings, language)}
${namesakes.length === 0 ? null : html`<p>${SEARCH_TEXTS.namesakes[language]} ${placeLinks(namesakes, choices, language)}</p>\n`}<h2 id="cautare">${TEXTS.search[language]}</h2>
${germanForm(choices, language)}
${sourceSection(language)}`,
  };
}

function titleOf({ choices: { fuel }, place, answer }: GermanFindings, language: Language): string {
  const [cheapest] = rankGermanStations(answer.stations, fuel);
  const plain = SEARCH_TEXTS.titleOf[language](place);
  if (cheapest === undefined) return pageTitle([plain, place]);
  const price = SEARCH_TEXTS.titlePrice[language](
    SEARCH_TEXTS.fuels[fuel][language],
    formatEur(cheapest.price, language),
  );
  return pageTitle([SEARCH_TEXTS.title[language](place, price), plain, place]);
}

function unknownPlace(choices: GermanChoices, { places }: GermanPages, language: Language): Message {
  const labels = places.suggestPlaces(choices.place);
  const said = SEARCH_TEXTS.unknownPlace[language](choices.place);
  const likely =
    labels.length === 0 ? null : html` ${SEARCH_TEXTS.didYouMean[language]} ${placeLinks(labels, choices, language)}?`;
  return { status: 400, content: html`<p class="problem" role="alert">${said}${likely}</p>` };
}

function placeLinks(labels: readonly string[], choices: GermanChoices, language: Language): Html[] {
  return labels.map(
    (place, index) =>
      html`${index === 0 ? '' : '; '}<a href="${germanPath({ ...choices, place }, language)}" rel="nofollow">${place}</a>`,
  );
}

function unanswered(outcome: Exclude<GermanOutcome, { kind: 'found' }>, language: Language): Message {
  switch (outcome.kind) {
    case 'over budget': {
      const { isOwnShare = false, waitMs } = outcome;
      const said = (isOwnShare ? SEARCH_TEXTS.ownShare : SEARCH_TEXTS.overBudget)[language](waitText(waitMs, language));
      return { ...problem(said), ...refusal(isOwnShare ? 429 : 503, waitMs) };
    }
    case 'failed':
      return problem(SEARCH_TEXTS.failed[language]);
    case 'unavailable':
      return problem(SEARCH_TEXTS.unavailable[language]);
    case 'not configured':
      return problem(SEARCH_TEXTS.notConfigured[language]);
  }
}

function problem(said: string): Message {
  return { status: 503, content: html`<p class="problem" role="alert">${said}</p>` };
}

function refusal(status: 429 | 503, waitMs: number): Required<Pick<Page, 'status' | 'retryAfterSeconds'>> {
  return { status, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

/** The form, and what is wrong if anything is; without the form where nothing can be searched. */
function formPage(request: PageRequest, choices: GermanChoices, message: Message | null, canSearch = true): Page {
  const { language, data } = request;
  const { publicUrl } = data;
  const query = new URLSearchParams({ lat: String(API_EXAMPLE.lat), lng: String(API_EXAMPLE.lng), rad: '5' });
  const { content = null, ...refused } = message ?? {};
  return {
    ...frameOf(request, choices),
    // The page itself is there for everybody: only a search can fail.
    ...(choices.place !== '' && refused),
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'WebAPI',
        name: TEXTS.heading[language],
        description: TEXTS.description[language],
        documentation: `${publicUrl}${routePath('docs', language)}`,
        url: `${publicUrl}${routePath('germany', language)}`,
      },
    ],
    content: html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${TEXTS.lead[language]}</p>
${content}
${canSearch ? html`${germanForm(choices, language)}\n<h2>${SEARCH_TEXTS.towns[language]}</h2>\n${cityLinks(language)}` : null}
${sourceSection(language)}
<h2 id="api">API</h2>
<p>${TEXTS.apiAbout[language](API_EXAMPLE.name)}</p>
<pre tabindex="0"><code>${curlCommand(`${publicUrl}${API_PATH}?${query}`)}</code></pre>
<ul>
${TEXTS.facts[language](GERMANY_RATE_LIMIT.perMinute).map((fact) => html`<li>${inlineMarkup(fact)}</li>\n`)}</ul>
<p>${inlineMarkup(TEXTS.answer[language])} <a href="${routePath('docs', language)}">${TEXTS.docs[language]}</a>.</p>`,
  };
}

function frameOf({ language }: PageRequest, choices: GermanChoices): Omit<Page, 'content'> {
  return {
    language,
    route: 'germany',
    paths: { ro: germanPath(choices, 'ro'), en: germanPath(choices, 'en') },
    canonical: routePath('germany', language),
    title: TEXTS.title[language],
    description: TEXTS.description[language],
    breadcrumb: [countryLink(language)],
    isIndexed: choices.place === '',
  };
}

function sourceSection(language: Language): Html {
  return html`<h2 id="sursa">${TEXTS.source[language]}</h2>
<p>${TEXTS.sourceAbout[language]} <a href="${GERMAN_SOURCE.url}" rel="license">${GERMAN_SOURCE.credit}</a>. ${TEXTS.sourceCredit[language]} ${SEARCH_TEXTS.postcodes[language]} <a href="${POSTCODES_CREDIT.url}">${POSTCODES_CREDIT.credit}</a>.</p>`;
}
