/** The end of every mail: why its reader gets it, and who sends it. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { MailKind } from '../../domain/mail/mail-content.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import type { MailSender } from './mail-sender.ts';

/** What anybody makes us send, to any address. */
const ASKED_BY_ANYBODY: readonly MailKind[] = ['login', 'free_key_confirmation', 'new_address'];

const TYPED: LocalizedText = {
  ro: `Primiți acest mesaj pentru că cineva, probabil dumneavoastră, a scris această adresă pe ${SERVICE_NAME}.`,
  en: `You receive this because somebody, probably you, entered this address at ${SERVICE_NAME}.`,
};
const HOLDER: LocalizedText = {
  ro: `Primiți acest mesaj pentru că aveți sau ați avut un cont ${SERVICE_NAME}.`,
  en: `You receive this because you have or had an account at ${SERVICE_NAME}.`,
};

/** Its lines. The address of the site has one of its own, so that no full stop becomes part of a link. */
export function mailFooter(kind: MailKind, language: Language, { publicUrl, seller }: MailSender): string[] {
  const why = ASKED_BY_ANYBODY.includes(kind) ? TYPED : HOLDER;
  const from = seller === null ? [] : [`${seller.name}, ${seller.address}, ${seller.contact}`];
  return [why[language], publicUrl, ...from];
}
