/** The refusals that all endpoints share: a table of statuses, then the fields that only some bodies have. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { FieldDescription, RefusalDescription } from '../frame/api-description.ts';
import { type Html, html } from '../html/html-template.ts';
import { inlineMarkup } from '../html/inline-markup.ts';
import { fieldList } from './field-list.ts';

/** The section on errors, without its heading. */
export function errorSection(refusals: readonly RefusalDescription[], language: Language): Html {
  return html`<p>${inlineMarkup(LEAD[language])}</p>
<div class="table"><table class="stacked">
<thead><tr>${COLUMNS.map((column) => html`<th scope="col">${column[language]}</th>`)}</tr></thead>
<tbody>
${refusals.map((refusal) => refusalRow(refusal, language))}</tbody>
</table></div>
<p>${inlineMarkup(HEADERS[language])}</p>
${fieldList(EXTRA_FIELDS, eachOnce(refusals.flatMap(({ extraFields }) => extraFields)), language, 3)}`;
}

function refusalRow({ statuses, description, extraFields }: RefusalDescription, language: Language): Html {
  const names = extraFields.flatMap((field) => field.names.map((name) => `\`${name}\``)).join(', ');
  return html`<tr><th scope="row">${statuses.join(', ')}</th><td>${inlineMarkup(description[language])}</td><td>${inlineMarkup(names || '–')}</td></tr>\n`;
}

function eachOnce(fields: readonly FieldDescription[]): FieldDescription[] {
  const same = (one: FieldDescription) => (other: FieldDescription) => other.names.join() === one.names.join();
  return fields.filter((field, at) => fields.findIndex(same(field)) === at);
}

const LEAD: LocalizedText = {
  ro: 'Corpul unei erori este `{"status": "error", "message": "…"}`, uneori cu alte câmpuri. Decideți după statusul HTTP și după câmpuri: textul din `message` se poate schimba. Statusurile de mai jos sunt comune; cele specifice unei adrese sunt explicate la adresa respectivă.',
  en: 'The body of an error is `{"status": "error", "message": "…"}`, sometimes with more fields. Rely on the HTTP status and the fields: the text of `message` is Romanian and may change. The statuses below are shared; those of a single endpoint are explained there.',
};

const HEADERS: LocalizedText = {
  ro: 'Antetul `Retry-After` însoțește 429 și 503 acolo unde se știe cât trebuie așteptat; `Allow` însoțește 405; `Link` cu `rel="payment"` duce de la limita săptămânală la planuri. Nu repetați automat o cerere respinsă cu 401.',
  en: 'The header `Retry-After` comes with 429 and 503 if the wait is known; `Allow` comes with 405; `Link` with `rel="payment"` leads from the weekly cap to the plans. Do not retry a 401 automatically.',
};

const COLUMNS: readonly LocalizedText[] = [
  { ro: 'Status', en: 'Status' },
  { ro: 'Când', en: 'When' },
  { ro: 'Câmpuri în plus', en: 'Extra fields' },
];

const EXTRA_FIELDS: LocalizedText = { ro: 'Câmpurile în plus ale erorilor', en: 'The extra fields of errors' };
