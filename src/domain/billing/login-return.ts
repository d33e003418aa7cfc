/** Where a login leads back to. An address names such a page by its key here, so that it leads to no other. */
import type { LocalizedText } from '../localized-text.ts';
import { BILLING_PATHS } from '../pages/billing-paths.ts';

/** The pages that ask for a login first. Without a key it leads to the account. */
export const LOGIN_RETURNS = { address: BILLING_PATHS.accountAddress } as const satisfies Record<string, LocalizedText>;
export type LoginReturn = keyof typeof LOGIN_RETURNS;

/** The key in an address or a form; `null` = none of these. */
export function loginReturnOf(text: string | null | undefined): LoginReturn | null {
  return text != null && Object.hasOwn(LOGIN_RETURNS, text) ? (text as LoginReturn) : null;
}
