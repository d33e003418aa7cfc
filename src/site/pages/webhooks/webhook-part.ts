/** One webhook on the page of webhooks: its state in words, its forms, and what was sent to it. */
import type { WebhooksView } from '../../../domain/billing/webhooks-view.ts';
import { FUEL_NAME } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import type { Webhook, WebhookDelivery } from '../../../domain/webhooks/webhook.ts';
import { formatZonedTime } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { accountForm, named } from '../billing/account-form.ts';
import { EVENT_TEXTS, FAILURE_TEXTS, STOP_TEXTS, WEBHOOK_TEXTS as TEXTS } from './webhook-texts.ts';

type Shown = WebhooksView['webhooks'][number];

const PATH = BILLING_PATHS.accountWebhooks;
const KINDS = 6;

/** A webhook with its forms and deliveries. */
export function webhookPart({ key, webhook, deliveries }: Shown, view: WebhooksView): Html {
  const { language, keys } = view;
  const name = TEXTS.webhook[language](webhook.id);
  const isProblem = webhook.state === 'stopped' || webhook.state === 'unverified';
  return html`<section aria-labelledby="webhook-${webhook.id}"><h2 id="webhook-${webhook.id}">${name}</h2>
<p><code class="address">${webhook.url}</code></p>
<p${isProblem ? html` class="problem"` : null}>${stateOf(webhook, language)}</p>
${webhook.state === 'stopped' ? html`<p>${TEXTS.restart[language]}</p>\n` : null}<p class="soft">${filterOf(webhook, language)}${keys.length > 1 ? ` ${TEXTS.ofKey[language](String(key))}` : null}</p>
${webhook.oldSecretUntil === null ? null : html`<p class="soft">${TEXTS.oldSecret[language](formatZonedTime(webhook.oldSecretUntil, language))}</p>\n`}${view.asksToDelete === webhook.id ? deletionForms(webhook, view, name) : forms(webhook, view, name)}${deliveryTable(deliveries, language)}</section>
`;
}

/** The state in words. */
function stateOf({ state, stopReason, stoppedAt }: Webhook, language: Language): string {
  if (state !== 'stopped') return TEXTS[state][language];
  if (stopReason === null || stoppedAt === null) return TEXTS.stoppedUnknown[language];
  return TEXTS.stopped[language](formatZonedTime(stoppedAt, language), STOP_TEXTS[stopReason][language]);
}

/** Which changes are sent, in words. */
function filterOf({ filter, kinds }: Webhook, language: Language): string {
  const { fuel, county, city, network, stations } = filter;
  const parts = [
    fuel === null ? null : FUEL_NAME[fuel][language],
    ...[county, city, network],
    stations === null ? null : TEXTS.stations[language](stations.length),
    kinds.length === KINDS ? null : TEXTS.kinds[language](kinds.length),
  ].filter((each) => each !== null);
  return parts.length === 0 ? TEXTS.everything[language] : TEXTS.only[language](parts.join(', '));
}

function forms({ id, state, secretMark }: Webhook, view: WebhooksView, name: string): Html {
  const form = (action: string, label: typeof TEXTS.test, more = {}) =>
    accountForm(PATH, view, { webhook: id, do: action, ...more }, label, name);
  const isRunning = state === 'active' || state === 'paused';
  const pause = state === 'paused' ? form('resume', TEXTS.resume) : form('pause', TEXTS.pause);
  return html`<div class="fields">${form('test', TEXTS.test)}${isRunning ? pause : null}${isRunning ? form('replay-day', TEXTS.replayDay) : null}${form('secret', TEXTS.newSecret, { of: secretMark })}${form('delete', TEXTS.remove)}</div>
${isRunning ? cursorForm(id, view, name) : null}`;
}

function cursorForm(id: string, { language, formToken }: WebhooksView, name: string): Html {
  return html`<form class="fields" method="post" action="${PATH[language]}">
<input type="hidden" name="form" value="${formToken}"><input type="hidden" name="webhook" value="${id}"><input type="hidden" name="do" value="replay"><label>${TEXTS.cursor[language]} <input type="text" name="cursor" maxlength="64" required autocomplete="off" autocapitalize="none" spellcheck="false"${named(TEXTS.cursor[language], name)}></label> <button type="submit"${named(TEXTS.replay[language], name)}>${TEXTS.replay[language]}</button>
</form>
`;
}

function deletionForms({ id }: Webhook, view: WebhooksView, name: string): Html {
  const { language } = view;
  return html`<p class="problem" role="alert">${TEXTS.removeQuestion[language]}</p>
<div class="fields">${accountForm(PATH, view, { webhook: id, do: 'delete-now' }, TEXTS.removeNow, name)}<p><a href="${PATH[language]}">${TEXTS.keep[language]}</a></p></div>
`;
}

function deliveryTable(deliveries: readonly WebhookDelivery[], language: Language): Html {
  if (deliveries.length === 0) return html`<p class="soft">${TEXTS.noDeliveries[language]}</p>\n`;
  const rows = deliveries.map(
    (delivery) =>
      html`<tr><td>${formatZonedTime(delivery.triedAt ?? delivery.createdAt, language)}</td><td>${EVENT_TEXTS[delivery.event][language]}</td><td>${outcomeOf(delivery, language)}</td></tr>\n`,
  );
  return html`<div class="table"><table class="stacked"><caption>${TEXTS.deliveries[language]}</caption>
<thead><tr><th scope="col">${TEXTS.when[language]}</th><th scope="col">${TEXTS.what[language]}</th><th scope="col">${TEXTS.outcome[language]}</th></tr></thead>
<tbody>
${rows}</tbody></table></div>
`;
}

/** What came of a delivery, in words. */
function outcomeOf({ state, tries, httpStatus, nextTryAt, failure }: WebhookDelivery, language: Language): string {
  const status = httpStatus === null ? '' : ` (${httpStatus})`;
  if (state === 'delivered') return TEXTS.delivered[language](status);
  if (tries === 0) return TEXTS.waiting[language];
  const why = failureText({ failure, httpStatus }, language);
  const then =
    nextTryAt === null ? TEXTS.givenUp[language] : TEXTS.next[language](formatZonedTime(nextTryAt, language));
  return `${TEXTS.failedOften[language](tries, why)}; ${then}`;
}

/** Why a try failed, in words. */
export function failureText(
  { failure, httpStatus }: Pick<WebhookDelivery, 'failure' | 'httpStatus'>,
  language: Language,
): string {
  const status = httpStatus === null ? '' : ` (${httpStatus})`;
  return `${FAILURE_TEXTS[failure ?? 'status'][language]}${status}`;
}
