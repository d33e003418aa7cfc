/** The rows of the privacy page: each kind of data about people, its purpose, and how long it is kept. */

import { WEEKLY_CAP_MS } from '../../../domain/access/request-limits.ts';
import {
  ADDRESS_KEY_HOURS,
  ALERTS_DAYS,
  CAPTCHA_TOKEN_HOURS,
  DRIVER_REPORT_DAYS,
  GERMAN_ANSWER_HOURS,
  GERMAN_CALLER_HOURS,
  type HashPurpose,
  MAINTENANCE_HOURS,
  MINUTE_WINDOW_HOURS,
  PUSH_CLIENT_HOURS,
  REJECTED_REVIEW_DAYS,
  REPORT_CLIENT_HOURS,
  REVIEW_CLIENT_HOURS,
  WEBHOOK_DELIVERIES_DAYS,
} from '../../../domain/access/retention.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { takesDe } from '../../../domain/romanian-counts.ts';

export type KeptData = {
  readonly what: LocalizedText;
  readonly why: LocalizedText;
  readonly howLong: LocalizedText;
};

const HOUR_MS = 3_600_000;

/** Hours until the hourly maintenance has deleted a row. */
export const removed = (hours: number) => hours + MAINTENANCE_HOURS;
/** The longest life of a key of hashes, hours. */
const keyLife = (purpose: HashPurpose) =>
  removed(ADDRESS_KEY_HOURS[purpose].currentHours + ADDRESS_KEY_HOURS[purpose].supersededHours);

/** In Romanian. */
const inHours = (hours: number) => `${hours} ${takesDe(hours) ? 'de ' : ''}ore`;

/** How long a row and the key of its hash are kept, in hours. */
export function atMost(hours: number, purpose: HashPurpose): LocalizedText {
  return {
    ro: `cel mult ${inHours(hours)}; cheia amprentei, cel mult ${inHours(keyLife(purpose))}`,
    en: `at most ${hours} hours; the key of the hash, at most ${keyLife(purpose)} hours`,
  };
}

