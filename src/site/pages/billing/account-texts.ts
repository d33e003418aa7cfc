/** The texts of the page of an account. */
import { FREE_KEY_UNUSED_DAYS } from '../../../domain/access/retention.ts';
import type { AccountNotice } from '../../../domain/billing/account-view.ts';
import type { ClosedReason } from '../../../domain/billing/standing.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { text } from '../../html/text.ts';

export const ACCOUNT_TEXTS = {
  title: text('Contul meu', 'My account'),
  description: text('Cheile, planul și plata.', 'Keys, plan and payment.'),
  lead: text(
    (email: string) => `Sunteți în contul ${email}.`,
    (email: string) => `You are logged in as ${email}.`,
  ),
  freeLead: text(
    (email: string) => `Sunteți în contul ${email}, cu o cheie gratuită.`,
    (email: string) => `You are logged in as ${email}, with a free key.`,
  ),
  logOut: text('Ieși din cont', 'Log out'),
  mailRefused: text(
    (since: string) =>
      `Din ${since}, serverul dumneavoastră de e-mail ne refuză mesajele. Cheile și avertismentele nu ajung la dumneavoastră.`,
    (since: string) => `Your mail server has refused our messages since ${since}. Keys and warnings do not reach you.`,
  ),
  plans: text('Abonamente', 'Subscriptions'),
  none: text('Nu aveți niciun abonament.', 'You have no subscription.'),
  freeOnly: text(
    'Pentru cheia gratuită nu se plătește nimic. Pentru mai multe cereri alegeți un plan.',
    'The free key costs nothing. For more requests choose a plan.',
  ),
  nothing: text('Nu aveți nicio cheie și niciun abonament.', 'You have no key and no subscription.'),
  toFreeKey: text('Cere o cheie gratuită', 'Ask for a free key'),
  toPlans: text('Vezi planurile', 'See the plans'),
  plan: text(
    (name: string) => `Planul ${name}`,
    (name: string) => `${name} plan`,
  ),
  trial: text(
    (until: string, euros: number) => `Probă până ${until}; apoi ${euros} EUR pe lună.`,
    (until: string, euros: number) => `Trial until ${until}; then EUR ${euros} a month.`,
  ),
  active: text(
    (until: string, euros: number) => `Activ. Următoarea plată: ${euros} EUR, ${until}.`,
    (until: string, euros: number) => `Active. Next charge: EUR ${euros}, ${until}.`,
  ),
  ending: text(
    (until: string) => `Anulat: cheia funcționează până ${until} și nu se mai plătește nimic.`,
    (until: string) => `Cancelled: the key works until ${until}, and nothing more is charged.`,
  ),
  grace: text(
    (until: string) => `Plata nu a reușit. Cheia funcționează până ${until}; schimbați cardul până atunci.`,
    (until: string) => `The payment failed. The key works until ${until}; change the card by then.`,
  ),
  graceCancelled: text(
    (closesAt: string, end: string) =>
      `Anulat, dar ultima plată nu a reușit și se mai încearcă. Fără ea cheia funcționează până ${closesAt}, cu ea până ${end}.`,
    (closesAt: string, end: string) =>
      `Cancelled, but the last payment failed and is tried again. Without it the key works until ${closesAt}, with it until ${end}.`,
  ),
  invoices: text('Facturi și card', 'Invoices and card'),
  payment: text('Card, facturi, schimbarea planului', 'Card, invoices, change plan'),
  downgrade: text(
    (used: string, names: string) =>
      `Luna aceasta s-au făcut ${used}: dacă treceți acum la ${names}, cheia se oprește până la începutul lunii viitoare.`,
    (used: string, names: string) =>
      `This month has ${used}: if you change to ${names} now, the key stops until the next month begins.`,
  ),
  cancel: text('Anulează abonamentul', 'Cancel the subscription'),
  resume: text('Renunță la anulare', 'Undo the cancellation'),
  withdraw: text('Retragere din contract', 'Withdraw from the contract'),
  keys: text('Chei API', 'API keys'),
  noKey: text('Cheia este pe drum, prin e-mail.', 'The key is on its way, by e-mail.'),
  key: text(
    (number: number, plan: string) => `Cheia ${number}, planul ${plan}`,
    (number: number, plan: string) => `Key ${number}, plan ${plan}`,
  ),
  ofKey: text(
    (number: number) => `cheia ${number}`,
    (number: number) => `key ${number}`,
  ),
  keyRevoked: text(
    'Am închis definitiv această cheie: nu mai funcționează.',
    'We have closed this key for good: it no longer works.',
  ),
  anotherKey: text('Pentru alta, scrieți la', 'For another one, write to'),
  freePlan: text('gratuit', 'free'),
  freeRule: text(
    `Se închide dacă nu este folosită ${FREE_KEY_UNUSED_DAYS} de zile; înainte vă trimitem un mesaj.`,
    `It is closed when it is not used for ${FREE_KEY_UNUSED_DAYS} days; we mail you before.`,
  ),
  until: text(
    (until: string) => `funcționează până pe ${until}`,
    (until: string) => `works until ${until}`,
  ),
  used: text(
    (used: string, requests: string, percent: string) => `Luna aceasta: ${used} din ${requests} (${percent}).`,
    (used: string, requests: string, percent: string) => `This month: ${used} of ${requests} (${percent}).`,
  ),
  chart: text('Cereri pe zi în ultimele 30 de zile', 'Requests a day over the last 30 days'),
  most: text(
    (count: string, day: string) => `Cele mai multe: ${count}, pe ${day}.`,
    (count: string, day: string) => `Most: ${count}, on ${day}.`,
  ),
  newKeyTitle: text('Cheia nouă', 'Your new key'),
  newKeyAbout: text(
    'Copiați-o acum: nu o mai putem afișa. Se trimite în antetul X-Api-Key.',
    'Copy it now: we cannot show it again. Send it in the X-Api-Key header.',
  ),
  renew: text('Cheie nouă', 'New key'),
  overlap: text('Cheia veche', 'The old key'),
  overlaps: {
    '0': text('se oprește imediat', 'ends at once'),
    '24h': text('mai funcționează 24 de ore', 'works for another 24 hours'),
    '7d': text('mai funcționează 7 zile', 'works for another 7 days'),
  } as Readonly<Record<string, LocalizedText>>,
  endOld: text('Oprește acum cheia veche', 'End the old key now'),
  second: text('A doua cheie', 'A second key'),
  endSecond: text('Oprește a doua cheie', 'End the second key'),
  isSecond: text('a doua cheie', 'the second key'),
  cap: text('Limita mea, cereri pe lună', 'My own limit, requests a month'),
  capHint: text(
    (allowed: string) => `cel mult ${allowed}, cât permite planul; necompletat: fără limită proprie`,
    (allowed: string) => `at most ${allowed}, which the plan allows; empty: no limit of your own`,
  ),
  setCap: text('Salvează limita', 'Save the limit'),
  badCap: text(
    (allowed: string) => `Scrieți un număr întreg de cereri, de exemplu 5000, cel mult ${allowed}.`,
    (allowed: string) => `Enter a whole number of requests, such as 5000, and at most ${allowed}.`,
  ),
  capReached: text(
    'Limita proprie este atinsă: până luna viitoare cererile cu această cheie primesc răspunsul 429.',
    'Your own limit is reached: until next month requests with this key get a 429 response.',
  ),
  quotaReached: text(
    'Cota lunii este atinsă: până la începutul lunii viitoare (UTC) cererile cu această cheie primesc răspunsul 429.',
    'The quota of the month is reached: until the next month begins (UTC) requests with this key get a 429 response.',
  ),
  webhooks: text('Webhookuri', 'Webhooks'),
  webhooksAbout: text(
    'Modificările de preț, trimise la serverul dumneavoastră.',
    'Price changes, sent to your server.',
  ),
  toWebhooks: text('Vezi webhookurile', 'See the webhooks'),
  data: text('Datele mele', 'My data'),
  download: text('Descarcă datele (JSON)', 'Download the data (JSON)'),
  changeAddress: text('Schimbă adresa de e-mail', 'Change the e-mail address'),
  remove: text('Șterge contul', 'Delete the account'),
  mails: text('Mesaje', 'Mails'),
  mailsOn: text('Primiți un mesaj la 80% și la 100% din cotă.', 'You get a mail at 80% and at 100% of the quota.'),
  mailsOff: text('Nu primiți mesaje despre cotă.', 'You get no mails about the quota.'),
  mailLanguage: text('Limba mesajelor', 'Language of the messages'),
  languages: { ro: 'română', en: 'English' } satisfies Record<Language, string>,
  setLanguage: text('Salvează limba', 'Save the language'),
  switchOff: text('Nu mai trimite', 'Stop these messages'),
  switchOn: text('Trimite-le', 'Send them'),
};

