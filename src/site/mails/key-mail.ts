/**
 * The mails that carry a key. That of a subscription is also the confirmation of the contract, which the law wants on
 * something that lasts: Directive 2011/83/EU, article 8(7).
 */
import { effectiveQuota, planNameOf } from '../../domain/access/plans.ts';
import { FREE_KEY_UNUSED_DAYS } from '../../domain/access/retention.ts';
import type { Seller } from '../../domain/billing/seller.ts';
import { termsAgreedTo } from '../../domain/billing/terms-version.ts';
import { WITHDRAWAL_DAYS } from '../../domain/billing/withdrawal-right.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { counted, REQUESTS } from '../html/counted.ts';
import { formatCount } from '../html/formats.ts';
import { contractTerms } from '../terms/selling-terms.ts';
import type { MailBlock, MailParts } from './mail-document.ts';
import { accountLink, type MailSender, priceWords } from './mail-sender.ts';
import { termWords } from './term-words.ts';

type Mail<K extends MailContent['kind']> = Extract<MailContent, { kind: K }>;

/** Of a subscription. */
export function keyMailParts(content: Mail<'key'>, key: string, language: Language, sender: MailSender): MailParts {
  const { plan, orderId, terms } = content;
  const { publicUrl } = sender;
  const t = (ro: string, en: string) => (language === 'ro' ? ro : en);
  return {
    subject: t(`cheia API, planul ${planNameOf(plan)}`, `your API key, plan ${planNameOf(plan)}`),
    blocks: [
      ...keyBlocks(key, language, publicUrl),
      {
        kind: 'facts',
        rows: [
          [t('Plan', 'Plan'), planNameOf(plan)],
          [t('Cereri pe lună', 'Requests a month'), formatCount(effectiveQuota(plan, null), language)],
          [t('Preț', 'Price'), priceWords(plan, language)],
          [t('Numărul comenzii', 'Order number'), orderId],
          ...sellerRows(sender, language),
          [t('Termenii acceptați', 'Terms agreed to'), terms],
        ],
      },
      termWords(content)[language],
      accountLink(language, publicUrl),
      { kind: 'link', label: t('Documentația API', 'API documentation'), url: `${publicUrl}${ROUTES.docs[language]}` },
      t(
        `La comandă ați acceptat termenii și ați cerut să începem imediat. Vă puteți retrage din contract în ${WITHDRAWAL_DAYS} zile de la comandă, fără nicio explicație.`,
        `With the order you agreed to the terms and asked us to start at once. You may withdraw from the contract within ${WITHDRAWAL_DAYS} days of the order, without giving a reason.`,
      ),
      {
        kind: 'link',
        label: t('Retragerea din contract', 'Withdrawal from the contract'),
        url: `${publicUrl}${BILLING_PATHS.withdrawal[language]}`,
      },
      {
        kind: 'link',
        label: t('Termenii', 'Terms'),
        url: sender.seller?.termsUrl ?? `${publicUrl}${ROUTES.terms[language]}`,
      },
      // Those of a mail that is sent again later may have changed meanwhile.
      ...(terms === termsAgreedTo(sender.seller) ? termsSections(sender, language) : []),
    ],
  };
}

/** The terms of the contract as text: what a page says may change, and the law wants them to last. */
function termsSections({ seller, salesMode, publicUrl }: MailSender, language: Language): MailBlock[] {
  if (seller === null) return [];
  const withAddresses = (item: string) =>
    item.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, words: string, to: string) => {
      return `${words} (${to.startsWith('/') ? publicUrl : ''}${to})`;
    });
  return contractTerms(seller, salesMode).map(({ title, items }) => ({
    ...{ kind: 'section', title: title[language] },
    items: items.map((item) => withAddresses(item[language])),
  }));
}

/** Of a free key. */
export function freeKeyMailParts(
  { quota }: Mail<'free_key'>,
  key: string,
  language: Language,
  { publicUrl }: MailSender,
): MailParts {
  const requests = counted(quota, REQUESTS, language);
  return language === 'ro'
    ? {
        subject: 'cheia API gratuită',
        blocks: [
          ...keyBlocks(key, language, publicUrl),
          `Are ${requests} pe lună și se închide dacă nu este folosită ${FREE_KEY_UNUSED_DAYS} de zile.`,
          accountLink(language, publicUrl),
        ],
      }
    : {
        subject: 'your free API key',
        blocks: [
          ...keyBlocks(key, language, publicUrl),
          `It has ${requests} a month, and is closed when it is not used for ${FREE_KEY_UNUSED_DAYS} days.`,
          accountLink(language, publicUrl),
        ],
      };
}

function keyBlocks(key: string, language: Language, publicUrl: string): MailBlock[] {
  const t = (ro: string, en: string) => (language === 'ro' ? ro : en);
  return [
    { kind: 'code', label: t('Cheia dumneavoastră', 'Your key'), value: key },
    t(
      'Păstrați-o ca pe o parolă: noi nu o mai putem afișa. Se trimite în antetul X-Api-Key.',
      'Keep it like a password: we cannot show it again. Send it in the X-Api-Key header.',
    ),
    {
      kind: 'code',
      label: t('Încercați', 'Try it'),
      value: `curl -H 'X-Api-Key: ${key}' ${publicUrl}/api/v1/cheie`,
    },
  ];
}

function sellerRows({ seller, salesMode }: MailSender, language: Language): [string, string][] {
  if (seller === null) return [];
  const provider = language === 'ro' ? 'Furnizor' : 'Provider';
  if (salesMode === 'own') return [[language === 'ro' ? 'Vânzător' : 'Seller', wordsOf(seller, language)]];
  return [
    [language === 'ro' ? 'Vânzător' : 'Seller', 'Stripe (Merchant of Record)'],
    [provider, wordsOf(seller, language)],
  ];
}

function wordsOf({ name, address, taxId, contact }: Seller, language: Language): string {
  return `${name}, ${address}, ${language === 'ro' ? 'cod fiscal' : 'tax number'} ${taxId}, ${contact}`;
}
