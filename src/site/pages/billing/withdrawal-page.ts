/** The page of a withdrawal: the form, the confirmation, and that it is registered. */
import { planNameOf } from '../../../domain/access/plans.ts';
import type { SellingOffer } from '../../../domain/billing/selling-offer.ts';
import { WITHDRAWAL_DAYS } from '../../../domain/billing/withdrawal-right.ts';
import type { WithdrawalProblem, WithdrawalView } from '../../../domain/billing/withdrawal-view.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { formatZonedTime } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { WITHDRAWAL_TEXTS as TEXTS, WITHDRAWAL_PROBLEMS } from './withdrawal-texts.ts';

type FormView = Extract<WithdrawalView, { step: 'form' }>;
type ConfirmView = Extract<WithdrawalView, { step: 'confirm' }>;
type FieldName = 'name' | 'email' | 'order';

const FIELD_NAMES: readonly WithdrawalProblem[] = ['name', 'email', 'order'] satisfies FieldName[];
const ATTRIBUTES: Readonly<Record<FieldName, Html>> = {
  name: html`autocomplete="name" maxlength="100"`,
  email: html`inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254"`,
  order: html`autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64"`,
};

/** The page of a step. */
export function withdrawalPage(view: WithdrawalView, { seller }: SellingOffer): Page {
  const { language } = view;
  const isTooMany = view.step === 'form' && view.problems.includes('too many');
  const hasProblem = view.step === 'form' && view.problems.length > 0;
  return {
    ...{ language, route: 'plans', paths: BILLING_PATHS.withdrawal },
    status: isTooMany ? 429 : hasProblem ? 400 : 200,
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: contentOf(view, seller?.contact ?? ''),
  };
}

function contentOf(view: WithdrawalView, contact: string): Html {
  switch (view.step) {
    case 'form':
      return formContent(view, contact);
    case 'confirm':
      return confirmContent(view);
    case 'done':
      return html`<h1>${TEXTS.doneTitle[view.language]}</h1>
<p class="lead" role="status">${TEXTS.done[view.language]}</p>
${toAccount(view)}<p><a href="${ROUTES.plans[view.language]}">${TEXTS.plans[view.language]}</a></p>`;
  }
}

function formContent(view: FormView, contact: string): Html {
  const { language } = view;
  return html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${TEXTS.lead[language](WITHDRAWAL_DAYS)}</p>
${problemBox(view)}<form class="rate" method="post" action="${BILLING_PATHS.withdrawal[language]}">
${field(view, 'name')}${field(view, 'email')}${field(view, 'order')}<p class="soft" id="order-hint">${TEXTS.orderHint[language]}</p>
<p><button type="submit">${TEXTS.next[language]}</button></p>
</form>
<p>${TEXTS.otherWays[language](contact)}</p>
${toAccount(view)}`;
}

function toAccount({ language, isLoggedIn }: WithdrawalView): Html | null {
  if (!isLoggedIn) return null;
  return html`<p><a href="${BILLING_PATHS.account[language]}">${TEXTS.account[language]}</a></p>\n`;
}

function problemBox({ language, problems }: FormView): Html | null {
  if (problems.length === 0) return null;
  const items = problems.map((problem) => {
    const words = WITHDRAWAL_PROBLEMS[problem][language];
    return html`<li>${FIELD_NAMES.includes(problem) ? html`<a href="#${problem}">${words}</a>` : words}</li>\n`;
  });
  return html`<div class="problem" role="alert"><p>${TEXTS.problem[language]}:</p>
<ul>${items}</ul></div>
`;
}

function field({ language, fields, problems }: FormView, name: FieldName): Html {
  const isInvalid = problems.includes(name);
  const described = [name === 'order' ? 'order-hint' : null, isInvalid ? `${name}-problem` : null].filter(Boolean);
  return html`<label>${TEXTS[name][language]} <input type="text" id="${name}" name="${name}" value="${fields[name]}" required ${ATTRIBUTES[name]}${isInvalid ? html` aria-invalid="true"` : null}${described.length === 0 ? null : html` aria-describedby="${described.join(' ')}"`}></label>
${isInvalid ? html`<p class="problem" id="${name}-problem">${WITHDRAWAL_PROBLEMS[name][language]}</p>\n` : null}`;
}

function confirmContent({ language, fields, plan, concludedAt }: ConfirmView): Html {
  const planName = planNameOf(plan);
  const at = formatZonedTime(concludedAt, language);
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  const form = (
    confirm: 'yes' | 'no',
    words: string,
  ) => html`<form class="rate" method="post" action="${BILLING_PATHS.withdrawal[language]}">
<p>${hidden}<input type="hidden" name="confirm" value="${confirm}"><button type="submit">${words}</button></p>
</form>
`;
  return html`<h1>${TEXTS.confirmTitle[language]}</h1>
<p class="lead">${TEXTS.statement[language](fields.name, planName, fields.order, at)}</p>
<p>${TEXTS.confirmation[language](fields.email)}</p>
${form('yes', TEXTS.confirm[language])}${form('no', TEXTS.back[language])}`;
}
