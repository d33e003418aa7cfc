/**
 * The German channel: what it is, and how to query it. Its stations and prices in EUR are in no page and no answer
 * about Romania. Rule 35.
 */

import { GERMANY_RATE_LIMIT } from '../../../domain/access/request-limits.ts';
import { GERMAN_RADIUS_KM, GERMANY } from '../../../domain/german-station.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import { GERMAN_SOURCE } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest } from '../../frame/site-data.ts';
import { curlCommand } from '../../html/curl.ts';
import { html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { GERMAN_CITIES, TEXTS } from './germany-texts.ts';

const PATH = '/api/v1/de-statii';
/** The place of the example, and of the form as it is first shown. */
const [EXAMPLE] = GERMAN_CITIES;

/** The page of the German channel. */
export function germanyPage({ language, data }: PageRequest): Page {
  const { publicUrl } = data;
  const description = TEXTS.description[language];
  const [city, lat, lng] = TEXTS.columns[language];
  const query = new URLSearchParams({ lat: String(EXAMPLE.lat), lng: String(EXAMPLE.lng), rad: '5' });
  return {
    language,
    route: 'germany',
    paths: ROUTES.germany,
    title: TEXTS.title[language],
    description,
    breadcrumb: [countryLink(language)],
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'WebAPI',
        name: TEXTS.heading[language],
        description,
        documentation: `${publicUrl}${routePath('docs', language)}`,
        url: `${publicUrl}${ROUTES.germany[language]}`,
      },
    ],
    content: html`<h1>${TEXTS.heading[language]}</h1>
<p class="lead">${TEXTS.lead[language]}</p>
<ul>
${TEXTS.facts[language](GERMANY_RATE_LIMIT.perMinute).map((fact) => html`<li>${inlineMarkup(fact)}</li>\n`)}</ul>
<h2 id="cautare">${TEXTS.search[language]}</h2>
<p>${TEXTS.searchAbout[language]}</p>
<form class="fields" action="${PATH}" method="get">
<label>${lat} <input name="lat" type="number" step="any" min="${GERMANY.lat.min}" max="${GERMANY.lat.max}" value="${EXAMPLE.lat}" required></label>
<label>${lng} <input name="lng" type="number" step="any" min="${GERMANY.lng.min}" max="${GERMANY.lng.max}" value="${EXAMPLE.lng}" required></label>
<label>${TEXTS.radius[language]} <input name="rad" type="number" min="${GERMAN_RADIUS_KM.min}" max="${GERMAN_RADIUS_KM.max}" value="${GERMAN_RADIUS_KM.defaultKm}" required></label>
<button type="submit">${TEXTS.submit[language]}</button>
</form>
<div class="table"><table>
<caption>${TEXTS.citiesCaption[language]}</caption>
<thead><tr><th scope="col">${city}</th><th scope="col" class="num">${lat}</th><th scope="col" class="num">${lng}</th></tr></thead>
<tbody>
${GERMAN_CITIES.map(({ name, lat, lng }) => html`<tr><th scope="row">${name[language]}</th><td class="num">${lat}</td><td class="num">${lng}</td></tr>\n`)}</tbody>
</table></div>
<h2 id="api">API</h2>
<p>${TEXTS.apiAbout[language](EXAMPLE.name[language])}</p>
<pre tabindex="0"><code>${curlCommand(`${publicUrl}${PATH}?${query}`)}</code></pre>
<p>${inlineMarkup(TEXTS.answer[language])}</p>
<p><a href="${routePath('docs', language)}">${TEXTS.docs[language]}</a></p>
<h2 id="sursa">${TEXTS.source[language]}</h2>
<p>${TEXTS.sourceAbout[language]} <a href="${GERMAN_SOURCE.url}" rel="license">${GERMAN_SOURCE.credit}</a>. ${TEXTS.sourceCredit[language]}</p>`,
  };
}
