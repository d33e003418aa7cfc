/** Mails with a link and a code, by which somebody proves that an address is theirs. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import type { MailParts } from './mail-document.ts';

type LoginMail = {
  readonly subject: LocalizedText;
  readonly label: LocalizedText;
  readonly path: LocalizedText;
};

const LOGIN_MAILS: Readonly<Record<'login' | 'free_key_confirmation' | 'new_address', LoginMail>> = {
  login: {
    subject: { ro: 'intrarea în cont', en: 'log in to your account' },
    label: { ro: 'Intră în cont', en: 'Log in' },
    path: BILLING_PATHS.confirm,
  },
  free_key_confirmation: {
    subject: { ro: 'confirmați adresa', en: 'confirm your address' },
    label: { ro: 'Confirmă adresa', en: 'Confirm the address' },
    path: BILLING_PATHS.freeKeyConfirm,
  },
  new_address: {
    subject: { ro: 'confirmați noua adresă a contului', en: 'confirm the new address of your account' },
    label: { ro: 'Confirmă adresa', en: 'Confirm the address' },
    path: BILLING_PATHS.addressConfirm,
  },
};

const CODE_LABEL: LocalizedText = { ro: 'Sau introduceți codul din șase cifre', en: 'Or enter the six-digit code' };
const CAUTION: LocalizedText = {
  ro: 'Ambele funcționează 15 minute, o singură dată. Dacă nu dumneavoastră ați cerut acest mesaj, ignorați-l: nu se întâmplă nimic.',
  en: 'Both work for 15 minutes, once. If you did not ask for this message, ignore it: nothing happens.',
};

/** The parts of such a mail. */
export function loginMailParts(
  content: Extract<MailContent, { kind: keyof typeof LOGIN_MAILS }>,
  { token, code }: { readonly token: string; readonly code: string },
  language: Language,
  publicUrl: string,
): MailParts {
  const { subject, label, path } = LOGIN_MAILS[content.kind];
  const next = 'next' in content ? `&next=${content.next}` : '';
  return {
    subject: subject[language],
    blocks: [
      { kind: 'link', label: label[language], url: `${publicUrl}${path[language]}?token=${token}${next}` },
      { kind: 'code', label: CODE_LABEL[language], value: code },
      CAUTION[language],
    ],
  };
}