export const KEPT_DATA: readonly KeptData[] = [
  {
    what: { ro: 'Amprenta adresei IP, adresa din API și ora', en: 'Hash of the IP address, endpoint and time' },
    why: { ro: 'limita săptămânală fără cheie', en: 'the weekly cap without a key' },
    howLong: atMost(removed(WEEKLY_CAP_MS / HOUR_MS), 'weekly caps'),
  },
  {
    what: {
      ro: 'Amprenta adresei IP și orele cererilor din ultimul minut',
      en: 'Hash of the IP address and times of the requests of the last minute',
    },
    why: {
      ro: 'limitele pe minut ale roboților de căutare, ale `/de-statii` și ale paginilor citite',
      en: 'the limits per minute of crawlers, of `/de-statii` and of the pages read',
    },
    howLong: atMost(removed(MINUTE_WINDOW_HOURS), 'minute windows'),
  },
  {
    what: {
      ro: 'Punctul unei căutări în `/de-statii`, fără adresă',
      en: 'Point of a search of `/de-statii`, without an address',
    },
    why: { ro: 'același răspuns pentru cei din apropiere', en: 'the same answer for others nearby' },
    howLong: {
      ro: `cel mult ${inHours(removed(GERMAN_ANSWER_HOURS))}`,
      en: `at most ${removed(GERMAN_ANSWER_HOURS)} hours`,
    },
  },
  {
    what: {
      ro: 'Amprentele adresei IP și ale rețelei pentru care a fost întrebată sursa germană, cu ora',
      en: 'Hashes of the IP address and network for which the German source was queried, and the time',
    },
    why: { ro: 'împărțirea întrebărilor permise între toți', en: 'sharing the permitted calls among all' },
    howLong: atMost(removed(GERMAN_CALLER_HOURS), 'german shares'),
  },
  {
    what: { ro: 'Recenzii: stele, nume și text', en: 'Reviews: stars, name and text' },
    why: { ro: 'pentru a fi publicate, după moderare', en: 'to be published, after moderation' },
    howLong: {
      ro: `până la ștergerea lor, la cerere; cele respinse, ${REJECTED_REVIEW_DAYS} de zile`,
      en: `until they are deleted, on request; rejected ones, ${REJECTED_REVIEW_DAYS} days`,
    },
  },
  {
    what: { ro: 'Amprenta adresei IP a unei recenzii', en: 'Hash of the IP address of a review' },
    why: { ro: 'limita zilnică de recenzii', en: 'the daily limit on reviews' },
    howLong: atMost(removed(REVIEW_CLIENT_HOURS), 'reviews'),
  },
  {
    what: {
      ro: 'Semnalări ale șoferilor: stația, carburantul, prețul văzut și textul, dacă a fost scris',
      en: 'Reports of drivers: station, fuel, the price seen, and the text if one was written',
    },
    why: {
      ro: 'un moderator verifică prețul; textul nu se publică',
      en: 'a moderator checks the price; the text is not published',
    },
    howLong: {
      ro: `${DRIVER_REPORT_DAYS} de zile de la decizie sau, fără decizie, de la primire`,
      en: `${DRIVER_REPORT_DAYS} days from the decision or, without one, from the arrival`,
    },
  },
  {
    what: {
      ro: 'Amprentele adresei IP și ale rețelei unei semnalări',
      en: 'Hashes of the IP address and network of a report',
    },
    why: {
      ro: 'limitele de semnalări ale unei adrese și ale unei rețele',
      en: 'the limits on reports of one address and one network',
    },
    howLong: atMost(removed(REPORT_CLIENT_HOURS), 'driver reports'),
  },
  {
    what: { ro: 'Amprenta jetonului captcha', en: 'Hash of the captcha token' },
    why: { ro: 'un jeton este valabil o singură dată', en: 'a token is valid only once' },
    howLong: {
      ro: `cel mult ${inHours(removed(CAPTCHA_TOKEN_HOURS))}`,
      en: `at most ${removed(CAPTCHA_TOKEN_HOURS)} hours`,
    },
  },
  {
    what: {
      ro: 'Webhookurile unei chei: adresa, filtrul și secretul; ce s-a trimis acolo și cum s-a încheiat',
      en: 'Webhooks of a key: the address, filter and secret; what was sent there and how it ended',
    },
    why: { ro: 'trimiterea modificărilor cerute', en: 'sending the requested changes' },
    howLong: {
      ro: `până la ștergerea lor, sau la ștergerea ori revocarea cheii; ce s-a trimis, ${WEBHOOK_DELIVERIES_DAYS} zile`,
      en: `until they are deleted, or the key is deleted or revoked; what was sent, ${WEBHOOK_DELIVERIES_DAYS} days`,
    },
  },
  {
    what: {
      ro: 'Abonarea la alerte: adresa push a browserului și cheile ei, orașul, carburantul',
      en: 'Subscription to alerts: the push address of the browser and its keys, city, fuel',
    },
    why: { ro: 'trimiterea alertelor cerute', en: 'sending the requested alerts' },
    howLong: {
      ro: 'până la dezabonarea din browser sau la ștergere, la cerere',
      en: 'until the browser unsubscribes, or it is deleted on request',
    },
  },
  {
    what: {
      ro: 'Amprentele adresei IP și ale rețelei unei abonări',
      en: 'Hashes of the IP address and network of a subscription',
    },
    why: {
      ro: 'limitele de abonări ale unei adrese și ale unei rețele',
      en: 'the limits on subscriptions of one address and one network',
    },
    howLong: atMost(removed(PUSH_CLIENT_HOURS), 'push'),
  },
  {
    what: { ro: 'Ce alerte a primit o abonare', en: 'Which alerts a subscription received' },
    why: {
      ro: 'nicio alertă de două ori; răspuns la reclamații',
      en: 'not sending an alert twice; answering complaints',
    },
    howLong: { ro: `${ALERTS_DAYS} de zile`, en: `${ALERTS_DAYS} days` },
  },
  {
    what: {
      ro: 'Chei API: amprenta cheii, e-mailul și numărul abonamentului, dacă au fost date, numărul cererilor și ora ultimei',
      en: 'API keys: hash of the key, e-mail and subscription number if given, number of requests and time of the last',
    },
    why: { ro: 'cota și limitele cheii, contractul', en: 'quota and limits of the key, the contract' },
    howLong: { ro: 'până la ștergerea cheii, la cerere', en: 'until the key is deleted, on request' },
  },
];
