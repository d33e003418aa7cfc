/** The page of an account: the plan and its state in words, keys with their use, payment, mails. */
import { PLANS } from '../../../domain/access/plans.ts';
import type { AccountSubscription, AccountView } from '../../../domain/billing/account-view.ts';
import { monthlyPriceOf } from '../../../domain/billing/paid-plans.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { formatCount, formatWeekdayTime, formatZonedTime } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { accountForm } from './account-form.ts';
import { keyPart } from './account-key-part.ts';
import { ACCOUNT_NOTICE_TEXTS, CLOSED_TEXTS, ACCOUNT_TEXTS as TEXTS } from './account-texts.ts';

/** The page. */
export function accountPage(view: AccountView, checkoutOrigins: readonly string[]): Page {
  const { language, email, notice, subscriptions, keys } = view;
  return {
    ...{ language, route: 'plans', paths: BILLING_PATHS.account, formOrigins: checkoutOrigins },
    ...(view.invalidCap !== null && { status: 400 as const }),
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${TEXTS.lead[language](email)}</p>
${notice === null ? null : html`<p class="notice" role="status">${ACCOUNT_NOTICE_TEXTS[notice][language]}</p>\n`}${newKey(view)}${mailRefused(view)}<h2>${TEXTS.plans[language]}</h2>
${subscriptions.length === 0 ? html`<p>${TEXTS.none[language]} <a href="${ROUTES.plans[language]}">${TEXTS.toPlans[language]}</a></p>\n` : subscriptions.map((each) => subscriptionPart(each, view))}
<h2>${TEXTS.keys[language]}</h2>
${keys.length === 0 && subscriptions.length === 0 ? null : keys.map((key) => keyPart(key, view))}
<h2>${TEXTS.mails[language]}</h2>
<p>${(view.usageMails ? TEXTS.mailsOn : TEXTS.mailsOff)[language]}</p>
${accountForm(BILLING_PATHS.accountMails, view, { mails: view.usageMails ? 'off' : 'on' }, view.usageMails ? TEXTS.switchOff : TEXTS.switchOn)}
<h2>${TEXTS.data[language]}</h2>
<ul>
<li><a href="${BILLING_PATHS.accountData[language]}">${TEXTS.download[language]}</a></li>
<li><a href="${BILLING_PATHS.accountAddress[language]}">${TEXTS.changeAddress[language]}</a></li>
<li><a href="${BILLING_PATHS.accountDeletion[language]}">${TEXTS.remove[language]}</a></li>
</ul>
${accountForm(BILLING_PATHS.logOut, view, {}, TEXTS.logOut)}`,
  };
}

/** Only the answer to the form that made it shows a key. */
function newKey({ newKey: made, language }: AccountView): Html | null {
  if (made === null) return null;
  return html`<section class="notice" aria-labelledby="cheie-noua"><h2 id="cheie-noua">${TEXTS.newKeyTitle[language]}</h2>
<p><code class="address">${made.key}</code></p>
<p>${TEXTS.newKeyAbout[language]}</p></section>
`;
}

function mailRefused({ mailRefusedAt, language }: AccountView): Html | null {
  if (mailRefusedAt === null) return null;
  const since = formatZonedTime(mailRefusedAt, language);
  return html`<p class="problem" role="alert">${TEXTS.mailRefused[language](since)}</p>\n`;
}

function subscriptionPart(subscription: AccountSubscription, view: AccountView): Html {
  const { language } = view;
  const { id, plan, standing, cancelAt, withdrawableOrder } = subscription;
  const name = PLANS.find(({ code }) => code === plan)?.name ?? plan;
  const isRunning = standing.isOpen || standing.reason === 'overdue' || standing.reason === 'paused';
  const withdrawal = `${BILLING_PATHS.withdrawal[language]}?order=${withdrawableOrder}`;
  return html`<h3>${TEXTS.plan[language](name)}</h3>
<p${standing.isOpen && standing.reason !== 'grace' ? null : html` class="problem"`}>${stateOf(subscription, language)}</p>
${isRunning ? downgradeWarning(subscription, view) : null}${accountForm(BILLING_PATHS.accountPayment, view, { subscription: id }, isRunning ? TEXTS.payment : TEXTS.invoices)}${
  isRunning
    ? accountForm(
        BILLING_PATHS.accountCancellation,
        view,
        { subscription: id, cancel: cancelAt === null ? 'yes' : 'no' },
        cancelAt === null ? TEXTS.cancel : TEXTS.resume,
      )
    : null
}${withdrawableOrder === null ? null : html`<p><a href="${withdrawal}">${TEXTS.withdraw[language]}</a></p>\n`}`;
}

/** Names the plans whose quota is used up already: a change to one of them stops the key until the next month. */
function downgradeWarning({ plan, keyId }: AccountSubscription, { keys, language }: AccountView): Html | null {
  const key = keys.find(({ id }) => id === keyId);
  const allowed = PLANS.find(({ code }) => code === plan)?.monthlyQuota ?? 0;
  const exceeded = PLANS.filter(
    ({ monthlyQuota }) => monthlyQuota !== null && monthlyQuota < allowed && (key?.used ?? 0) >= monthlyQuota,
  );
  if (key === undefined || exceeded.length === 0) return null;
  const names = exceeded.map(({ name }) => name).join(', ');
  return html`<p class="soft">${TEXTS.downgrade[language](formatCount(key.used, language), names)}</p>\n`;
}

/** The state in words: until when, and what then. */
function stateOf(
  { plan, standing, trialEnd, periodEnd, cancelAt, graceUntil }: AccountSubscription,
  language: Language,
) {
  const time = (instant: number) => formatWeekdayTime(instant, language);
  if (!standing.isOpen) return CLOSED_TEXTS[standing.reason][language];
  if (cancelAt !== null) return TEXTS.ending[language](time(cancelAt));
  if (standing.reason === 'grace') return TEXTS.grace[language](time(graceUntil ?? standing.until));
  const euros = monthlyPriceOf(plan);
  return standing.reason === 'trial'
    ? TEXTS.trial[language](time(trialEnd ?? periodEnd), euros)
    : TEXTS.active[language](time(periodEnd), euros);
}
