/** The pages of logging in: the form, the code, the mailed link. */
import { LOGIN_RETURNS } from '../../../domain/billing/login-return.ts';
import type { LoginView } from '../../../domain/billing/login-view.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { LOGIN_PROBLEMS, LOGIN_TEXTS as TEXTS } from './log-in-texts.ts';
import {
  browserCheck,
  checkedEmailField,
  codeField,
  emailField,
  firstProblem,
  hiddenField,
  problemLine,
  proofForm,
  statusOf,
} from './proof-form.ts';

/** The page of a step. */
export function logInPage(view: LoginView, data: SiteData): Page {
  const { language, problems, step } = view;
  return {
    ...{ language, route: 'plans', paths: step === 'form' ? BILLING_PATHS.account : BILLING_PATHS.confirm },
    status: statusOf(problems),
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    ...(problems.includes('unchecked') && browserCheck(data)),
    content: contentOf(view, data),
  };
}

function contentOf(view: LoginView, data: SiteData): Html {
  const { language, problems } = view;
  const problem = firstProblem(problems, LOGIN_PROBLEMS, language);
  const line = problemLine(TEXTS.problem[language], problem);
  const code = { label: TEXTS.code[language], problem };
  const next = view.returnTo === null ? null : hiddenField('next', view.returnTo);
  const confirm = (fields: Html | null, token: Html | null = null) =>
    proofForm(BILLING_PATHS.confirm[language], fields, TEXTS.confirm[language], html`${next}${token}`);
  switch (view.step) {
    case 'form': {
      const isTyped = problems.includes('email') || problems.includes('unchecked');
      const field = { label: TEXTS.email[language], problem: isTyped ? problem : null };
      const email = problems.includes('unchecked')
        ? checkedEmailField(field, view.email, data, language)
        : emailField(field, view.email);
      return html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${(view.returnTo === null ? TEXTS.lead : TEXTS.leadTo[view.returnTo])[language]}</p>
${line}${proofForm(BILLING_PATHS.logIn[language], email, TEXTS.send[language], next)}`;
    }
    case 'code':
      return html`<h1>${TEXTS.codeTitle[language]}</h1>
<p class="lead">${TEXTS.codeLead[language](view.email)}</p>
${line}${confirm(codeField(code))}
<p><a href="${(view.returnTo === null ? BILLING_PATHS.account : LOGIN_RETURNS[view.returnTo])[language]}">${TEXTS.again[language]}</a></p>`;
    case 'link':
      return html`<h1>${TEXTS.linkTitle[language]}</h1>
<p class="lead">${TEXTS.linkLead[language]}</p>
${confirm(null, hiddenField('token', view.token))}`;
    case 'link and code':
      return html`<h1>${TEXTS.linkTitle[language]}</h1>
${view.maskedEmail === null ? null : html`<p class="lead">${TEXTS.otherLead[language](view.maskedEmail)}</p>\n`}${line}${confirm(codeField(code), hiddenField('token', view.token))}`;
  }
}
