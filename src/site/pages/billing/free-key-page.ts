/** The pages of a free key: the form, the code, the mailed link, and what came of it. */
import type { FreeKeyView } from '../../../domain/billing/free-key-view.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { counted, REQUESTS } from '../../html/counted.ts';
import { type Html, html } from '../../html/html-template.ts';
import { FREE_KEY_DONE, FREE_KEY_PROBLEMS, FREE_KEY_TEXTS as TEXTS } from './free-key-texts.ts';
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
export function freeKeyPage(view: FreeKeyView, quota: number, data: SiteData): Page {
  const { language } = view;
  const problems = 'problems' in view ? view.problems : [];
  const isStart = view.step === 'form' || view.step === 'done';
  return {
    ...{ language, route: 'plans', paths: isStart ? BILLING_PATHS.freeKey : BILLING_PATHS.freeKeyConfirm },
    status: statusOf(problems),
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    ...(problems.includes('unchecked') && browserCheck(data)),
    content: contentOf(view, counted(quota, REQUESTS, language), data),
  };
}

function contentOf(view: FreeKeyView, requests: string, data: SiteData): Html {
  const { language } = view;
  const { freeKey, freeKeyConfirm } = BILLING_PATHS;
  const problem = firstProblem('problems' in view ? view.problems : [], FREE_KEY_PROBLEMS, language);
  const line = problemLine(TEXTS.problem[language], problem);
  switch (view.step) {
    case 'form': {
      const field = { label: TEXTS.email[language], problem };
      const email = view.problems.includes('unchecked')
        ? checkedEmailField(field, view.email, data, language)
        : emailField(field, view.email);
      return html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${TEXTS.lead[language](requests)}</p>
<p>${TEXTS.rules[language]}</p>
${line}${proofForm(freeKey[language], email, TEXTS.send[language])}`;
    }
    case 'code':
      return html`<h1>${TEXTS.codeTitle[language]}</h1>
<p class="lead">${TEXTS.codeLead[language](view.email)}</p>
${line}${proofForm(freeKeyConfirm[language], codeField({ label: TEXTS.code[language], problem }), TEXTS.confirm[language])}
<p><a href="${freeKey[language]}">${TEXTS.again[language]}</a></p>`;
    case 'link':
      return html`<h1>${TEXTS.linkTitle[language]}</h1>
<p class="lead">${TEXTS.linkLead[language]}</p>
${proofForm(freeKeyConfirm[language], null, TEXTS.confirm[language], hiddenField('token', view.token))}`;
    case 'done': {
      const { title, text } = FREE_KEY_DONE[view.outcome];
      return html`<h1>${title[language]}</h1>
<p class="lead" role="status">${text[language]}</p>
<ul>
<li><a href="${BILLING_PATHS.account[language]}">${TEXTS.account[language]}</a></li>
<li><a href="${ROUTES.plans[language]}">${TEXTS.plans[language]}</a></li>
</ul>`;
    }
  }
}
