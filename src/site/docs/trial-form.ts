/**
 * "Try it": a form for each endpoint that changes nothing. The page hides them; `try-it.ts` in the browser shows them.
 */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { EndpointDescription, InputDescription } from '../frame/api-description.ts';
import { type Html, html } from '../html/html-template.ts';
import { inlineMarkup } from '../html/inline-markup.ts';

/**
 * What readers must know before they try a request, and the field for their key, which has no name: nothing sends it.
 */
export function trialKey(language: Language): Html {
  return html`<div class="trial-key fields" hidden><p>${inlineMarkup(TEXTS.about[language])}</p>
<label>${TEXTS.key[language]}<input type="text" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200"></label></div>
`;
}

/** The form of an endpoint, with the values of its example; `null` if its requests change something. */
export function trialForm(endpoint: EndpointDescription, language: Language): Html | null {
  const { method, path, isReadOnly, inputs } = endpoint;
  if (!isReadOnly) return null;
  const values = exampleValues(endpoint);
  return html`<details class="trial fold" hidden><summary>${TEXTS.heading[language]}</summary>
<form class="fields" aria-label="${TEXTS.heading[language]}: ${method} ${path}" data-method="${method}" data-path="${path}" data-sending="${TEXTS.sending[language]}" data-failed="${TEXTS.failed[language]}" autocomplete="off">
${inputs.map((input) => html`<label><code>${input.name}</code>${control(input, values.get(input.name) ?? '')}</label>\n`)}<button type="submit">${TEXTS.send[language]}</button>
<pre class="trial-status" role="status"></pre>
<pre class="trial-body" tabindex="0" hidden></pre>
<p class="trial-more" hidden>${inlineMarkup(TEXTS.shortened[language])}</p>
</form></details>
`;
}

function control({ name, type, required, values, fallback, ...input }: InputDescription, value: string): Html {
  const about = html` name="${name}" data-in="${input.in}" data-type="${type}"${required ? html` required` : null}`;
  if (values.length > 0) {
    const option = (each: string) =>
      html`<option value="${each}"${each === value ? html` selected` : null}>${each === '' ? '–' : each}</option>`;
    return html`<select${about}>${required ? null : option('')}${values.map(option)}</select>`;
  }
  const keyboard = type === 'number' || type === 'integer' ? html` inputmode="decimal"` : null;
  return html`<input type="text" value="${value}" placeholder="${fallback ?? ''}"${about}${keyboard}>`;
}

/** What the example of an endpoint sends, by the names of parameters and fields. */
function exampleValues({ path, example }: EndpointDescription): ReadonlyMap<string, string> {
  const { pathname, searchParams } = new URL(example.target, 'http://localhost');
  const segments = pathname.split('/');
  const inPath = path
    .split('/')
    .flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(segments[at] ?? '')]] : []));
  const posted = Object.entries(example.body ?? {}).map(([name, value]) => [name, String(value)]);
  return new Map([...inPath, ...searchParams, ...posted] as [string, string][]);
}

const TEXTS = {
  heading: { ro: 'Încercați', en: 'Try it' },
  about: {
    ro: 'La fiecare adresă care nu schimbă nimic, „Încercați” trimite cererea din browserul dumneavoastră. Este o cerere ca oricare alta: se numără la [limite](#limite). Cheia rămâne numai în această pagină până o închideți; o primește numai acest serviciu, în antetul `X-Api-Key`.',
    en: 'At every endpoint that changes nothing, “Try it” sends the request from your browser. It is a request like any other and counts towards the [limits](#limite). The key stays in this page alone until you close it; only this service receives it, in the header `X-Api-Key`.',
  },
  key: { ro: 'Cheia API, dacă aveți una', en: 'API key, if you have one' },
  send: { ro: 'Trimite cererea', en: 'Send the request' },
  sending: { ro: 'Se așteaptă răspunsul…', en: 'Waiting for the answer…' },
  failed: {
    ro: 'Nu a venit niciun răspuns. Verificați conexiunea și cheia.',
    en: 'No answer has arrived. Check the connection and the key.',
  },
  shortened: {
    ro: 'Se arată numai începutul răspunsului; comanda `curl` îl primește întreg.',
    en: 'Only the start of the answer is shown; the `curl` command receives all of it.',
  },
} as const satisfies Record<string, LocalizedText>;
