/** How one endpoint of the API is explained. */
import { curl } from '../html/curl.ts';
import { type Html, html } from '../html/html.ts';
import { type Language, prose, type Text } from '../html/language.ts';

/** Parameters or fields that share a meaning; `type` is in JSON's words. */
export type Named = { readonly names: readonly string[]; readonly type: string; readonly about: Text };

export type ExplainedEndpoint = {
  /** Anchor. */
  readonly id: string;
  /** As OpenAPI writes it. */
  readonly path: string;
  readonly title: Text;
  /** What there is without a key. */
  readonly access: Text;
  readonly about: readonly Text[];
  readonly parameters: readonly Named[];
  /** Fields of the answer; the ones that every answer has are explained once. */
  readonly fields: readonly { readonly of: Text; readonly named: readonly Named[] }[];
  /** Path and query of a request that answers. */
  readonly example: (station: ExampleStation) => string;
  /** Where it is posted to: a body that answers. */
  readonly posted?: (station: ExampleStation) => object;
};

export type ExampleStation = { readonly id: string; readonly slug: string };

const WITHOUT_KEY: Text = { ro: 'Fără cheie', en: 'Without a key' };
const BODY: Text = { ro: 'Corpul cererii (JSON)', en: 'Body (JSON)' };
const PARAMETERS: Text = { ro: 'Parametri', en: 'Parameters' };

/** The section of one endpoint. */
export function explained(
  endpoint: ExplainedEndpoint,
  language: Language,
  base: string,
  station: ExampleStation,
): Html {
  const { id, path, title, access, about, parameters, fields, example, posted } = endpoint;
  return html`<section aria-labelledby="${id}">
<h3 id="${id}"><span class="method">${posted ? 'POST' : 'GET'}</span> <code>${path}</code></h3>
<p><strong>${prose(title[language])}.</strong> ${about.map((text) => html`${prose(text[language])} `)}</p>
<p class="access">${WITHOUT_KEY[language]}: ${prose(access[language])}</p>
<pre tabindex="0"><code>${curl(base + example(station), posted?.(station))}</code></pre>
${parameters.length > 0 ? namedList(posted ? BODY : PARAMETERS, parameters, language) : null}${fields.map(({ of, named }) => namedList(of, named, language))}</section>
`;
}

/** Names with their types and what they mean, under a heading of level 4. */
export function namedList(heading: Text, named: readonly Named[], language: Language): Html {
  return html`<h4>${prose(heading[language])}</h4>
<dl class="named">
${named.map(({ names, type, about }) => html`<div><dt>${names.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)} <span class="type">${type}</span></dt><dd>${prose(about[language])}</dd></div>\n`)}</dl>
`;
}
