/** The page on which the holder of an account deletes it. */
import type { Language } from '../localized-text.ts';

export type DeletionView = { readonly page: 'deletion'; readonly language: Language } & (
  | {
      readonly step: 'form';
      readonly email: string;
      readonly formToken: string;
      /** Whether a subscription runs, which ends with the account. */
      readonly isSubscribed: boolean;
      /** What was typed as the address, and is another one; `null` = nothing was typed yet. */
      readonly typed: string | null;
    }
  | { readonly step: 'done' }
);
