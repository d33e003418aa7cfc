/** What this service sells or gives, as its pages tell it. */
import type { SalesMode, Seller } from './seller.ts';

export type SellingOffer = {
  /** Who sells the plans; `null` = they are not sold here. */
  readonly seller: Seller | null;
  /** Whether the seller or Stripe charges, invoices and refunds. */
  readonly salesMode: SalesMode;
  /** Requests a month of a free key; `null` = there are none. */
  readonly freeKeyQuota: number | null;
  /** Origins to which an order and the billing portal lead. */
  readonly checkoutOrigins: readonly string[];
};
