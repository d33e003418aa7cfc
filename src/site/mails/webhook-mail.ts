/** The mails about webhooks that do not arrive. */
import type { Language } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { formatZonedTime } from '../html/formats.ts';
import type { MailBlock, MailParts } from './mail-document.ts';
import { failureText, STOP_TEXTS } from './webhook-failures.ts';

type WebhookMail = Extract<MailContent, { kind: 'webhook_failing' | 'webhook_stopped' }>;

/** What such a mail says. */
export function webhookMailParts(content: WebhookMail, language: Language, publicUrl: string): MailParts {
  const t = (ro: string, en: string) => (language === 'ro' ? ro : en);
  const { webhook, host } = content;
  const link: MailBlock = {
    ...{ kind: 'link', label: t('Webhookurile mele', 'My webhooks') },
    url: `${publicUrl}${BILLING_PATHS.accountWebhooks[language]}`,
  };
  if (content.kind === 'webhook_failing') {
    const why = failureText(content, language);
    const since = formatZonedTime(content.since, language);
    return {
      subject: t(`webhookul ${webhook} nu primește nimic`, `nothing reaches webhook ${webhook}`),
      blocks: [
        t(
          `Din ${since} nu am mai putut livra nimic la ${host}: ${why}.`,
          `We have delivered nothing to ${host} since ${since}: ${why}.`,
        ),
        t(
          'Încercăm în continuare, tot mai rar, cel mult 75 de ore; apoi oprim webhookul. Nu se pierde nimic: când adresa răspunde din nou, trimitem tot ce s-a strâns. După ce o reparați, puteți cere din cont o încercare imediată.',
          'We keep trying, less and less often, for up to 75 hours; then we stop the webhook. Nothing is lost: when the address answers again, we send everything since. Once it is fixed, a button in your account tries at once.',
        ),
        link,
      ],
    };
  }
  const at = formatZonedTime(content.at, language);
  return {
    subject: t(`am oprit webhookul ${webhook}`, `we stopped webhook ${webhook}`),
    blocks: [
      t(
        `Pe ${at} am oprit trimiterea la ${host}: ${STOP_TEXTS[content.reason].ro}`,
        `On ${at} we stopped sending to ${host}: ${STOP_TEXTS[content.reason].en}`,
      ),
      ...(content.reason === 'failing'
        ? [t(`Ultima dată: ${failureText(content, language)}.`, `The last time: ${failureText(content, language)}.`)]
        : []),
      t(
        'Dacă mai aveți nevoie de el, reparați adresa și trimiteți un test din cont: dacă reușește, trimiterea continuă de unde a rămas, dacă nu au trecut 30 de zile. Dacă nu, îl puteți șterge.',
        'If you still need it, fix the address and send a test from your account: if it succeeds, sending continues where it stopped, within 30 days. If not, you can delete it.',
      ),
      link,
    ],
  };
}
