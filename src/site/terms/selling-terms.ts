/**
 * The sections of the terms about orders and free keys, on the page of the terms and in the mail that confirms an
 * order. Who changes them changes `OWN_TERMS_VERSION`.
 */
import { PLANS, TRIAL_DAYS } from '../../domain/access/plans.ts';
import { FREE_KEY_UNUSED_DAYS } from '../../domain/access/retention.ts';
import type { SalesMode, Seller } from '../../domain/billing/seller.ts';
import type { SellingOffer } from '../../domain/billing/selling-offer.ts';
import { PAYMENT_GRACE_MS } from '../../domain/billing/standing.ts';
import { WITHDRAWAL_DAYS } from '../../domain/billing/withdrawal-right.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../domain/pages/routes.ts';

/** Items may have links as in Markdown; paths are those of the site. */
export type TermsSection = {
  readonly id: string;
  readonly title: LocalizedText;
  readonly items: readonly LocalizedText[];
};

const GRACE_DAYS = PAYMENT_GRACE_MS / (24 * 3_600_000);
const PRICES = PLANS.flatMap(({ name, euros }) => (euros === null ? [] : [`${name} ${euros} EUR`])).join(', ');

const REFUNDER: Readonly<Record<SalesMode, LocalizedText>> = {
  own: { ro: 'Returnăm', en: 'We refund' },
  mor: { ro: 'Stripe returnează', en: 'Stripe refunds' },
};

/** None where nothing is sold or given. */
export function sellingTerms(offer: SellingOffer | null): TermsSection[] {
  if (offer === null) return [];
  const { seller, salesMode, freeKeyQuota } = offer;
  return [...(seller === null ? [] : contractTerms(seller, salesMode)), ...(freeKeyQuota === null ? [] : [FREE_KEYS])];
}

/** Those of an order: what is charged, how it ends, and the right of withdrawal. */
export function contractTerms(seller: Seller, salesMode: SalesMode): TermsSection[] {
  return [orders(seller, salesMode), withdrawals(seller, salesMode)];
}

function orders({ name, address, taxId, contact, termsUrl }: Seller, salesMode: SalesMode): TermsSection {
  return {
    id: 'abonamente',
    title: { ro: 'Abonamentele', en: 'Subscriptions' },
    items: [
      salesMode === 'own'
        ? {
            ro: `Vânzătorul este ${name}, ${address}, cod fiscal ${taxId}, ${contact}.`,
            en: `The seller is ${name}, ${address}, tax number ${taxId}, ${contact}.`,
          }
        : {
            ro: `Vânzătorul este Stripe, ca vânzător înregistrat (Merchant of Record): încasează, facturează și returnează banii, în condițiile arătate pe pagina de plată. Serviciul este furnizat de ${name}, ${address}, cod fiscal ${taxId}, ${contact}.`,
            en: `The seller is Stripe as the merchant of record: it charges, invoices and refunds, under the conditions shown on the payment page. The service is provided by ${name}, ${address}, tax number ${taxId}, ${contact}.`,
          },
      ...(termsUrl === null ? [] : [ownTerms(termsUrl)]),
      {
        ro: `Prețuri pe lună: ${PRICES}, cu TVA inclus ([cote și limite](${ROUTES.plans.ro})). Contractul se încheie când Stripe confirmă comanda; cheia vine pe e-mail.`,
        en: `Monthly prices: ${PRICES}, VAT included ([quotas and limits](${ROUTES.plans.en})). The contract is concluded when Stripe confirms the order; the key arrives by e-mail.`,
      },
      {
        ro: `Prima comandă începe cu ${TRIAL_DAYS} zile gratuite, o singură dată pentru fiecare persoană. Apoi prețul planului se plătește la începutul fiecărei luni de abonament, până la anulare.`,
        en: `The first order starts with ${TRIAL_DAYS} free days, once per person. The price of the plan is then charged at the start of each month of the subscription, until it is cancelled.`,
      },
      {
        ro: `Puteți anula oricând din [cont](${BILLING_PATHS.account.ro}); cheia funcționează până la sfârșitul perioadei. În perioada de probă nu se plătește nimic.`,
        en: `You can cancel in your [account](${BILLING_PATHS.account.en}) at any time; the key works until the end of the period. During the trial nothing is charged.`,
      },
      {
        ro: `Dacă o plată nu reușește, cheia mai funcționează ${GRACE_DAYS} zile, iar după plată aceeași cheie se deschide din nou. O plată contestată la bancă închide cheia.`,
        en: `If a payment fails, the key works for another ${GRACE_DAYS} days, and after the payment the same key opens again. A payment disputed at the bank closes the key.`,
      },
      {
        ro: 'Peste cota lunii cererile primesc răspunsul 429; nu se plătește nimic în plus.',
        en: 'Beyond the quota of the month requests get a 429 response; nothing extra is charged.',
      },
    ],
  };
}

