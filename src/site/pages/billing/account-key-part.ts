/** The keys on the page of an account: their secrets, their use, and what their holder may change. */
import { FREE_PLAN, KEY_PREFIX, planNameOf } from '../../../domain/access/plans.ts';
import type { AccountKey, AccountView } from '../../../domain/billing/account-view.ts';
import { dayNumber } from '../../../domain/days.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { counted, REQUESTS } from '../../html/counted.ts';
import { formatCount, formatDay, formatZonedTime } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { contactLink } from '../../parts/contact-line.ts';
import { accountForm, named } from './account-form.ts';
import { ACCOUNT_TEXTS as TEXTS } from './account-texts.ts';

/** What the page calls a key. */
function keyName({ id, plan }: Pick<AccountKey, 'id' | 'plan'>, language: Language): string {
  return TEXTS.key[language](id, plan === FREE_PLAN ? TEXTS.freePlan[language] : planNameOf(plan));
}

/** A key that the operator has revoked, and how to get another. */
export function revokedKeyPart(key: Pick<AccountKey, 'id' | 'plan'>, contact: string | null, language: Language): Html {
  const ask = contact === null ? null : html` ${TEXTS.anotherKey[language]} ${contactLink(contact)}.`;
  return html`<h3>${keyName(key, language)}</h3>
<p class="problem">${TEXTS.keyRevoked[language]}${ask}</p>
`;
}

/** A key with its forms. */
export function keyPart(key: AccountKey, view: AccountView): Html {
  const { plan, quota, hasOwnCap, used, days, secrets } = key;
  const { language } = view;
  const percent = `${quota === 0 ? 100 : Math.floor((100 * used) / quota)}%`;
  const count = (value: number) => formatCount(value, language);
  return html`<h3>${keyName(key, language)}</h3>
${plan === FREE_PLAN ? html`<p class="soft">${TEXTS.freeRule[language]}</p>\n` : null}${
  secrets.length === 0
    ? html`<p>${TEXTS.noKey[language]}</p>\n`
    : html`<ul>${secrets.map(({ last4, slot, until }) => html`<li><code>${KEY_PREFIX}…${last4}</code>${slot === 2 ? html`, ${TEXTS.isSecond[language]}` : null}${until === null ? null : html`, ${TEXTS.until[language](formatZonedTime(until, language))}`}</li>\n`)}</ul>\n`
}<p>${TEXTS.used[language](count(used), counted(quota, REQUESTS, language), percent)}</p>
${!hasOwnCap && used >= quota ? html`<p class="problem">${TEXTS.quotaReached[language]}</p>\n` : null}${usageChart(days, language)}${hasEndedSubscription(key, view) ? null : keyForms(key, view)}`;
}

/** A new subscription gets a key of its own. */
function hasEndedSubscription({ id }: AccountKey, { subscriptions }: AccountView): boolean {
  return subscriptions.some(
    ({ keyId, standing }) =>
      keyId === id && !standing.isOpen && (standing.reason === 'ended' || standing.reason === 'withdrawn'),
  );
}

/** A new secret with an overlap, the end of old ones, a second one, and a cap of one's own. */
function keyForms(key: AccountKey, view: AccountView): Html {
  const { id, secrets } = key;
  const { language, formToken, keys } = view;
  const about = keys.length > 1 ? keyName(key, language) : null;
  const hidden = (action: string) =>
    html`<input type="hidden" name="form" value="${formToken}"><input type="hidden" name="key" value="${id}"><input type="hidden" name="do" value="${action}">`;
  const path = BILLING_PATHS.accountKeys;
  const hasOld = secrets.some(({ until }) => until !== null);
  const hasSecond = secrets.some(({ slot, until }) => slot === 2 && until === null);
  const fields = (action: string) => ({ key: String(id), do: action });
  return html`<form class="fields" method="post" action="${path[language]}">
${hidden('new')}<label>${TEXTS.overlap[language]} <select name="overlap"${named(TEXTS.overlap[language], about)}>${Object.entries(TEXTS.overlaps).map(([value, words]) => html`<option value="${value}"${value === '24h' ? html` selected` : null}>${words[language]}</option>`)}</select></label> <button type="submit"${named(TEXTS.renew[language], about)}>${TEXTS.renew[language]}</button>
</form>
${hasOld ? accountForm(path, view, fields('end-old'), TEXTS.endOld, about) : null}${accountForm(path, view, fields(hasSecond ? 'end-second' : 'second'), hasSecond ? TEXTS.endSecond : TEXTS.second, about)}${capForm(key, view, hidden('cap'), about)}`;
}

function capForm(
  { id, allowed, cap, quota, hasOwnCap, used }: AccountKey,
  view: AccountView,
  hidden: Html,
  about: string | null,
): Html {
  const { language } = view;
  const wrong = view.invalidCap?.key === id ? view.invalidCap.typed : null;
  const most = formatCount(allowed, language);
  const invalid = wrong === null ? null : html` aria-invalid="true" aria-describedby="cap-problem"`;
  return html`<form class="fields" method="post" action="${BILLING_PATHS.accountKeys[language]}">
${hidden}<label>${TEXTS.cap[language]} <input type="text" inputmode="numeric" name="cap" value="${wrong ?? (cap === null ? '' : String(cap))}" maxlength="14"${named(TEXTS.cap[language], about)}${invalid}></label> <button type="submit"${named(TEXTS.setCap[language], about)}>${TEXTS.setCap[language]}</button>
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
