/** What each mail says, in the language of its reader. Source: design of selling; the contract's plans and limits. */
import { planNameOf } from '../../domain/access/plans.ts';
import { ORDER_YEARS } from '../../domain/access/retention.ts';
import { monthlyPriceOf } from '../../domain/billing/paid-plans.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import type { OutgoingMail } from '../../domain/mail/outgoing-mail.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import { formatZonedTime } from '../html/formats.ts';
import { freeKeyMailParts, keyMailParts } from './key-mail.ts';
import { loginMailParts } from './login-mail.ts';
import { type MailBody, type MailParts, mailHtml, mailText } from './mail-document.ts';
import { mailFooter } from './mail-footer.ts';
import { accountLink, type MailSender, needed } from './mail-sender.ts';
import { usageMailParts } from './usage-mail.ts';
import { webhookMailParts } from './webhook-mail.ts';

/** What only the sending of a mail knows: none of it is stored. */
export type MailSecrets = {
  /** A key that was made for this mail. */
  readonly key?: string;
  /** The token of a link, and its code. */
  readonly login?: { readonly token: string; readonly code: string };
  /** By which its recipient declines further mails of this kind. */
  readonly unsubscribeToken?: string;
};

/** A mail without its recipient. */
export type WrittenMail = Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'headers'>;

/** Writes a mail. Throws if a secret that it promises is missing: such a mail must not be sent. */
export function writeMail(
  content: MailContent,
  language: Language,
  secrets: MailSecrets,
  sender: MailSender,
): WrittenMail {
  const { subject, blocks, unsubscribeUrl } = partsOf(content, language, secrets, sender);
  const footer = mailFooter(content.kind, language, sender);
  const body: MailBody = { language, heading: capitalised(subject, language), blocks, footer };
  const headers = unsubscribeUrl === undefined ? {} : oneClickUnsubscribe(unsubscribeUrl);
  return { subject: `${SERVICE_NAME}: ${subject}`, text: mailText(body), html: mailHtml(body), headers };
}

