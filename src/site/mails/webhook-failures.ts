/** Why a webhook is not delivered to, for mails and for its page. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { DeliveryFailure, StopReason, WebhookDelivery } from '../../domain/webhooks/webhook.ts';

/** Why a try failed, in words. */
export function failureText(
  { failure, httpStatus }: Pick<WebhookDelivery, 'failure' | 'httpStatus'>,
  language: Language,
): string {
  const status = httpStatus === null ? '' : ` (${httpStatus})`;
  return `${FAILURE_TEXTS[failure ?? 'status'][language]}${status}`;
}

export const STOP_TEXTS: Readonly<Record<StopReason, LocalizedText>> = {
  gone: { ro: 'adresa a răspuns 410.', en: 'the address answered 410.' },
  failing: { ro: 'nicio livrare nu a reușit în 75 de ore.', en: 'no delivery succeeded for 75 hours.' },
};

/** The same for both: which names a private network has is nobody's business. */
const NO_PUBLIC_HOST: LocalizedText = {
  ro: 'numele serverului nu duce la nicio adresă publică',
  en: 'the name of the server leads to no public address',
};

const FAILURE_TEXTS: Readonly<Record<DeliveryFailure, LocalizedText>> = {
  'unknown host': NO_PUBLIC_HOST,
  'private address': NO_PUBLIC_HOST,
  connection: { ro: 'serverul nu acceptă conexiunea', en: 'the server accepts no connection' },
  certificate: { ro: 'certificatul serverului nu este valid', en: 'the certificate of the server is not valid' },
  timeout: { ro: 'niciun răspuns în 15 secunde', en: 'no answer within 15 seconds' },
  redirect: { ro: 'serverul redirecționează, iar noi nu urmăm', en: 'the server redirects, which we do not follow' },
  status: { ro: 'serverul nu a răspuns 2xx', en: 'the server did not answer 2xx' },
};
