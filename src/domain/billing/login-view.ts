/** The pages by which somebody logs in to an account, without a password. */
import type { Language } from '../localized-text.ts';
import type { LoginReturn } from './login-return.ts';

/**
 * `unchecked`: the browser must be checked first. `code`: wrong. `ended`: the link or code was used or has expired.
 * `again`: the login was too long ago. `session ended`: somebody had been logged in.
 */
export type LoginProblem = 'email' | 'too many' | 'unchecked' | 'code' | 'ended' | 'again' | 'session ended';

export type LoginView = {
  readonly page: 'log in';
  readonly language: Language;
  readonly problems: readonly LoginProblem[];
  /** `null` = to the account. */
  readonly returnTo: LoginReturn | null;
} & (
  | { readonly step: 'form'; readonly email: string }
  /** A mail is on its way, if there is an account: its code is asked for. `email`: as typed in this browser. */
  | { readonly step: 'code'; readonly email: string | null }
  /** The page of the mailed link: a button, since programs that look through mails open links. */
  | { readonly step: 'link'; readonly token: string }
  /**
   * The link in a browser that did not ask for it: it names the address and asks for the code as well. `null` = a code
   * was wrong, and the address has been named.
   */
  | { readonly step: 'link and code'; readonly token: string; readonly maskedEmail: string | null }
);
