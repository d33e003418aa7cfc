/** Explains the API to developers: common rules, every endpoint, then what applies to all endpoints. */

import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import { EXAMPLE_STATION, stationSlug } from '../../domain/stations/station-slug.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { ApiDescription, EndpointDescription } from '../frame/api-description.ts';
import type { Page } from '../frame/page.ts';
import type { PageRequest } from '../frame/site-data.ts';
import { type Html, html } from '../html/html-template.ts';
import { inlineMarkup } from '../html/inline-markup.ts';
import { countryLink } from '../parts/breadcrumb.ts';
import type { DocsSection } from './docs-section.ts';
import { GENERAL, SECTIONS } from './docs-sections.ts';
import { anchorsOf, endpointSection } from './endpoint-section.ts';
import { trialKey } from './trial-form.ts';

/** The documentation page. */
export function docsPage({ language, data: { publicUrl, snapshot, api } }: PageRequest): Page {
  const station = exampleStation(snapshot);
  const endpoints = api.endpoints.map((endpoint) => withStation(endpoint, station));
  const anchors = anchorsOf(endpoints);
  const anchor = (at: number) => anchors[at] as string;
  const content = html`<div class="docs">
<div class="intro"><h1>${TITLE[language]}</h1>
<p class="lead">${inlineMarkup(LEAD[language])}</p></div>
${tableOfContents(endpoints, anchors, language)}
<div class="text">
<h2 id="adresa">${BASE_TITLE[language]}</h2>
<pre tabindex="0"><code>${publicUrl}</code></pre>
<p>${inlineMarkup(BASE_ABOUT[language])}</p>
${section(GENERAL, language, api)}
<h2 id="adrese">${ENDPOINTS_TITLE[language]}</h2>
${trialKey(language)}${endpoints.map((endpoint, at) => endpointSection(endpoint, anchor(at), language, publicUrl))}${SECTIONS.map((each) => section(each, language, api))}</div>
</div>`;
  return {
    language,
    route: 'docs',
    paths: ROUTES.docs,
    title: `${TITLE[language]} · ${SERVICE_NAME}`,
    description: DESCRIPTION[language],
    breadcrumb: [countryLink(language)],
    modules: ['try-it'],
    content,
  };
}

function tableOfContents(
  endpoints: readonly EndpointDescription[],
  anchors: readonly string[],
  language: Language,
): Html {
  const item = (id: string, name: Html | string, below?: Html) => html`<li><a href="#${id}">${name}</a>${below}</li>\n`;
  const isAlone = ({ path }: EndpointDescription) => endpoints.filter((each) => each.path === path).length === 1;
  const items = endpoints.map((endpoint, at) => {
    const path = endpoint.path.replace('/api/v1', '');
    return item(anchors[at] as string, isAlone(endpoint) ? path : `${endpoint.method} ${path}`);
  });
  return html`<nav class="toc" aria-labelledby="cuprins"><h2 id="cuprins">${CONTENTS[language]}</h2>
<ul>
${item('adresa', BASE_TITLE[language])}${item(GENERAL.id, GENERAL.title[language])}${item('adrese', ENDPOINTS_TITLE[language], html`<ul>\n${items}</ul>`)}${SECTIONS.map(({ id, title }) => item(id, title[language]))}</ul></nav>`;
}

function section({ id, title, content }: DocsSection, language: Language, api: ApiDescription): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title[language]}</h2>
${content(language, api)}
</section>
`;
}

type ExampleStation = { readonly id: string; readonly slug: string };

/**
 * A station for the examples, so that their commands work when pasted; a fictitious one until something is published.
 */
function exampleStation({ records, history }: Snapshot): ExampleStation {
  const record = records.find(
    ({ station, verdict }) => verdict.kind === 'trusted' && history(station.id) !== undefined,
  );
  return record === undefined ? EXAMPLE_STATION : { id: record.station.id, slug: stationSlug(record.station) };
}

/** The endpoint with that station in its example instead of the fictitious one. */
function withStation(endpoint: EndpointDescription, { id, slug }: ExampleStation): EndpointDescription {
  const put = (text: string) => text.replaceAll(EXAMPLE_STATION.slug, slug).replaceAll(EXAMPLE_STATION.id, id);
  const { target, body } = endpoint.example;
  const values = Object.entries(body ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? put(value) : value,
  ]);
  return { ...endpoint, example: { target: put(target), body: body && Object.fromEntries(values) } };
}

const TITLE: LocalizedText = { ro: 'Documentația API', en: 'API documentation' };

const DESCRIPTION: LocalizedText = {
  ro: 'Adresele, parametrii, câmpurile, erorile și limitele API-ului cu prețurile carburanților din România.',
  en: 'Paths, parameters, fields, errors and limits of the API of fuel prices in Romania.',
};

const LEAD: LocalizedText = {
  ro: `Un API JSON cu prețurile carburanților din România, în lei pe litru: benzină, motorină și GPL, pe orașe, județe, rețele și stații, cu istoric zilnic. În afară de modificări și de ce ține de o cheie, fiecare adresă răspunde și fără cheie, iar liniile \`curl\` de mai jos funcționează ca atare.`,
  en: `A JSON API of fuel prices in Romania, in RON per litre: petrol, diesel and LPG, by city, county, network and station, with daily history. Except for the changes and what belongs to a key, every endpoint also answers without a key, and the \`curl\` lines below work as they are.`,
};

const CONTENTS: LocalizedText = { ro: 'Cuprins', en: 'Contents' };
const BASE_TITLE: LocalizedText = { ro: 'Adresa de bază', en: 'Base address' };
const BASE_ABOUT: LocalizedText = {
  ro: 'Toate căile de mai jos se adaugă la această adresă. Programele pot citi descrierea [OpenAPI 3.1](/openapi.json).',
  en: 'All paths below are relative to this address. Programs can read the [OpenAPI 3.1](/openapi.json) description.',
};
const ENDPOINTS_TITLE: LocalizedText = { ro: 'Adresele API-ului', en: 'Endpoints' };
