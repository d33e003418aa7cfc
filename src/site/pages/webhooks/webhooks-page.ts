/** The page on which the holder of an account makes, tests and changes webhooks. */
import { FREE_PLAN, planNameOf } from '../../../domain/access/plans.ts';
import type { WebhookProblem, WebhooksView } from '../../../domain/billing/webhooks-view.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import { MAX_WEBHOOKS } from '../../../domain/webhooks/webhook.ts';
import type { Page } from '../../frame/page.ts';
import { type Html, html } from '../../html/html-template.ts';
import { failureText } from '../../mails/webhook-failures.ts';
import { ACCOUNT_TEXTS } from '../billing/account-texts.ts';
import { NEW_WEBHOOK, webhookForm } from './webhook-form.ts';
import { webhookPart } from './webhook-part.ts';
import { problemText } from './webhook-problems.ts';
import { WEBHOOK_TEXTS as TEXTS, WEBHOOK_NOTICE_TEXTS } from './webhook-texts.ts';

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

/** The form of a new one, for the keys that may have another; none beside the form of a known one. */
function newPart(view: WebhooksView): Html | null {
  const { language, webhooks, editing } = view;
  if (view.keys.length === 0)
    return html`<p>${TEXTS.noKeys[language]} <a href="${ROUTES.plans[language]}">${ACCOUNT_TEXTS.toPlans[language]}</a></p>\n`;
  if (webhooks.some(({ webhook }) => webhook.id === editing)) return null;
  const typed = view.typed ?? NEW_WEBHOOK;
  const keys = view.keys.filter(({ id }) => webhooks.filter(({ key }) => key === id).length < MAX_WEBHOOKS);
  const [only] = keys;
  if (only === undefined) return html`<p class="soft">${TEXTS.full[language]}</p>\n`;
  const options = keys.map(
    ({ id, plan }) =>
      html`<option value="${id}"${String(id) === typed.key ? html` selected` : null}>${id} (${plan === FREE_PLAN ? ACCOUNT_TEXTS.freePlan[language] : planNameOf(plan)})</option>`,
  );
  const form = webhookForm(view, {
    ...{ typed, button: TEXTS.create[language] },
    hidden: { do: 'create', ...(keys.length === 1 && { key: String(only.id) }) },
    more:
      keys.length === 1 ? null : html`<label>${TEXTS.key[language]} <select name="key">${options}</select></label>\n`,
  });
  return html`<section aria-labelledby="nou"><h2 id="nou">${TEXTS.newTitle[language]}</h2>
${form}</section>
`;
}