/** RFC 8058: the mail program posts to the address by itself when its user declines. */
function oneClickUnsubscribe(url: string): WrittenMail['headers'] {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function partsOf(content: MailContent, language: Language, secrets: MailSecrets, sender: MailSender): MailParts {
  const { publicUrl } = sender;
  const t = (ro: string, en: string) => pick(language, { ro, en });
  const account = accountLink(language, publicUrl);
  const time = (instant: number) => formatZonedTime(instant, language);
  switch (content.kind) {
    case 'key':
      return keyMailParts(content, needed(secrets.key), language, sender);
    case 'trial_ending':
      return {
        subject: t('perioada de probă se încheie mâine', 'your trial ends tomorrow'),
        blocks: [
          t(
            `Pe ${time(content.chargedAt)} se plătesc ${monthlyPriceOf(content.plan)} EUR, TVA inclus, pentru planul ${planNameOf(content.plan)}, apoi tot atât în fiecare lună.`,
            `On ${time(content.chargedAt)} you are charged EUR ${monthlyPriceOf(content.plan)} (VAT included) for the ${planNameOf(content.plan)} plan, and the same every month after that.`,
          ),
          t(
            'Dacă nu doriți să continuați, anulați din cont până atunci: nu se plătește nimic.',
            'If you do not wish to go on, cancel in your account before then: nothing is charged.',
          ),
          account,
        ],
      };
    case 'payment_failed':
      return {
        subject:
          content.day === 6
            ? t('cheia se închide mâine: plata a eșuat', 'your key closes tomorrow: the payment failed')
            : t('plata a eșuat', 'your payment failed'),
        blocks: [
          t(
            `Plata pentru planul ${planNameOf(content.plan)} nu a reușit. Cheia funcționează până pe ${time(content.closesAt)}; după aceea se închide.`,
            `The payment for the ${planNameOf(content.plan)} plan failed. Your key works until ${time(content.closesAt)}, and then it is closed.`,
          ),
          t(
            'Schimbați cardul din cont. După plată aceeași cheie funcționează din nou, și dacă s-a închis între timp.',
            'Change your card in your account. After the payment the same key works again, even if it was closed meanwhile.',
          ),
          account,
        ],
      };
    case 'cancelled':
      return {
        subject: t('abonamentul a fost anulat', 'your subscription is cancelled'),
        blocks: [
          content.closesAt === null
            ? t(
                `Planul ${planNameOf(content.plan)} se încheie pe ${time(content.endsAt)}; cheia funcționează până atunci și nu se mai plătește nimic.`,
                `The ${planNameOf(content.plan)} plan ends on ${time(content.endsAt)}. Your key works until then, and nothing more is charged.`,
              )
            : t(
                `Planul ${planNameOf(content.plan)} nu se mai reînnoiește. Ultima plată nu a reușit și se mai încearcă: fără ea cheia se închide pe ${time(content.closesAt)}, iar cu ea funcționează până pe ${time(content.endsAt)}.`,
                `The ${planNameOf(content.plan)} plan is not renewed any more. The last payment failed and is tried again: without it your key is closed on ${time(content.closesAt)}, and with it the key works until ${time(content.endsAt)}.`,
              ),
          t(
            'V-ați răzgândit? Puteți reveni asupra anulării din cont, până la acea dată.',
            'Changed your mind? You can take the cancellation back in your account until that date.',
          ),
          account,
        ],
      };
    case 'ended':
      return {
        subject: t('abonamentul s-a încheiat', 'your subscription has ended'),
        blocks: [
          t(
            `Planul ${planNameOf(content.plan)} s-a încheiat, iar cheia nu mai funcționează. Nu se mai plătește nimic.`,
            `The ${planNameOf(content.plan)} plan has ended and its key no longer works. Nothing more is charged.`,
          ),
          { kind: 'link', label: t('Planuri', 'Plans'), url: `${publicUrl}${t('/planuri', '/en/plans')}` },
        ],
      };
    case 'withdrawn':
      return {
        subject: t('retragerea din contract', 'your withdrawal from the contract'),
        blocks: [
          t(
            `Am primit pe ${time(content.at)} declarația prin care ${content.name} se retrage din contractul cu numărul de comandă ${content.orderId}. Cheia este închisă, iar suma plătită se returnează integral în cel mult 14 zile, pe cardul cu care ați plătit.`,
            `On ${time(content.at)} we received the declaration that ${content.name} withdraws from the contract with order number ${content.orderId}. The key is closed, and what you paid is refunded in full within 14 days, to the card that you paid with.`,
          ),
        ],
      };
    case 'usage':
      return usageMailParts(content, needed(secrets.unsubscribeToken), language, sender);
    case 'login':
    case 'free_key_confirmation':
    case 'new_address':
      return loginMailParts(content, needed(secrets.login), language, publicUrl);
    case 'free_key':
      return freeKeyMailParts(content, needed(secrets.key), language, sender);
    case 'free_key_unused':
      return {
        subject: t('cheia gratuită nu este folosită', 'your free key is not used'),
        blocks: [
          t(
            `Cheia dumneavoastră gratuită nu a mai fost folosită de mult. Dacă nu o folosiți, se închide pe ${time(content.endsAt)}; o singură cerere este de ajuns ca să rămână.`,
            `Your free key has not been used for a long time. Unless you use it, it is closed on ${time(content.endsAt)}; a single request keeps it.`,
          ),
        ],
      };
    case 'address_changed':
      return {
        subject: t('adresa contului a fost schimbată', 'the address of your account was changed'),
        blocks:
          content.loginId === null
            ? [
                t(
                  `Contul dumneavoastră are de acum altă adresă de e-mail. Dacă nu dumneavoastră ați schimbat-o, anulați schimbările din ultima zi până pe ${time(content.undoUntil)}, cu linkul din mesajul trimis la adresa pe care contul o avea înaintea acestor schimbări, sau scrieți-ne.`,
                  `Your account now has another e-mail address. If you did not change it, undo the changes of the last day by ${time(content.undoUntil)}, with the link in the message to the address that the account had before these changes, or write to us.`,
                ),
              ]
            : [
                t(
                  `Contul dumneavoastră are de acum altă adresă de e-mail. Dacă nu dumneavoastră ați schimbat-o, anulați schimbarea până pe ${time(content.undoUntil)}.`,
                  `Your account now has another e-mail address. If you did not change it, undo the change by ${time(content.undoUntil)}.`,
                ),
                {
                  kind: 'link',
                  label: t('Anulează schimbarea', 'Undo the change'),
                  url: `${publicUrl}${BILLING_PATHS.addressUndo[language]}?token=${needed(secrets.login).token}`,
                },
              ],
      };
    case 'account_deleted':
      return {
        subject: t('contul a fost șters', 'your account is deleted'),
        blocks: [
          t(
            `${content.isFormer ? 'Contul care a avut această adresă până de curând' : 'Contul cu această adresă'} a fost șters pe ${time(content.at)}, așa cum s-a cerut din cont. Cheile nu mai funcționează și nu se mai plătește nimic.`,
            `The account ${content.isFormer ? 'that had this address until recently' : 'with this address'} was deleted on ${time(content.at)}, as requested in the account. Its keys no longer work, and nothing more is charged.`,
          ),
          t(
            `Dacă ați comandat un plan, comanda rămâne ${ORDER_YEARS} ani ca dovadă a contractului, iar facturile rămân la Stripe cât cere legea. Este ultimul mesaj despre acest cont.`,
            `If you ordered a plan, the order is kept for ${ORDER_YEARS} years as proof of the contract, and the invoices stay at Stripe as long as the law asks. This is the last message about this account.`,
          ),
          ...(sender.seller === null
            ? []
            : [
                t(
                  `Dacă nu dumneavoastră l-ați șters, scrieți-ne la ${sender.seller.contact}.`,
                  `If it was not you who deleted it, write to us at ${sender.seller.contact}.`,
                ),
              ]),
        ],
      };
    case 'webhook_failing':
    case 'webhook_stopped':
      return webhookMailParts(content, language, publicUrl);
    case 'key_replaced': {
      const { last4, slot, oldValidUntil } = content;
      return {
        subject: t('o cheie API nouă', 'a new API key'),
        blocks: [
          slot === 2
            ? t(
                `În contul dumneavoastră există acum și o a doua cheie, care se termină în ${last4}.`,
                `Your account now has a second key, which ends in ${last4}.`,
              )
            : t(
                `În contul dumneavoastră există o cheie nouă, care se termină în ${last4}.`,
                `Your account has a new key, which ends in ${last4}.`,
              ),
          ...(slot === 2
            ? []
            : [
                oldValidUntil === null
                  ? t('Cea veche nu mai funcționează.', 'The old one no longer works.')
                  : t(
                      `Cea veche mai funcționează până pe ${time(oldValidUntil)}.`,
                      `The old one still works until ${time(oldValidUntil)}.`,
                    ),
              ]),
          t(
            'Dacă nu dumneavoastră ați făcut-o, intrați în cont și opriți cheile pe care nu le recunoașteți.',
            'If you did not make it, open your account and end the keys that you do not recognise.',
          ),
          account,
        ],
      };
    }
  }
}

const pick = (language: Language, text: LocalizedText): string => text[language];

function capitalised(words: string, language: Language): string {
  return words.charAt(0).toLocaleUpperCase(language) + words.slice(1);
}
