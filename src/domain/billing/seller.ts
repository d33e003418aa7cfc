/** Who sells, as the law wants it told. */

/** `own`: the operator sells and takes care of taxes; `mor`: Stripe does, as the merchant of record. */
export const SALES_MODES = ['own', 'mor'] as const;
export type SalesMode = (typeof SALES_MODES)[number];

export type Seller = {
  readonly name: string;
  /** Street, town, country; one line. */
  readonly address: string;
  /** The tax number, such as a Romanian CUI. */
  readonly taxId: string;
  /** An e-mail address or a web address that a customer can use. */
  readonly contact: string;
  /** The seller's own terms; `null` = those of our page. */
  readonly termsUrl: string | null;
};
