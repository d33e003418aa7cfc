/** What the pages of an order say. */
import { TRIAL_DAYS } from '../../../domain/access/plans.ts';
import type { OrderProblem, OrderProgress } from '../../../domain/billing/order-view.ts';
import { WITHDRAWAL_DAYS } from '../../../domain/billing/withdrawal-right.ts';
import { type Text, text } from '../../html/text.ts';

type Charge = { readonly plan: string; readonly euros: number; readonly quota: string };

export const ORDER_TEXTS = {
  title: text(
    (plan: string) => `Comandă planul ${plan}`,
    (plan: string) => `Order the ${plan} plan`,
  ),
  description: text(
    'Comanda unui plan API: ce se plătește și când, acordul și dreptul de retragere.',
    'Ordering an API plan: what is charged and when, your consent and the right of withdrawal.',
  ),
  lead: text(
    ({ plan, euros, quota }: Charge) =>
      `Planul ${plan}: ${quota} de cereri pe lună. La prima comandă, ${TRIAL_DAYS} zile gratuit, apoi ${euros} EUR pe lună, până anulați.`,
    ({ plan, euros, quota }: Charge) =>
      `The ${plan} plan: ${quota} requests a month. Your first order begins with ${TRIAL_DAYS} free days, then ${euros} EUR a month until you cancel.`,
  ),
  charged: text('Ce se plătește și când', 'What is charged, and when'),
  charges: text(
    ({ euros }: Charge) => [
      `Astăzi, la prima comandă: 0 EUR. Cardul este cerut de Stripe, care procesează plata; datele lui nu ajung la noi.`,
      `După ${TRIAL_DAYS} zile (3 × 24 de ore): ${euros} EUR, apoi ${euros} EUR în fiecare lună. Prețul include TVA.`,
      `La comenzile următoare nu mai există perioadă de probă: prima lună se plătește imediat. Pagina de plată arată suma exactă înainte să confirmați.`,
      `Aveți deja un abonament? Schimbați planul din cont: o comandă nouă este un al doilea abonament, cu altă cheie.`,
      `Abonamentul se reînnoiește automat. Îl puteți anula oricând din cont; în perioada de probă, fără nicio plată.`,
    ],
    ({ euros }: Charge) => [
      `Today, with your first order: 0 EUR. Stripe, which processes the payment, asks for the card; its data never reach us.`,
      `After ${TRIAL_DAYS} days (3 × 24 hours): ${euros} EUR, then ${euros} EUR every month. VAT is included.`,
      `A later order has no trial: the first month is charged at once. The payment page shows the exact sum before you confirm.`,
      `Do you have a subscription already? Change its plan in your account: a new order is a second subscription with another key.`,
      `The subscription renews automatically. You can cancel in your account at any time; during the trial without paying anything.`,
    ],
  ),
  withdrawalTitle: text('Dreptul de retragere', 'Right of withdrawal'),
  withdrawal: text(
    (days: number, path: string) =>
      `În ${days} zile de la comandă vă puteți retrage din contract fără nicio explicație, cu [butonul de retragere](${path}) sau scriindu-ne. Vă returnăm integral ce ați plătit, și pentru zilele în care ați folosit serviciul.`,
    (days: number, path: string) =>
      `Within ${days} days of the order you may withdraw from the contract without giving a reason, by the [withdrawal button](${path}) or by writing to us. We refund in full what you paid, also for the days on which you used the service.`,
  ),
  email: text('Adresa de e-mail, la care trimitem cheia', 'E-mail address, to which we send the key'),
  terms: text(
    (path: string) => `Am citit și accept [termenii](${path}).`,
    (path: string) => `I have read and accept the [terms](${path}).`,
  ),
  start: text(
    (days: number) =>
      `Doresc ca serviciul să înceapă imediat, înainte să treacă cele ${days} zile ale dreptului de retragere.`,
    (days: number) =>
      `I want the service to start at once, before the ${days} days of the right of withdrawal have passed.`,
  ),
  send: text('Comandă cu obligație de plată', 'Order with obligation to pay'),
  next: text(
    'Urmează pagina de plată a Stripe. Cheia vine pe e-mail în câteva minute.',
    'The payment page of Stripe comes next. The key arrives by e-mail within minutes.',
  ),
  seller: {
    own: text('Vânzător', 'Seller'),
    mor: text(
      'Vânzător: Stripe, ca vânzător înregistrat (Merchant of Record). Furnizorul serviciului',
      'Seller: Stripe, as the merchant of record. Provider of the service',
    ),
  },
  allPlans: text('Toate planurile', 'All plans'),
  problem: text('Comanda nu a fost trimisă', 'The order was not sent'),
};

