/** Which page shows a view of selling. */
import type { BillingView } from '../../domain/billing/billing-view.ts';
import type { SellingOffer } from '../../domain/billing/selling-offer.ts';
import type { Page } from '../frame/page.ts';
import type { SiteData } from '../frame/site-data.ts';
import { accountPage } from './billing/account-page.ts';
import { addressPage } from './billing/address-page.ts';
import { deletionPage } from './billing/deletion-page.ts';
import { freeKeyPage } from './billing/free-key-page.ts';
import { logInPage } from './billing/log-in-page.ts';
import { orderPage } from './billing/order-page.ts';
import { orderedPage } from './billing/ordered-page.ts';
import { refusedPage } from './billing/refused-page.ts';
import { unsubscriptionPage } from './billing/unsubscription-page.ts';
import { withdrawalPage } from './billing/withdrawal-page.ts';
import { webhooksPage } from './webhooks/webhooks-page.ts';

/** The page of a view: of one visitor, kept nowhere and listed nowhere. */
export function billingPage(view: BillingView, data: SiteData): Page {
  return { ...pageOf(view, data), isPrivate: true, isIndexed: false, hasForm: true };
}

/** There is no view where nothing is sold. */
const NOTHING: SellingOffer = { seller: null, salesMode: 'own', freeKeyQuota: null, checkoutOrigins: [] };

function pageOf(view: BillingView, data: SiteData): Page {
  const offer = data.selling ?? NOTHING;
  switch (view.page) {
    case 'order':
      return orderPage(view, offer);
    case 'ordered':
      return orderedPage(view, offer);
    case 'free key':
      return freeKeyPage(view, offer.freeKeyQuota ?? 0, data);
    case 'account':
      return accountPage(view, offer, offer.seller?.contact ?? data.contact);
    case 'address':
      return addressPage(view);
    case 'deletion':
      return deletionPage(view);
    case 'unsubscription':
      return unsubscriptionPage(view);
    case 'log in':
      return logInPage(view, data);
    case 'withdrawal':
      return withdrawalPage(view, offer);
    case 'webhooks':
      return webhooksPage(view);
    case 'refused':
      return refusedPage(view);
  }
}
