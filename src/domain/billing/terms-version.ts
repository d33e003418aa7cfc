/** Which terms an order agrees to. */

import type { Seller } from './seller.ts';

/** Changes with every change of what the page of the terms says about orders. */
const OWN_TERMS_VERSION = '2026-11';

/** What is stored with an order: the version of our own page, or the address of the seller's own terms. */
export const termsAgreedTo = (seller: Seller | null): string => seller?.termsUrl ?? OWN_TERMS_VERSION;
