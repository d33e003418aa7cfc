/** The mails at 80 and 100 % of a month's quota, or of the limit that the key's holder has set below it. */
import { effectiveQuota, FREE_PLAN, planNameOf } from '../../domain/access/plans.ts';
import { PAID_PLANS } from '../../domain/billing/paid-plans.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { counted, REQUESTS } from '../html/counted.ts';
import { formatZonedTime } from '../html/formats.ts';
import type { MailBlock, MailParts } from './mail-document.ts';
import { accountLink, type MailSender, priceWords } from './mail-sender.ts';

type UsageMail = Extract<MailContent, { kind: 'usage' }>;

const SUBJECTS: Readonly<Record<'quota' | 'cap', Readonly<Record<UsageMail['percent'], LocalizedText>>>> = {
  quota: {
    80: { ro: '80% din cota lunii este folosită', en: '80% of this month’s quota is used' },
    100: { ro: 'cota lunii este epuizată', en: 'this month’s quota is used up' },
  },
  cap: {
    80: { ro: '80% din limita proprie este folosită', en: '80% of your own limit is used' },
    100: { ro: 'limita proprie este atinsă', en: 'your own limit is reached' },
  },
};

/** @param unsubscribeToken by which its recipient declines further ones */
export function usageMailParts(
  content: UsageMail,
  unsubscribeToken: string,
  language: Language,
  sender: MailSender,
): MailParts {
  const { percent, hasOwnCap } = content;
  const { publicUrl } = sender;
  const unsubscribeUrl = `${publicUrl}${BILLING_PATHS.unsubscribe[language]}?token=${unsubscribeToken}`;
  return {
    unsubscribeUrl,
    subject: SUBJECTS[hasOwnCap ? 'cap' : 'quota'][percent][language],
    blocks: [
      sentences(content)[language],
      ...(hasOwnCap ? [CHANGE_CAP[language]] : larger(content, language, sender)),
      accountLink(language, publicUrl),
      {
        kind: 'link',
        label: language === 'ro' ? 'Nu mai trimiteți mesaje despre cotă' : 'Stop mails about the quota',
        url: unsubscribeUrl,
      },
    ],
  };
}

function sentences({ percent, quota, hasOwnCap, resetsAt }: UsageMail): LocalizedText {
  const requests = { ro: counted(quota, REQUESTS, 'ro'), en: counted(quota, REQUESTS, 'en') };
  const month = hasOwnCap
    ? { ro: `limita proprie de ${requests.ro} pe lună`, en: `your own limit of ${requests.en} a month` }
    : { ro: `cota lunii de ${requests.ro}`, en: `the month’s quota of ${requests.en}` };
  const [pe, on] = [formatZonedTime(resetsAt, 'ro'), formatZonedTime(resetsAt, 'en')];
  return percent === 100
    ? {
        ro: `Ați folosit toată ${month.ro}: până pe ${pe} cererile cu această cheie primesc răspunsul 429. Nu se plătește nimic în plus.`,
        en: `You have used all of ${month.en}: until ${on} requests with this key get a 429 response. Nothing extra is charged.`,
      }
    : {
        ro: `Ați folosit peste 80% din ${month.ro}. Se reînnoiește pe ${pe}.`,
        en: `You have used over 80% of ${month.en}. It is renewed on ${on}.`,
      };
}

const CHANGE_CAP: LocalizedText = {
  ro: 'Limita ați stabilit-o dumneavoastră; o puteți schimba oricând din cont.',
  en: 'You have set this limit yourself, and can change it in your account at any time.',
};

/**
 * Where there are more requests: the next plan, or a contract. Nothing where nothing is sold. Who has a plan changes it
 * in the account: an order would make a second subscription.
 */
function larger({ plan }: UsageMail, language: Language, { publicUrl, seller }: MailSender): MailBlock[] {
  if (seller === null) return [];
  const t = (ro: string, en: string) => (language === 'ro' ? ro : en);
  // A free key has fewer than any plan.
  const next = PAID_PLANS[(PAID_PLANS as readonly string[]).indexOf(plan) + 1];
  if (next === undefined) {
    return [
      t(
        `Pentru mai multe cereri există planul Dedicat, prin contract: scrieți la ${seller.contact}.`,
        `For more requests there is the Dedicat plan, by contract: write to ${seller.contact}.`,
      ),
    ];
  }
  const offer = t(
    `Planul ${planNameOf(next)} are ${counted(effectiveQuota(next, null), REQUESTS, 'ro')} pe lună, la ${priceWords(next, 'ro')}.`,
    `The ${planNameOf(next)} plan has ${counted(effectiveQuota(next, null), REQUESTS, 'en')} a month, for ${priceWords(next, 'en')}.`,
  );
  return plan === FREE_PLAN
    ? [offer, { kind: 'link', label: t('Planuri', 'Plans'), url: `${publicUrl}${ROUTES.plans[language]}` }]
    : [
        t(
          `${offer} Planul se schimbă din cont, iar cheia rămâne aceeași.`,
          `${offer} Change the plan in your account; the key stays the same.`,
        ),
      ];
}
