/** The section of one endpoint. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { EndpointDescription, ObjectDescription } from '../frame/api-description.ts';
import { curlCommand } from '../html/curl.ts';
import { type Html, html } from '../html/html-template.ts';
import { inlineMarkup } from '../html/inline-markup.ts';
import { fieldList, inputList } from './field-list.ts';
import { trialForm } from './trial-form.ts';

/** The anchors of endpoints: the last constant part of the path, with the method where another one has it already. */
export function anchorsOf(endpoints: readonly Pick<EndpointDescription, 'path' | 'method'>[]): readonly string[] {
  const taken = new Set<string>();
  return endpoints.map(({ path, method }) => {
    const fixed = path.split('/').filter((part) => !part.startsWith('{'));
    const own = (fixed.at(-1) ?? '').replace(/\.json$/, '');
    const anchor = taken.has(own) ? `${own}-${method.toLowerCase()}` : own;
    taken.add(anchor);
    return anchor;
  });
}

/** Everything about one endpoint, with a request that works. */
export function endpointSection(endpoint: EndpointDescription, id: string, language: Language, base: string): Html {
  const { method, path, summary, description, withoutKey, inputs, answers } = endpoint;
  const say = (text: LocalizedText) => inlineMarkup(text[language]);
  const [usual, ...others] = answers;
  const parameters = inputs.filter((input) => input.in !== 'body');
  const posted = inputs.filter((input) => input.in === 'body');
  return html`<section aria-labelledby="${id}">
<h3 id="${id}"><span class="method">${method}</span> <code>${path}</code></h3>
<p><strong>${say(summary)}.</strong> ${say(description)}</p>
<p class="access">${say(WITHOUT_KEY)}: ${say(withoutKey)}</p>
<pre tabindex="0"><code>${exampleCommand(endpoint, language, base)}</code></pre>
${trialForm(endpoint, language)}${inputList(PARAMETERS, parameters, language)}${inputList(BODY, posted, language)}${usual?.objects.map((object) => objectList(object, usual.status, language))}${otherAnswers(others, language)}</section>
`;
}

function exampleCommand(
  { example, keyRequired, method }: EndpointDescription,
  language: Language,
  base: string,
): string {
  const headers = keyRequired ? { 'X-Api-Key': YOUR_KEY[language] } : {};
  return curlCommand(base + example.target, { headers, method, ...(example.body !== null && { body: example.body }) });
}

/** The answers with another status than the usual one, besides the refusals that all endpoints share. */
function otherAnswers(answers: EndpointDescription['answers'], language: Language): readonly (Html | null)[] {
  const statuses = answers.map(({ status, description }) => ({ names: [String(status)], type: '', description }));
  return [
    fieldList(OTHER_STATUSES, statuses, language),
    ...answers.flatMap(({ status, objects }) => objects.map((object) => objectList(object, status, language))),
  ];
}

function objectList({ heldBy, list, fields }: ObjectDescription, status: number, language: Language): Html | null {
  return fieldList(objectTitle(heldBy, list, status), fields, language);
}

function objectTitle(heldBy: readonly string[], list: boolean, status: number): LocalizedText {
  const names = heldBy.map((name) => `\`${name}\``).join(', ');
  if (names === '')
    return status === 200 ? ANSWER : { ro: `${ANSWER.ro} \`${status}\``, en: `${ANSWER.en} \`${status}\`` };
  if (list) return { ro: `Un element din ${names}`, en: `One item of ${names}` };
  return { ro: `În ${names}`, en: `In ${names}` };
}

const WITHOUT_KEY: LocalizedText = { ro: '[Fără cheie](#limite)', en: '[Without a key](#limite)' };
const PARAMETERS: LocalizedText = { ro: 'Parametri', en: 'Parameters' };
const BODY: LocalizedText = { ro: 'Corpul cererii (JSON)', en: 'Body (JSON)' };
const ANSWER: LocalizedText = { ro: 'Răspuns', en: 'Answer' };
const OTHER_STATUSES: LocalizedText = { ro: 'Alte statusuri', en: 'Other statuses' };
const YOUR_KEY = { ro: 'CHEIA', en: 'KEY' } as const satisfies LocalizedText;
