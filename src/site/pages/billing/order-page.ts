/** The form of an order: what is charged and when, the consent, and the button that the law names. */
import { PLANS } from '../../../domain/access/plans.ts';
import type { OrderProblem, OrderView } from '../../../domain/billing/order-view.ts';
import { monthlyPriceOf } from '../../../domain/billing/paid-plans.ts';
import type { SellingOffer } from '../../../domain/billing/selling-offer.ts';
import { WITHDRAWAL_DAYS } from '../../../domain/billing/withdrawal-right.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { formatCount } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { ORDER_PROBLEMS, ORDER_TEXTS as TEXTS } from './order-texts.ts';

/** Problems of a field, which its input names. */
const OF_FIELDS: readonly OrderProblem[] = ['email', 'terms', 'start'];
const STATUS = { 'not now': 429, 'no checkout': 503 } as const;
const RETRY_SECONDS = 60;

/** The page of the form. */
export function orderPage(view: OrderView, { seller, salesMode, checkoutOrigins }: SellingOffer): Page {
  const { language, plan: code, problems } = view;
  const plan = PLANS.find((each) => each.code === code);
  const name = plan?.name ?? code;
  const charge = { plan: name, euros: monthlyPriceOf(code), quota: formatCount(plan?.monthlyQuota ?? 0, language) };
  const paths = BILLING_PATHS.order;
  const status = statusOf(problems);
  return {
    ...{ language, route: 'plans', status, formOrigins: checkoutOrigins },
    ...(status === 503 && { retryAfterSeconds: RETRY_SECONDS }),
    paths: { ro: `${paths.ro}?plan=${code}`, en: `${paths.en}?plan=${code}` },
    title: `${TEXTS.title[language](name)} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    breadcrumb: [countryLink(language), { name: TEXTS.allPlans[language], path: ROUTES.plans[language] }],
    content: html`<h1>${TEXTS.title[language](name)}</h1>
<p class="lead">${TEXTS.lead[language](charge)}</p>
${problemBox(view)}<h2>${TEXTS.charged[language]}</h2>
<ul>${TEXTS.charges[language](charge).map((each) => html`<li>${each}</li>\n`)}</ul>
<h2>${TEXTS.withdrawalTitle[language]}</h2>
<p>${inlineMarkup(TEXTS.withdrawal[language](WITHDRAWAL_DAYS, BILLING_PATHS.withdrawal[language]))}</p>
${orderForm(view, seller?.termsUrl ?? ROUTES.terms[language])}
${seller === null ? null : html`<p class="soft">${TEXTS.seller[salesMode][language]}: ${seller.name}, ${seller.address}, ${seller.taxId}, ${seller.contact}</p>`}`,
  };
}

function statusOf(problems: readonly OrderProblem[]): NonNullable<Page['status']> {
  const [first] = problems;
  if (first === undefined) return 200;
  return first === 'not now' || first === 'no checkout' ? STATUS[first] : 400;
}

function problemBox({ language, problems }: OrderView): Html | null {
  if (problems.length === 0) return null;
  const items = problems.map((problem) => {
    const words = ORDER_PROBLEMS[problem][language];
    return OF_FIELDS.includes(problem) ? html`<a href="#${problem}">${words}</a>` : html`${words}`;
  });
  return html`<div class="problem" role="alert"><p>${TEXTS.problem[language]}:</p>
<ul>${items.map((item) => html`<li>${item}</li>\n`)}</ul></div>
`;
}

function orderForm({ language, plan, email, agrees, problems }: OrderView, terms: string): Html {
  const invalid = (field: OrderProblem) =>
    problems.includes(field) ? html` aria-invalid="true" aria-describedby="${field}-problem"` : null;
  const problemOf = (field: OrderProblem) =>
    problems.includes(field)
      ? html`<p class="problem" id="${field}-problem">${ORDER_PROBLEMS[field][language]}</p>\n`
      : null;
  const consent = (field: 'terms' | 'start', words: readonly Html[]) =>
    html`<label class="choice"><input type="checkbox" id="${field}" name="${field}" value="yes" required${agrees[field] ? html` checked` : null}${invalid(field)}> <span>${words}</span></label>
${problemOf(field)}`;
  return html`<form class="rate" method="post" action="${BILLING_PATHS.order[language]}">
<label>${TEXTS.email[language]} <input type="text" inputmode="email" id="email" name="email" value="${email}" maxlength="254" required autocomplete="email" autocapitalize="none" spellcheck="false"${invalid('email')}></label>
${problemOf('email')}${consent('terms', inlineMarkup(TEXTS.terms[language](terms)))}${consent('start', [html`${TEXTS.start[language](WITHDRAWAL_DAYS)}`])}<p><input type="hidden" name="plan" value="${plan}"><button type="submit">${TEXTS.send[language]}</button></p>
<p class="soft">${TEXTS.next[language]}</p>
</form>`;
}
