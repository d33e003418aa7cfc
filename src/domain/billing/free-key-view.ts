/** The pages by which somebody gets a free key. */
import type { Language } from '../localized-text.ts';

/** `code`: wrong, used or expired, the link as well. `unchecked`: the browser must be checked first. */
export type FreeKeyProblem = 'email' | 'too many' | 'unchecked' | 'code';

/**
 * What came of asking. `had one`: the mailbox has had a key, with or without a tag, in this account or another;
 * `former`: the address was an account's until less than a day ago.
 */
export type GivenFreeKey = 'given' | 'had one' | 'former';

export type FreeKeyView = { readonly page: 'free key'; readonly language: Language } & (
  | { readonly step: 'form'; readonly email: string; readonly problems: readonly FreeKeyProblem[] }
  /** A mail is on its way: its code is asked for. `email`: as typed in this browser. */
  | { readonly step: 'code'; readonly email: string | null; readonly problems: readonly FreeKeyProblem[] }
  /** The page of the mailed link: a button, since programs that look through mails open links. */
  | { readonly step: 'link'; readonly token: string }
  | { readonly step: 'done'; readonly outcome: GivenFreeKey }
);
