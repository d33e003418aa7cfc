/** The page on which the holder of an account makes, tests and changes webhooks. */
import { FREE_PLAN, planNameOf } from '../../../domain/access/plans.ts';
import type { WebhookProblem, WebhooksView } from '../../../domain/billing/webhooks-view.ts';
import { FUEL_NAME, FUELS } from '../../../domain/fuel.ts';
import { FUEL_CODE } from '../../../domain/fuel-codes.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import { MAX_URL_LENGTH, MAX_WEBHOOKS } from '../../../domain/webhooks/webhook.ts';
import type { Page } from '../../frame/page.ts';
import { type Html, html } from '../../html/html-template.ts';
import { ACCOUNT_TEXTS } from '../billing/account-texts.ts';
import { failureText, webhookPart } from './webhook-part.ts';
import { ADDRESS_TEXTS, PROBLEM_TEXTS, WEBHOOK_TEXTS as TEXTS, WEBHOOK_NOTICE_TEXTS } from './webhook-texts.ts';

/** The page. */
export function webhooksPage(view: WebhooksView): Page {
  const { language, notice, keys, webhooks } = view;
  return {
    ...{ language, route: 'plans', paths: BILLING_PATHS.accountWebhooks },
    ...(view.problem !== null && { status: statusOf(view.problem) }),
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${TEXTS.lead[language]} <a href="${ROUTES.docs[language]}#primire-webhookuri">${TEXTS.docs[language]}</a></p>
${notice === null ? null : html`<p class="notice" role="status">${WEBHOOK_NOTICE_TEXTS[notice][language]}</p>\n`}${problemPart(view)}${secretPart(view)}${testPart(view)}${
  keys.length > 0 && webhooks.length === 0 ? html`<p>${TEXTS.none[language]}</p>\n` : null
}${webhooks.map((each) => webhookPart(each, view))}${newPart(view)}<p><a href="${BILLING_PATHS.account[language]}">${TEXTS.back[language]}</a></p>`,
  };
}

function statusOf({ kind }: WebhookProblem): 400 | 429 | 503 {
  if (kind === 'limited') return 429;
  return kind === 'no feed' ? 503 : 400;
}

function problemPart({ problem, language }: WebhooksView): Html | null {
  if (problem === null) return null;
  return html`<p class="problem" id="webhook-problem" role="alert">${problemText(problem, language)}</p>\n`;
}

function problemText(problem: WebhookProblem, language: Language): string {
  switch (problem.kind) {
    case 'address':
      return ADDRESS_TEXTS[problem.fault][language];
    case 'filter': {
      const { field, choices } = problem.fault;
      return choices.length > 0 ? PROBLEM_TEXTS.cities[language](choices.join(', ')) : PROBLEM_TEXTS[field][language];
    }
    case 'too many':
      return PROBLEM_TEXTS.tooMany[language];
    case 'too many secrets':
      return PROBLEM_TEXTS.tooManySecrets[language];
    case 'cursor':
      return PROBLEM_TEXTS.cursor[language];
    case 'cursor gone':
      return PROBLEM_TEXTS.cursorGone[language];
    case 'no feed':
      return PROBLEM_TEXTS.noFeed[language];
    case 'limited':
      return PROBLEM_TEXTS.limited[problem.action][language];
  }
}

/** Only the answer to the form that made it shows a secret. */
function secretPart({ secret, language }: WebhooksView): Html | null {
  if (secret === null) return null;
  const next = secret.isFirst ? TEXTS.secretNext : TEXTS.secretOverlap;
  return html`<section class="notice" aria-labelledby="secret"><h2 id="secret">${TEXTS.secretTitle[language]} ${secret.id}</h2>
<p><code class="address">${secret.secret}</code></p>
<p>${TEXTS.secretAbout[language]} ${next[language]}</p></section>
`;
}

function testPart({ tested, language }: WebhooksView): Html | null {
  if (tested === null) return null;
  const { delivery, id } = tested;
  const name = TEXTS.webhook[language](id);
  return delivery.state === 'delivered'
    ? html`<p class="notice" role="status">${name}. ${TEXTS.testDone[language]}</p>\n`
    : html`<p class="problem" role="alert">${name}. ${TEXTS.testFailed[language](failureText(delivery, language))}</p>\n`;
}

/** The form of a new one, for the keys that may have another. */
function newPart(view: WebhooksView): Html {
  const { language, formToken, typed, problem, webhooks } = view;
  if (view.keys.length === 0)
    return html`<p>${TEXTS.noKeys[language]} <a href="${ROUTES.plans[language]}">${ACCOUNT_TEXTS.toPlans[language]}</a></p>\n`;
  const keys = view.keys.filter(({ id }) => webhooks.filter(({ key }) => key === id).length < MAX_WEBHOOKS);
  const [only] = keys;
  if (only === undefined) return html`<p class="soft">${TEXTS.full[language]}</p>\n`;
  const options = keys.map(
    ({ id, plan }) =>
      html`<option value="${id}"${String(id) === typed?.key ? html` selected` : null}>${id} (${plan === FREE_PLAN ? ACCOUNT_TEXTS.freePlan[language] : planNameOf(plan)})</option>`,
  );
  const fuels = FUELS.map(
    (fuel) =>
      html`<option value="${FUEL_CODE[fuel]}"${FUEL_CODE[fuel] === typed?.fuel ? html` selected` : null}>${FUEL_NAME[fuel][language]}</option>`,
  );
  const field = (name: 'county' | 'city' | 'network') => {
    const isWrong = problem?.kind === 'filter' && problem.fault.field === name;
    return html`<label>${TEXTS[name][language]} <input type="text" name="${name}" value="${typed?.[name] ?? ''}" maxlength="100" autocomplete="off"${isWrong ? INVALID : null}></label>\n`;
  };
  const keyField =
    keys.length === 1
      ? html`<input type="hidden" name="key" value="${only.id}">`
      : html`<label>${TEXTS.key[language]} <select name="key">${options}</select></label>\n`;
  return html`<section aria-labelledby="nou"><h2 id="nou">${TEXTS.newTitle[language]}</h2>
<form class="rate" method="post" action="${BILLING_PATHS.accountWebhooks[language]}">
<label>${TEXTS.url[language]} <input type="text" inputmode="url" name="url" value="${typed?.url ?? ''}" placeholder="https://" maxlength="${MAX_URL_LENGTH}" required autocomplete="off" autocapitalize="none" spellcheck="false"${problem?.kind === 'address' ? INVALID : null}></label>
<label>${TEXTS.fuel[language]} <select name="fuel"><option value="">${TEXTS.all[language]}</option>${fuels}</select></label>
${field('county')}${field('city')}${field('network')}${keys.length === 1 ? null : keyField}<p><input type="hidden" name="form" value="${formToken}"><input type="hidden" name="do" value="create">${keys.length === 1 ? keyField : null}<button type="submit">${TEXTS.create[language]}</button></p>
</form>
<p class="soft">${TEXTS.api[language]}</p></section>
`;
}

const INVALID = html` aria-invalid="true" aria-describedby="webhook-problem"`;
