/** The pages by which somebody gets a free key. */
import type { Language } from '../localized-text.ts';

/** `code`: wrong, used or expired, the link as well. `unchecked`: the browser must be checked first. */
export type FreeKeyProblem = 'email' | 'too many' | 'unchecked' | 'code';

export type FreeKeyView = { readonly page: 'free key'; readonly language: Language } & (
  | { readonly step: 'form'; readonly email: string; readonly problems: readonly FreeKeyProblem[] }
  /** A mail is on its way: its code is asked for. `email`: as typed in this browser. */
  | { readonly step: 'code'; readonly email: string | null; readonly problems: readonly FreeKeyProblem[] }
  /** The page of the mailed link: a button, since programs that look through mails open links. */
  | { readonly step: 'link'; readonly token: string }
  /** `had one`: the mailbox got its key earlier. */
  | { readonly step: 'done'; readonly outcome: 'sent' | 'had one' }
);
