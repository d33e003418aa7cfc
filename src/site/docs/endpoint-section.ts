/** How one endpoint of the API is explained. */

import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { curlCommand } from '../html/curl.ts';
import { type Html, html } from '../html/html.ts';
import { inlineMarkup } from '../html/inline-markup.ts';

/** Parameters or fields that share a meaning; `type` is in JSON's words. */
export type DocumentedField = {
  readonly names: readonly string[];
  readonly type: string;
  readonly about: LocalizedText;
};

export type EndpointDoc = {
  /** Anchor. */
  readonly id: string;
  /** As OpenAPI writes it. */
  readonly path: string;
  readonly title: LocalizedText;
  /** What there is without a key. */
  readonly access: LocalizedText;
  readonly about: readonly LocalizedText[];
  readonly parameters: readonly DocumentedField[];
  /** Fields of the answer; the ones that every answer has are explained once. */
  readonly fields: readonly { readonly of: LocalizedText; readonly entries: readonly DocumentedField[] }[];
  /** Path and query of a request that answers. */
  readonly example: (station: ExampleStation) => string;
  /** Where it is posted to: a body that answers. */
  readonly exampleBody?: (station: ExampleStation) => object;
};

export type ExampleStation = { readonly id: string; readonly slug: string };

const WITHOUT_KEY: LocalizedText = { ro: 'Fără cheie', en: 'Without a key' };
const BODY: LocalizedText = { ro: 'Corpul cererii (JSON)', en: 'Body (JSON)' };
const PARAMETERS: LocalizedText = { ro: 'Parametri', en: 'Parameters' };

/** The section of one endpoint. */
export function endpointSection(
  endpoint: EndpointDoc,
  language: Language,
  base: string,
  station: ExampleStation,
): Html {
  const { id, path, title, access, about, parameters, fields, example, exampleBody } = endpoint;
  return html`<section aria-labelledby="${id}">
<h3 id="${id}"><span class="method">${exampleBody ? 'POST' : 'GET'}</span> <code>${path}</code></h3>
<p><strong>${inlineMarkup(title[language])}.</strong> ${about.map((text) => html`${inlineMarkup(text[language])} `)}</p>
<p class="access">${WITHOUT_KEY[language]}: ${inlineMarkup(access[language])}</p>
<pre tabindex="0"><code>${curlCommand(base + example(station), exampleBody?.(station))}</code></pre>
${parameters.length > 0 ? fieldList(exampleBody ? BODY : PARAMETERS, parameters, language) : null}${fields.map(({ of, entries }) => fieldList(of, entries, language))}</section>
`;
}

/** Names with their types and what they mean, under a heading of level 4. */
export function fieldList(heading: LocalizedText, entries: readonly DocumentedField[], language: Language): Html {
  return html`<h4>${inlineMarkup(heading[language])}</h4>
<dl class="named">
${entries.map(({ names, type, about }) => html`<div><dt>${names.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)} <span class="type">${type}</span></dt><dd>${inlineMarkup(about[language])}</dd></div>\n`)}</dl>
`;
}
