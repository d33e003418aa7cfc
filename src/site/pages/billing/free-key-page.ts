/** The pages of a free key: the form, the code, the mailed link, and what came of it. */
import type { FreeKeyProblem, FreeKeyView } from '../../../domain/billing/free-key-view.ts';
import type { SellingOffer } from '../../../domain/billing/selling-offer.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { formatCount } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { FREE_KEY_DONE, FREE_KEY_PROBLEMS, FREE_KEY_TEXTS as TEXTS } from './free-key-texts.ts';

/** The page of a step. */
export function freeKeyPage(view: FreeKeyView, { freeKeyQuota }: SellingOffer): Page {
  const { language } = view;
  const isStart = view.step === 'form' || view.step === 'done';
  return {
    ...{ language, route: 'plans', paths: isStart ? BILLING_PATHS.freeKey : BILLING_PATHS.freeKeyConfirm },
    status: statusOf('problems' in view ? view.problems : []),
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: contentOf(view, formatCount(freeKeyQuota ?? 0, language)),
  };
}

function statusOf(problems: readonly FreeKeyProblem[]): 200 | 400 | 429 {
  if (problems.length === 0) return 200;
  return problems.includes('too many') ? 429 : 400;
}

function contentOf(view: FreeKeyView, quota: string): Html {
  const { language } = view;
  const { freeKey, freeKeyConfirm } = BILLING_PATHS;
  switch (view.step) {
    case 'form':
      return html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${TEXTS.lead[language](quota)}</p>
<p>${TEXTS.rules[language]}</p>
${problemOf(view.problems, language)}<form class="rate" method="post" action="${freeKey[language]}">
<label>${TEXTS.email[language]} <input type="text" inputmode="email" name="email" value="${view.email}" maxlength="254" required autocomplete="email" autocapitalize="none" spellcheck="false"${invalid(view.problems)}></label>
<p><button type="submit">${TEXTS.send[language]}</button></p>
</form>`;
    case 'code':
      return html`<h1>${TEXTS.codeTitle[language]}</h1>
<p class="lead">${TEXTS.codeLead[language]}</p>
${problemOf(view.problems, language)}<form class="rate" method="post" action="${freeKeyConfirm[language]}">
<label>${TEXTS.code[language]} <input type="text" inputmode="numeric" name="code" maxlength="12" required autocomplete="one-time-code"${invalid(view.problems)}></label>
<p><button type="submit">${TEXTS.confirm[language]}</button></p>
</form>
<p><a href="${freeKey[language]}">${TEXTS.again[language]}</a></p>`;
    case 'link':
      return html`<h1>${TEXTS.linkTitle[language]}</h1>
<p class="lead">${TEXTS.linkLead[language]}</p>
<form class="rate" method="post" action="${freeKeyConfirm[language]}">
<input type="hidden" name="token" value="${view.token}">
<p><button type="submit">${TEXTS.confirm[language]}</button></p>
</form>`;
    case 'done': {
      const { title, text } = FREE_KEY_DONE[view.outcome];
      return html`<h1>${title[language]}</h1>
<p class="lead" role="status">${text[language]}</p>
<p><a href="${ROUTES.plans[language]}">${TEXTS.plans[language]}</a></p>`;
    }
  }
}

function problemOf([problem]: readonly FreeKeyProblem[], language: Language): Html | null {
  if (problem === undefined) return null;
  return html`<p class="problem" role="alert" id="problem">${TEXTS.problem[language]}: ${FREE_KEY_PROBLEMS[problem][language]}</p>
`;
}

const invalid = (problems: readonly FreeKeyProblem[]): Html | null =>
  problems.length === 0 ? null : html` aria-invalid="true" aria-describedby="problem"`;
