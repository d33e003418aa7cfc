/** The page of an account: the plan and its state in words, keys with their use, payment, mails. */
import { FREE_PLAN, KEY_PREFIX, PLANS } from '../../../domain/access/plans.ts';
import type { AccountKey, AccountSubscription, AccountView } from '../../../domain/billing/account-view.ts';
import { monthlyPriceOf } from '../../../domain/billing/paid-plans.ts';
import { dayNumber } from '../../../domain/days.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { counted, REQUESTS } from '../../html/counted.ts';
import { formatCount, formatDay, formatWeekdayTime, formatZonedTime } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
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
${form(BILLING_PATHS.accountMails, view, { mails: view.usageMails ? 'off' : 'on' }, view.usageMails ? TEXTS.switchOff : TEXTS.switchOn)}
<h2>${TEXTS.data[language]}</h2>
<ul>
<li><a href="${BILLING_PATHS.accountData[language]}">${TEXTS.download[language]}</a></li>
<li><a href="${BILLING_PATHS.accountAddress[language]}">${TEXTS.changeAddress[language]}</a></li>
<li><a href="${BILLING_PATHS.accountDeletion[language]}">${TEXTS.remove[language]}</a></li>
</ul>
${form(BILLING_PATHS.logOut, view, {}, TEXTS.logOut)}`,
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

/** A button that posts, with the token of the session. */
function form(
  path: LocalizedText,
  { language, formToken }: AccountView,
  fields: Readonly<Record<string, string>>,
  label: LocalizedText,
): Html {
  const all = Object.entries({ form: formToken, ...fields });
  return html`<form class="fields" method="post" action="${path[language]}">
