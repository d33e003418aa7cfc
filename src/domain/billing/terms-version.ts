/** Which terms an order agrees to. */

/** Changes with every change of what the page of the terms says about orders; stored with each order. */
export const TERMS_VERSION = '2026-11';