export const ORDER_PROBLEMS: Readonly<Record<OrderProblem, Text<string>>> = {
  email: text(
    'Scrieți o adresă de e-mail completă, ca nume@exemplu.ro.',
    'Enter a complete e-mail address, such as name@example.com.',
  ),
  terms: text(
    'Bifați acordul cu termenii: fără el nu putem încheia contractul.',
    'Accept the terms: without that we cannot conclude the contract.',
  ),
  start: text(
    `Bifați că serviciul începe imediat: altfel cheia ar putea fi trimisă abia după ${WITHDRAWAL_DAYS} zile.`,
    `Agree to an immediate start: otherwise the key could only be sent after ${WITHDRAWAL_DAYS} days.`,
  ),
  'not now': text(
    'Comanda nu se poate face acum. Încercați din nou peste o oră sau scrieți-ne; nu s-a plătit nimic.',
    'The order cannot be placed right now. Try again in an hour, or write to us; nothing was charged.',
  ),
  'no checkout': text(
    'Pagina de plată nu răspunde acum. Încercați din nou peste câteva minute; nu s-a plătit nimic.',
    'The payment page does not answer right now. Try again in a few minutes; nothing was charged.',
  ),
};

type Progress = { readonly title: Text<string>; readonly text: Text<(address: string) => string> };

export const PROGRESS: Readonly<Record<OrderProgress, Progress>> = {
  waiting: {
    title: text('Așteptăm confirmarea plății', 'Waiting for the payment to be confirmed'),
    text: text(
      (address) => `De obicei durează câteva secunde. Puteți închide pagina: cheia vine pe e-mail la ${address}.`,
      (address) => `It usually takes a few seconds. You may close the page: the key comes by e-mail to ${address}.`,
    ),
  },
  sending: {
    title: text('Comanda este confirmată', 'Your order is confirmed'),
    text: text(
      (address) => `Vă trimitem cheia pe e-mail la ${address}. De obicei ajunge în câteva minute.`,
      (address) => `The key is on its way by e-mail to ${address}. It usually arrives within minutes.`,
    ),
  },
  sent: {
    title: text('Cheia a fost trimisă', 'The key was sent'),
    text: text(
      (address) => `Cheia a fost trimisă pe e-mail la ${address}.`,
      (address) => `The key was sent by e-mail to ${address}.`,
    ),
  },
  refused: {
    title: text('Mesajul cu cheia a fost refuzat', 'The mail with the key was refused'),
    text: text(
      (address) =>
        `Comanda este confirmată, dar serverul adresei ${address} a refuzat mesajul. Scrieți-ne și vă trimitem cheia la altă adresă.`,
      (address) =>
        `Your order is confirmed, but the server of ${address} refused the mail. Write to us and we will send the key to another address.`,
    ),
  },
  undelivered: {
    title: text('Mesajul cu cheia nu a ajuns', 'The mail with the key was not delivered'),
    text: text(
      (address) =>
        `Comanda este confirmată, dar mesajul cu cheia nu a ajuns la ${address}. Dacă nu aveți încă o cheie, intrați în cont și faceți una.`,
      (address) =>
        `Your order is confirmed, but the mail with the key was not delivered to ${address}. If you have no key yet, log in to your account and make one.`,
    ),
  },
  expired: {
    title: text('Comanda nu a fost finalizată', 'The order was not finished'),
    text: text(
      () => 'Pagina de plată a expirat sau a fost înlocuită de o comandă mai nouă. Nu s-a plătit nimic.',
      () => 'The payment page has expired, or a later order has taken its place. Nothing was charged.',
    ),
  },
  unknown: {
    title: text('Nu găsim această comandă', 'We cannot find this order'),
    text: text(
      () => 'La această adresă nu există nicio comandă. Dacă ați plătit, cheia vine oricum pe e-mail.',
      () => 'There is no order at this address. If you have paid, the key comes by e-mail all the same.',
    ),
  },
};

export const ORDERED_TEXTS = {
  orderNumber: text('Numărul comenzii', 'Order number'),
  plan: text('Plan', 'Plan'),
  keep: text(
    'Păstrați numărul comenzii: cu el vă puteți retrage din contract.',
    'Keep the order number: you can withdraw from the contract with it.',
  ),
  noMail: text(
    'Dacă mesajul nu ajunge în câteva minute, uitați-vă și în mesajele nedorite (spam).',
    'If the mail does not arrive within minutes, look into your spam folder as well.',
  ),
  wrong: text(
    'Dacă adresa este scrisă greșit, trimiteți numărul comenzii la',
    'If the address is mistyped, send the order number to',
  ),
  again: text('Verifică din nou', 'Check again'),
  account: text('Contul meu', 'My account'),
  docs: text('Documentația API', 'API documentation'),
};
