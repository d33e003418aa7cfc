/** The pages on which an account gets another address, or its former one back. */
import type { Language } from '../localized-text.ts';

/** `taken`: another account has the address. `undo ended`: too late for that. The others are as in a login. */
export type AddressProblem = 'email' | 'too many' | 'code' | 'ended' | 'taken' | 'undo ended';

export type AddressView = {
  readonly page: 'address';
  readonly language: Language;
  readonly problems: readonly AddressProblem[];
} /** Asks for the new address. */ & (
  | { readonly step: 'form'; readonly formToken: string; readonly current: string; readonly email: string }
  /** A mail is on its way to the new address: its code is asked for. `email`: as typed in this browser. */
  | { readonly step: 'code'; readonly email: string | null }
  /** The page of the mailed link; in a browser that did not ask for it, it asks for the code as well. */
  | { readonly step: 'link'; readonly token: string; readonly asksForCode: boolean }
  /** The page of the link that the former address got. */
  | { readonly step: 'undo'; readonly token: string }
  /** The account has its former address again. */
  | { readonly step: 'undone'; readonly email: string }
  /** Nothing more can be done by this link. */
  | { readonly step: 'ended' }
);
