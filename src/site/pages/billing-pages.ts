/** Which page shows a view of selling. */
import type { BillingView } from '../../domain/billing/billing-view.ts';
import type { Page } from '../frame/page.ts';
import type { SiteData } from '../frame/site-data.ts';
import { refusedPage } from './billing/refused-page.ts';

/** The page of a view: of one visitor, kept nowhere and listed nowhere. */
export function billingPage(view: BillingView, _data: SiteData): Page {
  return { ...pageOf(view), isPrivate: true, isIndexed: false, hasForm: true };
}

function pageOf(view: BillingView): Page {
  switch (view.page) {
    case 'refused':
      return refusedPage(view);
  }
}
