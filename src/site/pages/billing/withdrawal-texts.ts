/** What the pages of a withdrawal say. */
import { WITHDRAWAL_DAYS } from '../../../domain/billing/withdrawal-right.ts';
import type { WithdrawalProblem } from '../../../domain/billing/withdrawal-view.ts';
import { type Text, text } from '../../html/text.ts';

export const WITHDRAWAL_TEXTS = {
  title: text('Retragere din contract', 'Withdraw from the contract'),
  description: text(
    'Retragerea din contractul unui plan API, fără explicații, cu returnarea integrală a banilor.',
    'Withdrawal from the contract of an API plan, without a reason, with a full refund.',
  ),
  lead: text(
    (days: number) =>
      `În ${days} zile de la comandă vă puteți retrage din contract fără nicio explicație. Suma plătită se returnează integral, pe același card, în cel mult 14 zile. Cheia se închide imediat.`,
    (days: number) =>
      `Within ${days} days of the order you may withdraw from the contract without giving a reason. What you paid is refunded in full, to the same card, within 14 days. The key is closed at once.`,
  ),
  name: text('Numele dumneavoastră', 'Your name'),
  email: text('Adresa de e-mail a comenzii', 'E-mail address of the order'),
  order: text('Numărul comenzii', 'Order number'),
  orderHint: text(
    'Este în mesajul cu cheia și pe pagina de după plată.',
    'It is in the mail with the key, and on the page after the payment.',
  ),
  next: text('Continuă', 'Continue'),
  otherWays: text(
    (contact: string) =>
      `Vă puteți retrage și printr-un mesaj la ${contact}. Ca să opriți doar reînnoirea, anulați din cont.`,
    (contact: string) =>
      `You may also withdraw by a message to ${contact}. To stop only the renewal, cancel in your account.`,
  ),
  confirmTitle: text('Confirmați retragerea', 'Confirm the withdrawal'),
  statement: text(
    (name: string, plan: string, order: string, at: string) =>
      `Subsemnatul(a) ${name} mă retrag din contractul pentru planul ${plan}, comanda ${order} din ${at}.`,
    (name: string, plan: string, order: string, at: string) =>
      `I, ${name}, withdraw from the contract for the ${plan} plan, order ${order} of ${at}.`,
  ),
  confirmation: text(
    (email: string) => `Confirmarea pleacă imediat pe e-mail la ${email}. Cheia nu va mai funcționa.`,
    (email: string) => `The acknowledgement is sent at once by e-mail to ${email}. The key will not work any more.`,
  ),
  confirm: text('Confirmă retragerea', 'Confirm withdrawal'),
  back: text('Înapoi', 'Go back'),
  doneTitle: text('Retragerea a fost înregistrată', 'Your withdrawal is registered'),
  done: text(
    'Confirmarea, cu data și ora, pleacă pe e-mail. Cheia este închisă, abonamentul se încheie, iar suma plătită se returnează integral în cel mult 14 zile.',
    'The acknowledgement with date and time is on its way by e-mail. The key is closed, the subscription ends, and what you paid is refunded in full within 14 days.',
  ),
  problem: text('Retragerea nu a fost înregistrată', 'The withdrawal was not registered'),
  plans: text('Planuri', 'Plans'),
  account: text('Înapoi în cont', 'Back to the account'),
};

export const WITHDRAWAL_PROBLEMS: Readonly<Record<WithdrawalProblem, Text<string>>> = {
  name: text('Scrieți numele dumneavoastră.', 'Write your name.'),
  email: text('Scrieți adresa de e-mail cu care ați comandat.', 'Write the e-mail address with which you ordered.'),
  order: text('Scrieți numărul comenzii.', 'Write the order number.'),
  unknown: text(
    'Nu găsim o comandă finalizată cu acest număr și această adresă. Verificați-le; dacă nu aveți numărul, scrieți-ne.',
    'We find no finished order with this number and this address. Check both; if you do not have the number, write to us.',
  ),
  'too late': text(
    `Cele ${WITHDRAWAL_DAYS} zile de la comandă au trecut. Puteți anula reînnoirea din cont.`,
    `The ${WITHDRAWAL_DAYS} days since the order have passed. You can cancel the renewal in your account.`,
  ),
  'too many': text(
    'Au fost prea multe încercări. Încercați din nou peste câteva minute sau scrieți-ne.',
    'There were too many attempts. Try again in a few minutes, or write to us.',
  ),
};
