/** What is free and what a key adds. */

import { KEY_PREFIX, PLANS, type SubscriptionPlan, TRIAL_DAYS } from '../../../domain/access/plans.ts';
import { ANONYMOUS_LIMITS, KEY_RATE_LIMITS } from '../../../domain/access/request-limits.ts';
import { paidPlanOf } from '../../../domain/billing/paid-plans.ts';
import type { SellingOffer } from '../../../domain/billing/selling-offer.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest } from '../../frame/site-data.ts';
import { formatCount } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { scrollableTable } from '../../html/scrollable-table.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { contactLine, contactOf } from '../../parts/contact-line.ts';

/** The plans page. */
export function plansPage({ language, data }: PageRequest): Page {
  const localized = (text: LocalizedText): Html[] => inlineMarkup(text[language]);
  const { selling } = data;
  const isSold = selling?.seller != null;
  const contact = contactOf(data);
  const content = html`<h1>${localized(TITLE)}</h1>
<p class="lead">${localized(LEAD)}</p>
${scrollableTable(TITLE[language])}<table>
<thead><tr>${COLUMNS.map((column, index) => html`<th scope="col"${index > 0 ? html` class="num"` : null}>${localized(column)}</th>`)}</tr></thead>
<tbody>
${PLANS.map((plan) => planRow(plan, isSold, language))}</tbody>
</table></div>
<p>${localized(TRIAL)}${isSold ? localized(SOLD) : null}</p>
${freeKeyLine(selling, language)}<p id="contact">${localized(isSold ? DEDICATED_BY_AGREEMENT : BY_AGREEMENT)} ${contactLine(contact, language)}${contact === null ? localized(FOR_THE_OPERATOR) : null}</p>
<h2>${localized(KEYS_TITLE)}</h2>
<ul>${[...KEYS, isSold ? KEYS_BY_MAIL : KEYS_OF_OPERATOR].map((text) => html`<li>${localized(text)}</li>\n`)}</ul>
<h2>${localized(FREE_TITLE)}</h2>
<p>${localized(FREE_LEAD)}</p>
<ul>${FREE.map((text) => html`<li>${localized(text)}</li>\n`)}</ul>
<p>${localized(MORE)}</p>`;
  return {
    language,
    route: 'plans',
    paths: ROUTES.plans,
    title: `${TITLE[language]} · ${SERVICE_NAME}`,
    description: DESCRIPTION[language],
    breadcrumb: [countryLink(language)],
    content,
  };
}

function planRow({ code, name, euros, monthlyQuota }: SubscriptionPlan, isSold: boolean, language: Language): Html {
  const contract = BY_CONTRACT[language];
  // Below the name: on a phone, a column of its own would be out of sight.
  const order = isSold ? html`<br>${orderLink(code, name, language)}` : null;
  return html`<tr><th scope="row">${name}${order}</th><td class="num">${monthlyQuota === null ? contract : formatCount(monthlyQuota, language)}</td><td class="num">${euros === null ? contract : `${euros} EUR`}</td></tr>\n`;
}

/** A plan without a price has none: it is agreed on with the operator. */
function orderLink(code: SubscriptionPlan['code'], name: string, language: Language): Html {
  const plan = paidPlanOf(code);
  if (plan === null) return html`<a href="#contact">${WRITE_TO_US[language]}</a>`;
  return html`<a href="${BILLING_PATHS.order[language]}?plan=${plan}" aria-label="${ORDER_PLAN[language](name)}">${ORDER[language]}</a>`;
}

function freeKeyLine(selling: SellingOffer | null, language: Language): Html | null {
  const quota = selling?.freeKeyQuota ?? null;
  if (quota === null) return null;
  return html`<p>${inlineMarkup(FREE_KEY[language](formatCount(quota, language)))}</p>\n`;
}

const TITLE: LocalizedText = { ro: 'Planuri', en: 'Plans' };

const DESCRIPTION: LocalizedText = {
  ro: `Planurile ${SERVICE_NAME}: cereri pe lună, prețuri și limitele utilizării gratuite, fără cheie.`,
  en: `${SERVICE_NAME} plans: requests per month, prices and the limits of free use without a key.`,
};

const LEAD: LocalizedText = {
  ro: 'Toate adresele API-ului, în afară de `/cheie`, răspund și fără cheie, cu date reduse sau limite mai strânse. O cheie API dă acces la toate datele, cu o cotă lunară de cereri.',
  en: 'All paths of the API but `/cheie` also answer without a key, with reduced data or tighter limits. An API key gives access to all data, with a monthly quota of requests.',
};

const COLUMNS: readonly LocalizedText[] = [
  { ro: 'Plan', en: 'Plan' },
  { ro: 'Cereri pe lună', en: 'Requests per month' },
  { ro: 'Preț pe lună', en: 'Price per month' },
];

const BY_CONTRACT: LocalizedText = { ro: 'prin contract', en: 'by contract' };

const TRIAL: LocalizedText = {
  ro: `Fiecare plan începe cu ${TRIAL_DAYS} zile de probă gratuită. Luna este cea calendaristică, în UTC.`,
  en: `Every plan starts with a free trial of ${TRIAL_DAYS} days. The month is the calendar month in UTC.`,
};

