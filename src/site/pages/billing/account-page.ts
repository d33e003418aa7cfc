/** The page of an account: the plan and its state in words, keys with their use, payment, mails. */
import { FREE_PLAN, PLANS, planNameOf } from '../../../domain/access/plans.ts';
import type { AccountSubscription, AccountView } from '../../../domain/billing/account-view.ts';
import { monthlyPriceOf } from '../../../domain/billing/paid-plans.ts';
import type { SellingOffer } from '../../../domain/billing/selling-offer.ts';
import type { ClosedReason } from '../../../domain/billing/standing.ts';
import { LANGUAGES, type Language } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { counted, REQUESTS } from '../../html/counted.ts';
import { formatWeekdayTime, formatZonedTime } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { accountForm, named } from './account-form.ts';
import { keyPart, revokedKeyPart } from './account-key-part.ts';
import { ACCOUNT_NOTICE_TEXTS, CLOSED_TEXTS, ACCOUNT_TEXTS as TEXTS } from './account-texts.ts';

/** The page. */
export function accountPage(view: AccountView, offer: SellingOffer, contact: string | null): Page {
  const { language, notice, subscriptions, keys, revokedKeys } = view;
  const hasKeys = keys.length + revokedKeys.length > 0;
  return {
    ...{ language, route: 'plans', paths: BILLING_PATHS.account, formOrigins: offer.checkoutOrigins },
    ...(view.invalidCap !== null && { status: 400 as const }),
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${leadOf(view)}</p>
${notice === null ? null : html`<p class="notice" role="status">${ACCOUNT_NOTICE_TEXTS[notice][language]}</p>\n`}${newKey(view)}${mailRefused(view)}${
  subscriptions.length === 0
    ? withoutSubscription(view, offer)
    : html`<h2>${TEXTS.plans[language]}</h2>\n${subscriptions.map((each) => subscriptionPart(each, view))}`
}${hasKeys ? html`<h2>${TEXTS.keys[language]}</h2>\n` : null}${keys.map((key) => keyPart(key, view))}${revokedKeys.map((key) => revokedKeyPart(key, contact, language))}${webhooksLink(view)}<h2>${TEXTS.mails[language]}</h2>
${mailLanguage(view)}<p>${(view.usageMails ? TEXTS.mailsOn : TEXTS.mailsOff)[language]}</p>
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

const hasFreeKey = ({ keys }: AccountView): boolean => keys.some(({ plan }) => plan === FREE_PLAN);

function leadOf(view: AccountView): string {
  const { language, email, subscriptions } = view;
  return (subscriptions.length === 0 && hasFreeKey(view) ? TEXTS.freeLead : TEXTS.lead)[language](email);
}

/** What somebody without a subscription has, and how to get more. */
function withoutSubscription(view: AccountView, { freeKeyQuota }: SellingOffer): Html {
  const { language, keys, revokedKeys } = view;
  const hasNothing = keys.length + revokedKeys.length === 0;
  const words = hasFreeKey(view) ? TEXTS.freeOnly : hasNothing ? TEXTS.nothing : TEXTS.none;
  const freeKey =
    hasNothing && freeKeyQuota !== null
      ? html` <a href="${BILLING_PATHS.freeKey[language]}">${TEXTS.toFreeKey[language]}</a>`
      : null;
  return html`<p>${words[language]} <a href="${ROUTES.plans[language]}">${TEXTS.toPlans[language]}</a>${freeKey}</p>\n`;
}

function webhooksLink({ language, hasWebhooks, keys }: AccountView): Html | null {
  if (!hasWebhooks || keys.length === 0) return null;
  return html`<h2>${TEXTS.webhooks[language]}</h2>
<p>${TEXTS.webhooksAbout[language]} <a href="${BILLING_PATHS.accountWebhooks[language]}">${TEXTS.toWebhooks[language]}</a></p>
`;
}

function mailLanguage({ language, formToken, mailLanguage: chosen }: AccountView): Html {
  const options = LANGUAGES.map(
    (each) =>
      html`<option value="${each}" lang="${each}"${each === chosen ? html` selected` : null}>${TEXTS.languages[each]}</option>`,
  );
  return html`<form class="fields" method="post" action="${BILLING_PATHS.accountMails[language]}">
<input type="hidden" name="form" value="${formToken}"><label>${TEXTS.mailLanguage[language]} <select name="language">${options}</select></label> <button type="submit">${TEXTS.setLanguage[language]}</button>
</form>
`;
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

/** Stripe charges nothing more. */
const OVER: readonly ClosedReason[] = ['withdrawn', 'ended'];

function subscriptionPart(subscription: AccountSubscription, view: AccountView): Html {
  const { language } = view;
  const { id, standing, cancelAt, withdrawableOrder } = subscription;
  const name = nameOf(subscription, view);
  const about = view.subscriptions.length > 1 ? name : null;
  const isRunning = standing.isOpen || !OVER.includes(standing.reason);
  const withdrawal = `${BILLING_PATHS.withdrawal[language]}?order=${withdrawableOrder}`;
  return html`<h3>${name}</h3>
<p${standing.isOpen && standing.reason !== 'grace' ? null : html` class="problem"`}>${stateOf(subscription, language)}</p>
${isRunning ? downgradeWarning(subscription, view) : null}${accountForm(BILLING_PATHS.accountPayment, view, { subscription: id }, isRunning ? TEXTS.payment : TEXTS.invoices, about)}${
  isRunning
    ? accountForm(
        BILLING_PATHS.accountCancellation,
        view,
        { subscription: id, cancel: cancelAt === null ? 'yes' : 'no' },
        cancelAt === null ? TEXTS.cancel : TEXTS.resume,
        about,
      )
    : null
}${isRunning ? null : html`<p><a href="${ROUTES.plans[language]}"${named(TEXTS.toPlans[language], about)}>${TEXTS.toPlans[language]}</a></p>\n`}${withdrawableOrder === null ? null : html`<p><a href="${withdrawal}"${named(TEXTS.withdraw[language], about)}>${TEXTS.withdraw[language]}</a></p>\n`}`;
}

/** The plan, and of several subscriptions also the key: they may have the same plan. */
function nameOf({ plan, keyId }: AccountSubscription, { language, subscriptions }: AccountView): string {
  const name = TEXTS.plan[language](planNameOf(plan));
  return subscriptions.length > 1 && keyId !== null ? `${name}, ${TEXTS.ofKey[language](keyId)}` : name;
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
  return html`<p class="soft">${TEXTS.downgrade[language](counted(key.used, REQUESTS, language), names)}</p>\n`;
}

/** The state in words: until when, and what then. */
function stateOf(subscription: AccountSubscription, language: Language) {
  const { plan, standing, trialEnd, periodEnd, cancelAt, endsAt, graceUntil } = subscription;
  const time = (instant: number) => formatWeekdayTime(instant, language);
  if (!standing.isOpen) return CLOSED_TEXTS[standing.reason][language];
  if (endsAt !== null) return TEXTS.ending[language](time(endsAt));
  if (standing.reason === 'grace') {
    const closesAt = time(graceUntil ?? standing.until);
    return cancelAt === null
      ? TEXTS.grace[language](closesAt)
      : TEXTS.graceCancelled[language](closesAt, time(cancelAt));
  }
  const euros = monthlyPriceOf(plan);
  return standing.reason === 'trial'
    ? TEXTS.trial[language](time(trialEnd ?? periodEnd), euros)
    : TEXTS.active[language](time(periodEnd), euros);
}
