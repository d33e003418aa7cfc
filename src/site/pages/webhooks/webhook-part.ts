/** One webhook on the page of webhooks: its state in words, its forms, and what was sent to it. */
import type { ClosedReason } from '../../../domain/billing/standing.ts';
import type { WebhooksView } from '../../../domain/billing/webhooks-view.ts';
import { CHANGE_KINDS } from '../../../domain/changes/served-change.ts';
import { FUEL_NAME } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import type { Webhook, WebhookDelivery } from '../../../domain/webhooks/webhook.ts';
import { formatZonedTime } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { failureText, STOP_TEXTS } from '../../mails/webhook-failures.ts';
import { accountForm, named } from '../billing/account-form.ts';
import { CLOSED_TEXTS } from '../billing/account-texts.ts';
import { typedOf, webhookForm } from './webhook-form.ts';
import { EVENT_TEXTS, KIND_TEXTS, WEBHOOK_TEXTS as TEXTS } from './webhook-texts.ts';

type Shown = WebhooksView['webhooks'][number];

const PATH = BILLING_PATHS.accountWebhooks;

/** A webhook with its forms and deliveries. */
export function webhookPart({ key, webhook, deliveries }: Shown, view: WebhooksView): Html {
  const { language, keys } = view;
  const { id, state, oldSecretUntil, cursor } = webhook;
  const name = TEXTS.webhook[language](id);
  return html`<section aria-labelledby="webhook-${id}"><h2 id="webhook-${id}">${name}</h2>
<p><code class="address">${webhook.url}</code></p>
${statePart(webhook, keys.find((each) => each.id === key)?.closed ?? null, language)}${state === 'stopped' ? html`<p>${TEXTS.restart[language]}</p>\n` : null}<p class="soft">${filterOf(webhook, language)}${keys.length > 1 ? ` ${TEXTS.ofKey[language](String(key))}` : null}</p>
${cursor === null ? null : html`<p class="soft">${TEXTS.place[language]} <code>${cursor}</code></p>\n`}${oldSecretUntil === null ? null : html`<p class="soft">${TEXTS.oldSecret[language](formatZonedTime(oldSecretUntil, language))}</p>\n`}${formsOf(webhook, deliveries, view, name)}${deliveryTable(deliveries, language)}</section>
`;
}

/** The state in words; that a key is closed counts for more than that its webhook is active. */
function statePart(webhook: Webhook, closed: ClosedReason | null, language: Language): Html {
  const isProblem = webhook.state === 'stopped' || webhook.state === 'unverified';
  const why =
    closed === null ? null : html`<p class="problem">${CLOSED_TEXTS[closed][language]} ${TEXTS.closed[language]}</p>\n`;
  if (closed !== null && webhook.state === 'active') return html`${why}`;
  return html`<p${isProblem ? html` class="problem"` : null}>${stateOf(webhook, language)}</p>\n${why}`;
}

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
    kinds.length === CHANGE_KINDS.length ? null : kinds.map((kind) => KIND_TEXTS[kind][language]).join(', '),
  ].filter((each) => each !== null);
  return parts.length === 0 ? TEXTS.everything[language] : TEXTS.only[language](parts.join(', '));
}

/** What can be done with it; while it is changed or to be deleted, only that. */
function formsOf(webhook: Webhook, deliveries: readonly WebhookDelivery[], view: WebhooksView, name: string): Html {
  if (view.asksToDelete === webhook.id) return deletionForms(webhook, view, name);
  return view.editing === webhook.id ? editPart(webhook, view) : buttons(webhook, deliveries, view, name);
}

function buttons(
  { id, state, secretFingerprint }: Webhook,
  deliveries: readonly WebhookDelivery[],
  view: WebhooksView,
  name: string,
): Html {
  const { language } = view;
  const form = (action: string, label: typeof TEXTS.test, more = {}) =>
    accountForm(PATH, view, { webhook: id, do: action, ...more }, label, name);
  const isRunning = state === 'active' || state === 'paused';
  // One that we stopped may be told where to go on before a test starts it.
  const hasPlace = isRunning || state === 'stopped';
  const pause = state === 'paused' ? form('resume', TEXTS.resume) : form('pause', TEXTS.pause);
  const waits = state === 'active' && deliveries.some((each) => each.state === 'waiting' && each.tries > 0);
  return html`<div class="fields">${form('test', TEXTS.test)}${waits ? form('try-now', TEXTS.tryNow) : null}${isRunning ? pause : null}${hasPlace ? form('replay-day', TEXTS.replayDay) : null}${form('secret', TEXTS.newSecret, { of: secretFingerprint })}${form('delete', TEXTS.remove)}</div>
<p><a href="${PATH[language]}?edit=${id}#webhook-${id}"${named(TEXTS.edit[language], name)}>${TEXTS.edit[language]}</a></p>
${hasPlace ? cursorForm(id, view, name) : null}`;
}

function editPart(webhook: Webhook, view: WebhooksView): Html {
  const { language } = view;
  const form = webhookForm(view, {
    ...{ typed: view.typed ?? typedOf(webhook), button: TEXTS.save[language], more: null },
    hidden: { do: 'edit', webhook: webhook.id },
  });
  return html`${form}<p class="soft">${TEXTS.newAddress[language]} <a href="${PATH[language]}">${TEXTS.discard[language]}</a></p>\n`;
}

function cursorForm(id: string, { language, formToken }: WebhooksView, name: string): Html {
  return html`<form class="fields" method="post" action="${PATH[language]}">
<input type="hidden" name="form" value="${formToken}"><input type="hidden" name="webhook" value="${id}"><input type="hidden" name="do" value="replay"><label>${TEXTS.cursor[language]} <input type="text" name="cursor" maxlength="64" required autocomplete="off" autocapitalize="none" spellcheck="false"${named(TEXTS.cursor[language], name)}></label> <button type="submit"${named(TEXTS.replay[language], name)}>${TEXTS.replay[language]}</button>
</form>
<p class="soft">${TEXTS.cursorNow[language]}</p>
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
  if (tries === 0) return (state === 'waiting' ? TEXTS.waiting : TEXTS.interrupted)[language];
  const why = failureText({ failure, httpStatus }, language);
  const then =
    nextTryAt === null ? TEXTS.givenUp[language] : TEXTS.next[language](formatZonedTime(nextTryAt, language));
  return `${TEXTS.failedOften[language](tries, why)}; ${then}`;
}