export const ACCOUNT_NOTICE_TEXTS: Readonly<Record<AccountNotice, LocalizedText>> = {
  cancelled: { ro: 'Abonamentul este anulat.', en: 'The subscription is cancelled.' },
  resumed: { ro: 'Abonamentul continuă.', en: 'The subscription goes on.' },
  'mails-on': { ro: 'Mesajele despre cotă sunt pornite.', en: 'Mails about the quota are on.' },
  'old-ended': { ro: 'Cheia veche nu mai funcționează.', en: 'The old key no longer works.' },
  'second-ended': { ro: 'A doua cheie nu mai funcționează.', en: 'The second key no longer works.' },
  address: {
    ro: 'Adresa contului este schimbată. De la cea veche se poate anula schimbarea timp de 24 de ore.',
    en: 'The address of the account is changed. The old one may undo that for 24 hours.',
  },
  cap: { ro: 'Limita este salvată.', en: 'The limit is saved.' },
  language: { ro: 'Limba mesajelor este salvată.', en: 'The language of the mails is saved.' },
  'mails-off': { ro: 'Mesajele despre cotă sunt oprite.', en: 'Mails about the quota are off.' },
};

/** Why a key is closed, and what opens it. */
export const CLOSED_TEXTS: Readonly<Record<ClosedReason, LocalizedText>> = {
  withdrawn: {
    ro: 'V-ați retras din contract; cheia este închisă.',
    en: 'You withdrew from the contract; the key is closed.',
  },
  disputed: {
    ro: 'O plată a fost contestată la bancă; cheia este închisă. Se deschide din nou dacă decizia ne este favorabilă.',
    en: 'A charge was disputed at the bank; the key is closed. It opens again if the dispute is decided in our favour.',
  },
  ended: {
    ro: 'Abonamentul s-a încheiat. Cu un abonament nou primiți o cheie nouă.',
    en: 'The subscription has ended. With a new one you get a new key.',
  },
  overdue: {
    ro: 'Plata nu a reușit, iar cheia este închisă. Schimbați cardul și aceeași cheie funcționează din nou.',
    en: 'The payment failed, and the key is closed. Change the card, and the same key works again.',
  },
  paused: {
    ro: 'Abonamentul este întrerupt; cheia este închisă. Îl puteți relua din pagina de plată.',
    en: 'The subscription is paused; the key is closed. You can resume it on the payment page.',
  },
  incomplete: {
    ro: 'Prima plată nu s-a încheiat; cheia este închisă.',
    en: 'The first payment is not complete; the key is closed.',
  },
  unconfirmed: {
    ro: 'De trei zile nu am putut confirma plata; cheia rămâne închisă până la confirmare.',
    en: 'The payment could not be confirmed for three days; the key is closed until it is.',
  },
};