function ownTerms(url: string): LocalizedText {
  return {
    ro: `Pentru comenzi se aplică [termenii vânzătorului](${url}); mai jos este descris abonamentul.`,
    en: `The [seller’s terms](${url}) apply to orders; the subscription is described below.`,
  };
}

function withdrawals({ name, address, contact }: Seller, salesMode: SalesMode): TermsSection {
  return {
    id: 'retragere',
    title: { ro: 'Dreptul de retragere', en: 'Right of withdrawal' },
    items: [
      {
        ro: `Vă puteți retrage din contract în ${WITHDRAWAL_DAYS} zile de la comandă, fără nicio explicație: pe [pagina retragerii](${BILLING_PATHS.withdrawal.ro}) sau printr-un mesaj clar la ${contact}. Ajunge să îl trimiteți înainte de sfârșitul termenului.`,
        en: `You may withdraw from the contract within ${WITHDRAWAL_DAYS} days of the order, without giving a reason: on the [page of the withdrawal](${BILLING_PATHS.withdrawal.en}) or by a clear message to ${contact}. It is enough to send it before the period ends.`,
      },
      {
        ro: `${REFUNDER[salesMode].ro} integral ce ați plătit, fără taxe, pe cardul cu care ați plătit, în cel mult 14 zile de la retragere, și pentru zilele în care ați folosit serviciul. Cheia se închide imediat.`,
        en: `${REFUNDER[salesMode].en} in full what you paid, without fees, to the card that you paid with, within 14 days of the withdrawal, also for the days on which you used the service. The key is closed at once.`,
      },
      {
        ro: `Modelul mesajului, dacă nu folosiți pagina: „Către ${name}, ${address}, ${contact}: vă informez că mă retrag din contractul cu numărul de comandă …, încheiat pe …. Numele și adresa mea: …. Data: ….”`,
        en: `A model of the message, if you do not use the page: “To ${name}, ${address}, ${contact}: I hereby give notice that I withdraw from my contract with order number …, concluded on …. My name and address: …. Date: ….”`,
      },
      {
        ro: 'La comandă ne cereți să începem imediat. Dreptul de retragere rămâne; o reînnoire nu îl deschide din nou.',
        en: 'With the order you ask us to start at once. You keep the right of withdrawal; a renewal does not open it again.',
      },
      {
        ro: 'Pentru reclamații: [ANPC](https://anpc.ro) și soluționarea alternativă a litigiilor, [SAL](https://reclamatiisal.anpc.ro).',
        en: 'For complaints: the consumer authority [ANPC](https://anpc.ro) and its alternative dispute resolution, [SAL](https://reclamatiisal.anpc.ro).',
      },
    ],
  };
}

const FREE_KEYS: TermsSection = {
  id: 'chei-gratuite',
  title: { ro: 'Cheile gratuite', en: 'Free keys' },
  items: [
    {
      ro: `O [cheie gratuită](${BILLING_PATHS.freeKey.ro}) se dă o singură dată pentru fiecare adresă de e-mail, fără contract. Se închide dacă nu este folosită ${FREE_KEY_UNUSED_DAYS} de zile, iar operatorul o poate retrage.`,
      en: `A [free key](${BILLING_PATHS.freeKey.en}) is given once per e-mail address, without a contract. It is closed when it is not used for ${FREE_KEY_UNUSED_DAYS} days, and the operator may withdraw it.`,
    },
  ],
};
