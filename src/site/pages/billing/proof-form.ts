/** The parts of forms by which somebody proves an address: the address, the code, the token of a link, the problem. */
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { type Html, html } from '../../html/html-template.ts';

/** `problem`: what is wrong with what was typed; `null` = nothing. */
type ProofField = { readonly label: string; readonly problem: string | null };

/** The field of an address, with what was typed. */
export function emailField({ label, problem }: ProofField, typed: string): Html {
  return html`<label>${label} <input type="text" inputmode="email" name="email" value="${typed}" maxlength="254" required autocomplete="email" autocapitalize="none" spellcheck="false"${invalid(problem)}></label>\n`;
}

/** The field of the six digits; browsers offer those that have just arrived. */
export function codeField({ label, problem }: ProofField): Html {
  return html`<label>${label} <input type="text" inputmode="numeric" name="code" maxlength="12" required autocomplete="one-time-code"${invalid(problem)}></label>\n`;
}

/** Carries a token from the page to its form. */
export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">\n`;
}

/** A form with its one button. */
export function proofForm(path: string, fields: Html, button: string): Html {
  return html`<form class="rate" method="post" action="${path}">
${fields}<p><button type="submit">${button}</button></p>
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
  return problems.includes('too many') ? 429 : 400;
}

const invalid = (problem: string | null): Html | null =>
  problem === null ? null : html` aria-invalid="true" aria-describedby="problem"`;