const BY_AGREEMENT: LocalizedText = {
  ro: 'Cheile și planul Dedicat, cu cotă și preț stabilite prin contract, se cer operatorului.',
  en: 'Ask the operator for a key, or for the Dedicat plan, whose quota and price are agreed by contract.',
};

const FOR_THE_OPERATOR: LocalizedText = {
  ro: ' Dacă sunteți operatorul: indicați-o prin setarea `CONTACT`.',
  en: ' If you are the operator: the setting `CONTACT` names one.',
};

const ORDER: LocalizedText = { ro: 'Comandă', en: 'Order' };

const ORDER_PLAN = {
  ro: (plan: string) => `Comandă ${plan}`,
  en: (plan: string) => `Order ${plan}`,
};

const WRITE_TO_US: LocalizedText = { ro: 'la cerere', en: 'on request' };

const SOLD: LocalizedText = {
  ro: ' Perioada de probă se acordă o singură dată, la prima comandă. Prețurile includ TVA; abonamentul se reînnoiește lunar și se poate anula oricând.',
  en: ' The trial is given once, with the first order. Prices include VAT; the subscription renews every month and can be cancelled at any time.',
};

const FREE_KEY = {
  ro: (quota: string) =>
    `Pentru încercări: o [cheie gratuită](${BILLING_PATHS.freeKey.ro}) cu ${quota} de cereri pe lună, fără card.`,
  en: (quota: string) =>
    `For trying things out: a [free key](${BILLING_PATHS.freeKey.en}) with ${quota} requests a month, without a card.`,
};

const DEDICATED_BY_AGREEMENT: LocalizedText = {
  ro: 'Planul Dedicat, cu cotă și preț stabilite prin contract, se cere operatorului.',
  en: 'Ask the operator for the Dedicat plan, whose quota and price are agreed by contract.',
};

const KEYS_OF_OPERATOR: LocalizedText = {
  ro: 'Cheile sunt emise de operatorul serviciului.',
  en: 'Keys are issued by the operator of the service.',
};

const KEYS_BY_MAIL: LocalizedText = {
  ro: `Cheia vine pe e-mail în câteva minute de la comandă; o schimbați și vedeți cererile folosite din [cont](${BILLING_PATHS.account.ro}).`,
  en: `The key arrives by e-mail within minutes of the order; you replace it and see the requests used in your [account](${BILLING_PATHS.account.en}).`,
};

const KEYS_TITLE: LocalizedText = { ro: 'Cu o cheie', en: 'With a key' };

const KEYS: readonly LocalizedText[] = [
  {
    ro: `Toate orașele din \`/preturi\` și toate înregistrările din \`/statii\`; cota lunară a planului înlocuiește limita săptămânală.`,
    en: `All cities of \`/preturi\` and all records of \`/statii\`; the monthly quota of the plan replaces the weekly cap.`,
  },
  {
    ro: `Pe termen scurt, cel mult ${KEY_RATE_LIMITS.perSecond} cereri pe secundă și ${KEY_RATE_LIMITS.perMinute} pe minut pentru fiecare cheie, indiferent de plan.`,
    en: `At most ${KEY_RATE_LIMITS.perSecond} requests per second and ${KEY_RATE_LIMITS.perMinute} per minute for each key, whatever the plan.`,
  },
  {
    ro: `Cheia (\`${KEY_PREFIX}…\`) se trimite în antetul \`X-Api-Key\` și se păstrează numai pe server.`,
    en: `The key (\`${KEY_PREFIX}…\`) is sent in the header \`X-Api-Key\` and kept server-side only.`,
  },
];

const FREE_TITLE: LocalizedText = { ro: 'Fără cheie', en: 'Without a key' };

const FREE_LEAD: LocalizedText = {
  ro: 'Utilizarea gratuită nu necesită cont.',
  en: 'Free use needs no account.',
};

const FREE: readonly LocalizedText[] = [
  {
    ro: '`/preturi/minime`, `/health` și `/openapi.json`: fără limită.',
    en: '`/preturi/minime`, `/health` and `/openapi.json`: no cap.',
  },
  {
    ro: `\`/preturi\`: primele ${ANONYMOUS_LIMITS.cities} de orașe după populație și mediile rețelelor, fără limită de cereri.`,
    en: `\`/preturi\`: the ${ANONYMOUS_LIMITS.cities} largest cities and the network averages, no cap on requests.`,
  },
  {
    ro: '`/judete`, `/retele`, `/statii`, `/statie/{station_id}/istoric` și `/geocode`: limită de o cerere pe săptămână pentru fiecare adresă IP și fiecare dintre aceste adrese ale API-ului.',
    en: '`/judete`, `/retele`, `/statii`, `/statie/{station_id}/istoric` and `/geocode`: a cap of one request per week for each IP address and each of these endpoints.',
  },
  {
    ro: `\`/statii\`: un eșantion de cel mult ${ANONYMOUS_LIMITS.records} de înregistrări.`,
    en: `\`/statii\`: a sample of at most ${ANONYMOUS_LIMITS.records} records.`,
  },
];

const MORE: LocalizedText = {
  ro: `Toate limitele, antetele și erorile: [documentația API](${ROUTES.docs.ro}#limite).`,
  en: `All limits, headers and errors: [API documentation](${ROUTES.docs.en}#limite).`,
};
