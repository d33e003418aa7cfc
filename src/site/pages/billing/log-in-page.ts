/** The pages of logging in: the form, the code, the mailed link. */
import type { LoginProblem, LoginView } from '../../../domain/billing/login-view.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { type Html, html } from '../../html/html-template.ts';
import { LOGIN_PROBLEMS, LOGIN_TEXTS as TEXTS } from './log-in-texts.ts';

/** The page of a step. */
export function logInPage(view: LoginView): Page {
  const { language, problems, step } = view;
  return {
    ...{ language, route: 'plans', paths: step === 'form' ? BILLING_PATHS.account : BILLING_PATHS.confirm },
    status: problems.length === 0 ? 200 : problems.includes('too many') ? 429 : 400,
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: contentOf(view),
  };
}

function contentOf(view: LoginView): Html {
  const { language, problems } = view;
  const problem = problemOf(problems, language);
  switch (view.step) {
    case 'form':
      return html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${TEXTS.lead[language]}</p>
${problem}<form class="rate" method="post" action="${BILLING_PATHS.logIn[language]}">
<label>${TEXTS.email[language]} <input type="text" inputmode="email" name="email" value="${view.email}" maxlength="254" required autocomplete="email" autocapitalize="none" spellcheck="false"${invalid(problems)}></label>
<p><button type="submit">${TEXTS.send[language]}</button></p>
</form>`;
    case 'code':
      return html`<h1>${TEXTS.codeTitle[language]}</h1>
<p class="lead">${TEXTS.codeLead[language]}</p>
${problem}${proofForm(language, codeField(language, problems))}
<p><a href="${BILLING_PATHS.account[language]}">${TEXTS.again[language]}</a></p>`;
    case 'link':
      return html`<h1>${TEXTS.linkTitle[language]}</h1>
<p class="lead">${TEXTS.linkLead[language]}</p>
${proofForm(language, tokenField(view.token))}`;
    case 'link and code':
      return html`<h1>${TEXTS.linkTitle[language]}</h1>
${view.maskedEmail === null ? null : html`<p class="lead">${TEXTS.otherLead[language](view.maskedEmail)}</p>\n`}${problem}${proofForm(language, html`${tokenField(view.token)}${codeField(language, problems)}`)}`;
  }
}

function proofForm(language: Language, fields: Html): Html {
  return html`<form class="rate" method="post" action="${BILLING_PATHS.confirm[language]}">
${fields}<p><button type="submit">${TEXTS.confirm[language]}</button></p>
</form>`;
}

const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">\n`;

const codeField = (language: Language, problems: readonly LoginProblem[]): Html =>
  html`<label>${TEXTS.code[language]} <input type="text" inputmode="numeric" name="code" maxlength="12" required autocomplete="one-time-code"${invalid(problems)}></label>\n`;

function problemOf([problem]: readonly LoginProblem[], language: Language): Html | null {
  if (problem === undefined) return null;
  return html`<p class="problem" role="alert" id="problem">${TEXTS.problem[language]}: ${LOGIN_PROBLEMS[problem][language]}</p>
`;
}

const invalid = (problems: readonly LoginProblem[]): Html | null =>
  problems.length === 0 ? null : html` aria-invalid="true" aria-describedby="problem"`;
