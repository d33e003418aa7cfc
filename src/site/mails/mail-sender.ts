/** Who sends the mails, and the words that several of them share. */
import { monthlyPriceOf, type PaidPlan } from '../../domain/billing/paid-plans.ts';
import type { SalesMode, Seller } from '../../domain/billing/seller.ts';
import type { Language } from '../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import type { MailBlock } from './mail-document.ts';

export type MailSender = {
  readonly publicUrl: string;
  /** `null` = nothing is sold here. */
  readonly seller: Seller | null;
  readonly salesMode: SalesMode;
};

/** A mail that promises a secret is never sent without it. */
export function needed<T>(secret: T | undefined): T {
  if (secret === undefined) throw new Error('the mail promises a secret that was not made');
  return secret;
}

export function priceWords(plan: PaidPlan, language: Language): string {
  const euros = monthlyPriceOf(plan);
  return language === 'ro' ? `${euros} EUR pe lună, TVA inclus` : `EUR ${euros} a month, VAT included`;
}

export function accountLink(language: Language, publicUrl: string): MailBlock {
  const label = language === 'ro' ? 'Contul meu' : 'My account';
  return { kind: 'link', label, url: `${publicUrl}${BILLING_PATHS.account[language]}` };
}
