/** The page that ends mails about usage. `unknown`: the link is nobody's, or its account is gone. */
import type { Language } from '../localized-text.ts';

export type UnsubscriptionView = { readonly page: 'unsubscription'; readonly language: Language } & (
  | { readonly step: 'form'; readonly token: string }
  | { readonly step: 'done' | 'unknown' }
);