${all.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button type="submit">${label[language]}</button>
</form>
`;
}

function subscriptionPart(subscription: AccountSubscription, view: AccountView): Html {
  const { language } = view;
  const { id, plan, standing, cancelAt, withdrawableOrder } = subscription;
  const name = PLANS.find(({ code }) => code === plan)?.name ?? plan;
  const isRunning = standing.isOpen || standing.reason === 'overdue' || standing.reason === 'paused';
  const withdrawal = `${BILLING_PATHS.withdrawal[language]}?order=${withdrawableOrder}`;
  return html`<h3>${TEXTS.plan[language](name)}</h3>
<p${standing.isOpen && standing.reason !== 'grace' ? null : html` class="problem"`}>${stateOf(subscription, language)}</p>
${isRunning ? downgradeWarning(subscription, view) : null}${form(BILLING_PATHS.accountPayment, view, { subscription: id }, isRunning ? TEXTS.payment : TEXTS.invoices)}${
  isRunning
    ? form(
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

function keyPart(key: AccountKey, view: AccountView): Html {
  const { id, plan, quota, used, days, secrets } = key;
  const { language } = view;
  const percent = `${quota === 0 ? 100 : Math.floor((100 * used) / quota)}%`;
  const count = (value: number) => formatCount(value, language);
  return html`<h3>${TEXTS.key[language](id, PLANS.find(({ code }) => code === plan)?.name ?? TEXTS.freePlan[language])}</h3>
${plan === FREE_PLAN ? html`<p class="soft">${TEXTS.freeRule[language]}</p>\n` : null}${
  secrets.length === 0
    ? html`<p>${TEXTS.noKey[language]}</p>\n`
    : html`<ul>${secrets.map(({ last4, slot, until }) => html`<li><code>${KEY_PREFIX}…${last4}</code>${slot === 2 ? html`, ${TEXTS.isSecond[language]}` : null}${until === null ? null : html`, ${TEXTS.until[language](formatZonedTime(until, language))}`}</li>\n`)}</ul>\n`
}<p>${TEXTS.used[language](count(used), counted(quota, REQUESTS, language), percent)}</p>
${usageChart(days, language)}${isClosedForGood(key, view) ? null : keyForms(key, view)}`;
}

/** Whether its subscription has ended: a new one gets a key of its own. */
function isClosedForGood({ id }: AccountKey, { subscriptions }: AccountView): boolean {
  return subscriptions.some(
    ({ keyId, standing }) =>
      keyId === id && !standing.isOpen && (standing.reason === 'ended' || standing.reason === 'withdrawn'),
  );
}

/** A new secret with an overlap, the end of old ones, a second one, and a cap of one's own. */
function keyForms(key: AccountKey, view: AccountView): Html {
  const { id, secrets } = key;
  const { language, formToken } = view;
  const hidden = (action: string) =>
    html`<input type="hidden" name="form" value="${formToken}"><input type="hidden" name="key" value="${id}"><input type="hidden" name="do" value="${action}">`;
  const path = BILLING_PATHS.accountKeys;
  const hasOld = secrets.some(({ until }) => until !== null);
  const hasSecond = secrets.some(({ slot, until }) => slot === 2 && until === null);
  const fields = (action: string) => ({ key: String(id), do: action });
  return html`<form class="fields" method="post" action="${path[language]}">
${hidden('new')}<label>${TEXTS.overlap[language]} <select name="overlap">${Object.entries(TEXTS.overlaps).map(([value, words]) => html`<option value="${value}"${value === '24h' ? html` selected` : null}>${words[language]}</option>`)}</select></label> <button type="submit">${TEXTS.renew[language]}</button>
</form>
${hasOld ? form(path, view, fields('end-old'), TEXTS.endOld) : null}${form(path, view, fields(hasSecond ? 'end-second' : 'second'), hasSecond ? TEXTS.endSecond : TEXTS.second)}${capForm(key, view, hidden('cap'))}`;
}

function capForm({ id, allowed, cap, quota, hasOwnCap, used }: AccountKey, view: AccountView, hidden: Html): Html {
  const { language } = view;
  const wrong = view.invalidCap?.key === id ? view.invalidCap.typed : null;
  const most = formatCount(allowed, language);
  const invalid = wrong === null ? null : html` aria-invalid="true" aria-describedby="cap-problem"`;
  return html`<form class="fields" method="post" action="${BILLING_PATHS.accountKeys[language]}">
${hidden}<label>${TEXTS.cap[language]} <input type="text" inputmode="numeric" name="cap" value="${wrong ?? (cap === null ? '' : String(cap))}" maxlength="14"${invalid}></label> <button type="submit">${TEXTS.setCap[language]}</button>
<p class="soft">${TEXTS.capHint[language](most)}</p>
${hasOwnCap && used >= quota ? html`<p class="problem">${TEXTS.capReached[language]}</p>\n` : null}${
  wrong === null ? null : html`<p class="problem" id="cap-problem" role="alert">${TEXTS.badCap[language](most)}</p>\n`
}</form>
`;
}

const CHART = { bar: 8, gap: 3, height: 80 };

/** A bar for each day; what it shows is said in words, too. */
function usageChart(days: AccountKey['days'], language: Language): Html | null {
  const most = days.reduce((found, each) => (each.count > found.count ? each : found), { day: '', count: 0 });
  if (most.count === 0) return null;
  const step = CHART.bar + CHART.gap;
  const bars = days.map(({ count }, index) => {
    const height = Math.ceil((CHART.height * count) / most.count);
    return `M${index * step} ${CHART.height}v${-height}h${CHART.bar}v${height}z`;
  });
  const words = TEXTS.most[language](formatCount(most.count, language), formatDay(dayNumber(most.day), language));
  const width = days.length * step;
  const line = `M0 ${CHART.height}h${width}v1H0z`;
  return html`<p><svg width="${width}" height="${CHART.height + 1}" viewBox="0 0 ${width} ${CHART.height + 1}" role="img" aria-label="${TEXTS.chart[language]}. ${words}"><path fill="currentColor" d="${line}${bars.join('')}"/></svg></p>
<p class="soft">${TEXTS.chart[language]}. ${words}</p>
`;
}
