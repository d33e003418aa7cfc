/** The parts of forms by which somebody proves an address: the address, the code, the token of a link, the problem. */
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import type { Page } from '../../frame/page.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { admitsRecaptcha, checkedText } from '../../parts/checked-text.ts';

/** `problem`: what is wrong with what was typed; `null` = nothing. */
type ProofField = { readonly label: string; readonly problem: string | null };

/** The field of an address, with what was typed. */
export function emailField({ label, problem }: ProofField, typed: string): Html {
  return html`<label>${label} <input type="text" inputmode="email" name="email" value="${typed}" maxlength="254" required autocomplete="email" autocapitalize="none" spellcheck="false"${invalid(problem)}></label>\n`;
}

/** The same for a form that a browser may send once the captcha has checked it. */
export function checkedEmailField(field: ProofField, typed: string, data: SiteData, language: Language): Html | null {
  return checkedText({ ...CHECK_TEXTS, fields: emailField(field, typed) }, data, language);
}

/** What a page with that field must load. */
export function browserCheck(data: SiteData): Pick<Page, 'modules' | 'admitsRecaptcha'> {
  return { modules: ['text-form'], admitsRecaptcha: admitsRecaptcha(data) };
}

const CHECK_TEXTS = {
  legend: { ro: 'Verificarea browserului', en: 'Check of your browser' },
  note: {
    ro: 'Acum se cer neobișnuit de multe mesaje, așa că browserul rezolvă întâi o mică problemă de calcul.',
    en: 'Unusually many messages are being asked for, so your browser first solves a small computing task.',
  },
  withoutCode: {
    ro: 'Pentru verificare este nevoie de JavaScript. Fără el, încercați din nou peste o oră.',
    en: 'The check needs JavaScript. Without it, please try again in an hour.',
  },
  failed: {
    ro: 'Browserul nu a putut fi verificat; apăsați din nou butonul.',
    en: 'Your browser could not be checked; press the button again.',
  },
} as const satisfies Record<string, LocalizedText>;

/** The field of the six digits; browsers offer those that have just arrived. */
export function codeField({ label, problem }: ProofField): Html {
  return html`<label>${label} <input type="text" inputmode="numeric" name="code" maxlength="12" required autocomplete="one-time-code"${invalid(problem)}></label>\n`;
}

/** Carries a token from the page to its form. */
export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">\n`;
}

/** A form with its one button. What is hidden stands beside it, since the first child gives the box its margin. */
export function proofForm(path: string, fields: Html | null, button: string, hidden: Html | null = null): Html {
  return html`<form class="rate" method="post" action="${path}">
${fields}<p>${hidden}<button type="submit">${button}</button></p>
</form>`;
}

/** Names what is wrong, and is read out; the field refers to it. */
export function problemLine(lead: string, problem: string | null): Html | null {
  return problem === null ? null : html`<p class="problem" role="alert" id="problem">${lead}: ${problem}</p>\n`;
}

/** The text of the first problem; `null` = there is none. */
export function firstProblem<Problem extends string>(
  [problem]: readonly Problem[],
  texts: Readonly<Record<Problem, LocalizedText>>,
  language: keyof LocalizedText,
): string | null {
  return problem === undefined ? null : texts[problem][language];
}

/** 429 for a limit, 400 for what was typed. */
export function statusOf(problems: readonly string[]): 200 | 400 | 429 {
  if (problems.length === 0) return 200;
  return problems.includes('too many') || problems.includes('unchecked') ? 429 : 400;
}

const invalid = (problem: string | null): Html | null =>
  problem === null ? null : html` aria-invalid="true" aria-describedby="problem"`;
