/** The rows of the privacy page where plans are sold or free keys given. */
import {
  ENDED_SUBSCRIPTION_DAYS,
  FREE_KEY_UNUSED_DAYS,
  LOGIN_HOURS,
  MAIL_DAYS,
  MAIL_RECIPIENT_DAYS,
  MAINTENANCE_HOURS,
  ORDER_NETWORK_HOURS,
  ORDER_YEARS,
  UNFINISHED_ORDER_DAYS,
  WEBHOOK_EVENT_DAYS,
} from '../../../domain/access/retention.ts';
import { ADDRESS_UNDO_MS, LOGIN_TOKEN_MS, SESSION_MS } from '../../../domain/billing/login-purpose.ts';
import { atMost, type KeptData, removed } from './kept-data.ts';

/** Maintenance deletes it within an hour more. */
const UNDO_HOURS = ADDRESS_UNDO_MS / 3_600_000 + MAINTENANCE_HOURS;
const LOGIN_MINUTES = LOGIN_TOKEN_MS / 60_000;
const SESSION_DAYS = SESSION_MS / (24 * 3_600_000);

export const KEPT_SELLING_DATA: readonly KeptData[] = [
  {
    what: {
      ro: 'Contul: adresa de e-mail, limba, cheile și cererile lor',
      en: 'The account: e-mail address, language, its keys and their requests',
    },
    why: { ro: 'contractul, trimiterea cheii, intrarea în cont', en: 'the contract, sending the key, logging in' },
    howLong: {
      ro: `cât există o cheie sau un abonament și încă ${ENDED_SUBSCRIPTION_DAYS} de zile după încheierea abonamentului; o cheie gratuită nefolosită, ${FREE_KEY_UNUSED_DAYS} de zile; un cont fără cheie și fără abonament, ${UNFINISHED_ORDER_DAYS} zile; mai devreme, la ștergerea contului; cât timp cineva este în cont, până la sfârșitul sesiunii; adresa dinaintea unei schimbări, ${UNDO_HOURS} de ore`,
      en: `as long as there is a key or a subscription, and ${ENDED_SUBSCRIPTION_DAYS} days after the end of a subscription; a free key that is not used, ${FREE_KEY_UNUSED_DAYS} days; an account that had neither, ${UNFINISHED_ORDER_DAYS} days; less when you delete the account; while somebody is logged in, until that session ends; the address before a change, ${UNDO_HOURS} hours`,
    },
  },
  {
    what: {
      ro: 'Comanda: planul, adresa de e-mail, acordul, versiunea termenilor și ora; ora retragerii și a rambursării',
      en: 'The order: plan, e-mail address, consent, version of the terms and time; the times of a withdrawal and of a refund',
    },
    why: {
      ro: 'dovada contractului; o singură perioadă de probă pentru fiecare persoană',
      en: 'proof of the contract; one trial per person',
    },
    howLong: {
      ro: `${ORDER_YEARS} ani de la încetarea contractului, cât se poate cere ceva din el; o comandă nefinalizată, ${UNFINISHED_ORDER_DAYS} zile`,
      en: `${ORDER_YEARS} years from the end of the contract, as long as a claim can be made; one that was not finished, ${UNFINISHED_ORDER_DAYS} days`,
    },
  },
  {
    what: {
      ro: 'Amprenta adresei unei chei gratuite, după ștergerea contului',
      en: 'A hash of the address of a free key, after its account is deleted',
    },
    why: { ro: 'o singură cheie gratuită pentru fiecare adresă', en: 'one free key per address' },
    howLong: { ro: 'până la sfârșitul lunii', en: 'until the month ends' },
  },
  {
    what: {
      ro: 'Abonamentul: starea lui la Stripe, datele perioadei, retragerea',
      en: 'The subscription: its state at Stripe, the dates of its period, a withdrawal',
    },
    why: { ro: 'deschiderea și închiderea cheii', en: 'opening and closing the key' },
    howLong: {
      ro: `cât durează, apoi ${ENDED_SUBSCRIPTION_DAYS} de zile`,
      en: `as long as it lasts, then ${ENDED_SUBSCRIPTION_DAYS} days`,
    },
  },
  {
    what: {
      ro: 'Mesajele trimise: felul, destinatarul, ora și ce anunță fiecare, ca numele scris la o retragere, fără chei, linkuri sau coduri',
      en: 'Mails sent: kind, recipient, time and what each tells, such as the name given with a withdrawal, without keys, links or codes',
    },
    why: { ro: 'trimiterea lor o singură dată; întrebări', en: 'sending them once; questions' },
    howLong: {
      ro: `${MAIL_DAYS} de zile; destinatarul, ${MAIL_RECIPIENT_DAYS} zile`,
      en: `${MAIL_DAYS} days; the recipient, ${MAIL_RECIPIENT_DAYS} days`,
    },
  },
  {
    what: {
      ro: 'Cererea unui link de intrare: adresa de e-mail și amprentele linkului, codului și browserului',
      en: 'The request of a login link: e-mail address, and hashes of link, code and browser',
    },
    why: { ro: 'intrarea fără parolă; limita de mesaje', en: 'logging in without a password; the limit on mails' },
    howLong: {
      ro: `linkul este valabil ${LOGIN_MINUTES} minute; rândul, cel mult ${LOGIN_HOURS + 1} ore; cel prin care adresa veche anulează o schimbare, ${UNDO_HOURS} de ore`,
      en: `the link is valid for ${LOGIN_MINUTES} minutes; the row, at most ${LOGIN_HOURS + 1} hours; that by which an old address undoes a change, ${UNDO_HOURS} hours`,
    },
  },
  {
    what: {
      ro: 'Amprenta rețelei din care a venit o comandă sau cererea unui link',
      en: 'Hash of the network that an order or the request of a link came from',
    },
    why: {
      ro: 'limitele de comenzi, de mesaje și de coduri greșite ale unei rețele',
      en: 'the limits on orders, mails and wrong codes of one network',
    },
    howLong: atMost(removed(ORDER_NETWORK_HOURS), 'orders'),
  },
  {
    what: {
      ro: 'Sesiunea din cont: amprenta unui cookie care se setează numai când cereți intrarea în cont',
      en: 'The session of the account: the hash of a cookie that is set only when you ask to log in',
    },
    why: { ro: 'să rămâneți în cont', en: 'keeping you logged in' },
    howLong: {
      ro: `până la ieșire, cel mult ${SESSION_DAYS} de zile de la ultima vizită`,
      en: `until you log out, at most ${SESSION_DAYS} days after the last visit`,
    },
  },
  {
    what: {
      ro: 'Numerele evenimentelor trimise de Stripe, fără conținut',
      en: 'Numbers of the events that Stripe sends, without content',
    },
    why: { ro: 'niciun eveniment pierdut', en: 'losing none of them' },
    howLong: { ro: `${WEBHOOK_EVENT_DAYS} de zile`, en: `${WEBHOOK_EVENT_DAYS} days` },
  },
];
