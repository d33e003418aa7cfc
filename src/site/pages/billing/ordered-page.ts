/** The page after a checkout: how far the order is. It never shows a key. */
import { planNameOf } from '../../../domain/access/plans.ts';
import type { OrderedView } from '../../../domain/billing/order-view.ts';
import type { SellingOffer } from '../../../domain/billing/selling-offer.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { html } from '../../html/html-template.ts';
import { contactLink } from '../../parts/contact-line.ts';
import { ORDER_TEXTS, ORDERED_TEXTS, PROGRESS } from './order-texts.ts';

/** The page; while it waits, it leads to itself. */
export function orderedPage({ language, progress, order }: OrderedView, { seller }: SellingOffer): Page {
  const { title, text } = PROGRESS[progress];
  const isWaiting = progress === 'waiting' || progress === 'sending';
  const hasNoMail = progress === 'refused' || progress === 'undelivered';
  const hasContract = isWaiting || progress === 'sent' || hasNoMail;
  const planName = order === null ? null : planNameOf(order.plan);
  const contact = seller === null ? null : html` ${ORDERED_TEXTS.wrong[language]} ${contactLink(seller.contact)}.`;
  const link = (path: string, words: string) => html`<li><a href="${path}">${words}</a></li>\n`;
  const query = order === null ? '' : `?session=${encodeURIComponent(order.session)}`;
  const paths = { ro: `${BILLING_PATHS.ordered.ro}${query}`, en: `${BILLING_PATHS.ordered.en}${query}` };
  return {
    ...{ language, route: 'plans', paths, status: progress === 'unknown' ? 404 : 200 },
    title: `${title[language]} · ${SERVICE_NAME}`,
    description: title[language],
    content: html`<h1>${title[language]}</h1>
<p class="lead" role="status">${text[language](order?.email ?? '…')}</p>
${
  order === null
    ? null
    : html`<p>${ORDERED_TEXTS.plan[language]}: ${planName}. ${ORDERED_TEXTS.orderNumber[language]}: <code>${order.id}</code>. ${hasContract ? ORDERED_TEXTS.keep[language] : null}</p>
`
}${hasContract ? html`<p>${hasNoMail ? null : ORDERED_TEXTS.noMail[language]}${contact}</p>\n` : null}<ul>
${isWaiting && order !== null ? link(paths[language], ORDERED_TEXTS.again[language]) : null}${hasContract ? link(BILLING_PATHS.account[language], ORDERED_TEXTS.account[language]) : link(ROUTES.plans[language], ORDER_TEXTS.allPlans[language])}${link(ROUTES.docs[language], ORDERED_TEXTS.docs[language])}</ul>`,
  };
}
