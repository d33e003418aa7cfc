/** Messages for people, in Romanian (`message`) and, where the contract requires it, in English (`message_en`). */

import { ANONYMOUS_LIMITS, KEY_RATE_LIMITS } from '../../domain/access/request-limits.ts';
import type { ClosedReason } from '../../domain/billing/standing.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { MAX_REVIEWS_PER_DAY } from '../../domain/review.ts';
import { takesDe } from '../../domain/romanian-counts.ts';

/** The same text in both languages. */
export type Bilingual = { readonly message: string; readonly message_en: string };

const CLOSED_SENTENCES: Readonly<Record<ClosedReason, string>> = {
  withdrawn: 'Cheia este închisă: v-ați retras din contract.',
  disputed: 'Cheia este închisă: o plată a fost contestată la bancă.',
  ended: 'Cheia este închisă: abonamentul s-a încheiat.',
  overdue: 'Cheia este închisă: plata abonamentului a eșuat, iar termenul de grație a trecut.',
  paused: 'Cheia este închisă: abonamentul este suspendat.',
  incomplete: 'Cheia este închisă: prima plată a abonamentului nu a fost finalizată.',
  unconfirmed: 'Cheia este închisă: starea abonamentului nu a mai putut fi confirmată.',
};

export const MESSAGES = {
  keyRefused: 'Cheia din antetul X-Api-Key nu este validă sau a fost revocată.',
  keyClosed: (reason: ClosedReason, page: string) => `${CLOSED_SENTENCES[reason]} Detalii și pașii următori: ${page}.`,
  keyMissing: 'Această adresă cere o cheie API în antetul X-Api-Key.',
  keyRateExceeded: (seconds: number) =>
    `Prea multe cereri cu această cheie: cel mult ${KEY_RATE_LIMITS.perSecond} pe secundă și ${KEY_RATE_LIMITS.perMinute} pe minut. Reveniți peste ${seconds} s.`,
  quotaExhausted: (quota: number) =>
    `Cota lunară de ${quota} ${takesDe(quota) ? 'de ' : ''}cereri a acestei chei este consumată. Se reia la începutul lunii următoare (UTC).`,
  ownCapReached: (quota: number, page: string) =>
    `Limita lunară de ${quota} ${takesDe(quota) ? 'de ' : ''}cereri, pe care deținătorul a stabilit-o pentru această cheie, este atinsă. Se reia la începutul lunii următoare (UTC) sau se schimbă în cont: ${page}.`,
  minuteLimitExceeded: (most: number) => `Prea multe cereri de la această adresă: cel mult ${most} pe minut.`,
  pagesLimited: 'Prea multe pagini citite de la această adresă. Reveniți peste un minut.',
  tooManyDownloads: 'Prea multe fișiere se descarcă în acest moment. Reveniți peste câteva secunde.',
  germanSourceFailed: 'Sursa prețurilor din Germania nu a răspuns. Reveniți peste câteva momente.',
  germanUnconfigured: 'Prețurile din Germania nu sunt configurate pe acest serviciu.',
  germanUnavailable: 'Prețurile din Germania nu sunt disponibile în acest moment. Reveniți peste câteva momente.',
  germanBudgetExhausted: (seconds: number) =>
    `Prețurile din Germania nu sunt disponibile acum: sursa poate fi întrebată din nou peste ${seconds} s.`,
  countyUnknown: 'Județ necunoscut. Folosiți numele județului (cu sau fără diacritice) sau codul auto, de exemplu CJ.',
  placeUnknown: (name: string, nearest: readonly string[]) =>
    `Localitatea „${displayable(name)}” nu a fost găsită.${nearest.length > 0 ? ` Ați vrut să spuneți: ${nearest.join('; ')}?` : ''}`,
  historyUnknown:
    'Nu există istoric pentru această stație. Folosiți câmpul „id” al unei înregistrări din /api/v1/statii.',
  undecodable: 'Adresa cererii nu poate fi decodată: secvențele „%” trebuie să fie UTF-8 corect codificat.',
  urlTooLong: 'Adresa cererii este prea lungă.',
  headersTooLarge: 'Antetele cererii sunt prea mari.',
  bodyTooLarge: 'Corpul cererii este prea mare: limita este de 16 KiB, în cel mult 256 de fragmente.',
  bodyType: 'Corpul cererii trebuie să fie JSON în UTF-8 (Content-Type: application/json).',
  bodyCompressed: 'Corpul cererii trebuie trimis necomprimat, fără Content-Encoding.',
  bodyNotJson: 'Corpul cererii nu este JSON valid.',
  bodyNotObject: 'Corpul cererii trebuie să fie un obiect JSON.',
  requestMalformed: 'Cererea nu respectă protocolul HTTP.',
  requestTimeout: 'Cererea nu a sosit în timpul prevăzut.',
  hostMissing: 'Lipsește antetul Host.',
  hostInvalid: 'Antetul Host nu este valid sau apare de mai multe ori.',
  internal: (id: string) => `Eroare internă. Cod pentru raportare: ${id}.`,
  methodNotAllowed: (allowed: string) => `Metodă nepermisă pe această adresă. Metode permise: ${allowed}.`,
  citiesTruncated: (shown: number, all: number) =>
    `Fără cheie API sunt returnate primele ${shown} de orașe după populație, din ${all}. Cu o cheie API (antetul X-Api-Key) sunt returnate toate.`,
  citiesWhole: (shown: number, all: number) =>
    `Fără cheie API sunt returnate cel mult ${shown} de orașe; răspunsul le cuprinde pe toate (${all}).`,
  recordsSampled: (shown: number, all: number) =>
    `Fără cheie API este returnat un eșantion de ${shown} de înregistrări din ${all}. Cu o cheie API (antetul X-Api-Key) sunt returnate toate.`,
} as const;

/** While the service cannot check whether a key is valid. */
export const KEY_UNVERIFIED_MESSAGES: Bilingual = {
  message: 'Cheia nu poate fi verificată în acest moment. Ea nu a fost respinsă; reveniți peste câteva secunde.',
  message_en: 'The key cannot be verified right now. It has not been refused; try again in a moment.',
};

/** Without a key, when the endpoint has already answered this address within the week. */
export const WEEKLY_CAP_MESSAGES = {
  message: `Fără cheie API această adresă răspunde o dată la ${ANONYMOUS_LIMITS.capDays} zile pentru fiecare adresă IP.`,
  message_en: `Without an API key this endpoint answers each IP address once every ${ANONYMOUS_LIMITS.capDays} days.`,
  upgrade_mesaj:
    'Cu o cheie API primiți toate datele și o cotă lunară. Fiecare plan începe cu o perioadă de probă gratuită.',
  upgrade_message: 'An API key gives all the data and a monthly quota. Every plan starts with a free trial.',
} as const;

/** For a path under `/api/` that does not exist. */
export const PATH_UNKNOWN_MESSAGES: Bilingual = {
  message: 'Această adresă nu există. Lista adreselor se află în documentație.',
  message_en: 'This path does not exist. The documentation lists the paths of the API.',
};

/** For a path that existed in the past. Rule 18. */
export function pathRetiredMessages(successor: string): Bilingual {
  return {
    message: `Această adresă a fost retrasă. Folosiți ${successor}.`,
    message_en: `This path has been retired. Use ${successor}.`,
  };
}

/** What is wrong with a parameter, and what would be correct. */
export const PARAMETER_MESSAGES = {
  sentTwice: (names: readonly string[]) =>
    `Parametrul „${names.join('” / „')}” apare de mai multe ori; se trimite o singură dată.`,
  wrong: (name: string, sent: string, expected: string) =>
    `Parametrul „${name}” are valoarea „${displayable(sent)}”; se așteaptă ${expected}.`,
  notSent: (name: string, expected: string) => `Lipsește parametrul „${name}”; se așteaptă ${expected}.`,
  missing: (name: string, because: string) => `Lipsește parametrul „${name}”: ${because}.`,
} as const;

/** The reasons why there is no route. */
export const JOURNEY_MESSAGES = {
  samePlace: (name: string) => `Plecarea și destinația sunt aceeași localitate, ${name}.`,
  noRoute: (from: string, to: string) => `Nu există un traseu rutier între ${from} și ${to}.`,
} as const;

/** The feed of changes. */
export const CHANGES_MESSAGES = {
  cursorGone:
    'Cursorul nu mai este valabil: este mai vechi decât modificările păstrate sau istoricul a fost refăcut de atunci. Citiți din nou /api/v1/statii și continuați de la antetul Pompa-Cursor; „reia_de_la” este cel mai vechi cursor păstrat.',
  waitsLimited: (most: number) =>
    `Prea multe cereri cu „asteapta” în același timp cu această cheie: cel mult ${most}. Reveniți peste câteva secunde.`,
  streamsLimited: (most: number) =>
    `Prea multe fluxuri deschise cu această cheie: cel mult ${most}. Închideți unul sau reveniți peste câteva secunde.`,
} as const;

/** While the feed of changes gives no answer. */
export const CHANGES_UNAVAILABLE_MESSAGES: Bilingual = {
  message: 'Fluxul modificărilor nu este disponibil în acest moment. Reveniți peste câteva secunde.',
  message_en: 'The feed of changes is not available right now. Try again in a few seconds.',
};

/** Where open data have no file; plain text in both languages. */
export const DUMP_NOTICES = {
  missing: `Nu există un fișier cu acest nume. Fișierele sunt pe pagina ${ROUTES.data.ro}.
There is no file of this name. The page ${ROUTES.data.en} lists the files.`,
  pending: `Fișierele se pregătesc acum. Reveniți peste un minut.
The files are being made now. Try again in a minute.`,
} as const;

/** Webhooks. */
export const WEBHOOK_MESSAGES = {
  tooMany: (most: number) =>
    `Cheia are deja ${most} webhookuri, cât sunt permise. Ștergeți unul cu DELETE /api/v1/cheie/webhookuri/{id} sau schimbați-l cu PATCH.`,
  unknown: 'Cheia nu are un webhook cu acest „id”. Lista lor se citește la GET /api/v1/cheie/webhookuri.',
  nothingToChange: 'Nu este nimic de schimbat: trimiteți cel puțin unul dintre câmpurile url, filtru, fel, pauza.',
  tooManySecrets: (most: number) =>
    `${most} secrete dinainte ale acestui webhook semnează încă, fiecare timp de 24 de ore. Folosiți secretul cel mai nou sau așteptați.`,
  limited: {
    change: (most: number) => `Prea multe schimbări ale webhookurilor acestei chei: cel mult ${most} pe oră.`,
    ping: (most: number) => `Prea multe teste ale webhookurilor acestei chei: cel mult ${most} pe oră.`,
    replay: (most: number) => `Prea multe reluări ale webhookurilor acestei chei: cel mult ${most} pe oră.`,
  },
  unknownCounty: 'numele unui județ (cu sau fără diacritice) sau codul auto, de exemplu CJ',
  unknownCity: 'un oraș cunoscut, după nume sau slug, de exemplu cluj-napoca',
  ambiguousCity: (slugs: readonly string[]) => `un singur oraș; se numesc așa: ${slugs.join(', ')}`,
  cityElsewhere: 'un oraș din județul de la „filtru.judet”',
  unknownStation: (id: string) =>
    `numai stații care există, după câmpul „id” din /api/v1/statii; „${id}” nu este printre ele`,
  kindsWithoutFuel:
    'și un fel care are carburant (pret, retras, revenit, steag): „filtru.tip” lasă deoparte stațiile care apar sau dispar',
  unknownNetwork: 'o rețea cunoscută, după nume sau slug, de exemplu petrom',
} as const;

/** What is wrong with the address of a webhook; completes the sentence "se așteaptă …". */
export const WEBHOOK_ADDRESS_MESSAGES = {
  'too long': (most: number) => `o adresă de cel mult ${most} de caractere`,
  'not an address': 'o adresă completă, de exemplu https://exemplu.ro/pompa',
  'not https': 'o adresă care începe cu https://',
  credentials: 'o adresă fără nume de utilizator și parolă; verificați semnătura în locul lor',
  port: 'o adresă fără port: trimitem numai la portul 443',
  fragment: 'o adresă fără „#”, care nu ar ajunge la server',
  'not public': 'o adresă cu un nume public: adresele din rețele private nu sunt permise',
  ip: 'o adresă cu un nume de domeniu, nu cu o adresă IP',
} as const;

/** While webhooks cannot be read or changed. */
export const WEBHOOKS_UNAVAILABLE_MESSAGES: Bilingual = {
  message: 'Webhookurile nu sunt disponibile în acest moment. Reveniți peste câteva secunde.',
  message_en: 'Webhooks are not available right now. Try again in a few seconds.',
};

/** The outcome of a posted review. */
export const REVIEW_MESSAGES = {
  published: 'Mulțumim! Evaluarea a fost publicată.',
  awaitsApproval: 'Mulțumim! Recenzia va apărea după ce este verificată.',
  unknownStation: (slug: string) =>
    `Stația „${displayable(slug)}” nu a fost găsită; în câmpul „statie_slug” se așteaptă ultima parte a adresei paginii stației.`,
  limited: `Prea multe recenzii de la această adresă: cel mult una pe zi pentru o stație și cel mult ${MAX_REVIEWS_PER_DAY} pe zi.`,
  challengesLimited: 'Prea multe cereri de la această adresă. Reveniți peste câteva secunde.',
  captcha: 'Verificarea captcha nu a reușit. Un comentariu sau un nume are nevoie de un „recaptcha_token” nou.',
  unavailable: 'Recenziile nu sunt disponibile în acest moment. Reveniți peste câteva secunde.',
} as const;

/** The outcome of a push subscription. */
export const PUSH_MESSAGES = {
  subscribed: 'Veți primi alertele de preț în acest browser.',
  noKey: 'Cheia publică pentru notificări nu este configurată.',
  unavailable: 'Abonarea la alerte nu este disponibilă în acest moment. Reveniți peste câteva secunde.',
} as const;

/** What is wrong with a body field, and what would be correct. */
export const FIELD_MESSAGES = {
  missing: (name: string, expected: string) => `Lipsește câmpul „${name}”; se așteaptă ${expected}.`,
  unknown: (name: string, known: readonly string[]) =>
    `Câmpul „${displayable(name)}” nu este cunoscut; câmpurile sunt: ${known.join(', ')}.`,
  wrong: (name: string, expected: string) => `Câmpul „${name}” are altă formă; se așteaptă ${expected}.`,
} as const;

/** What a parameter should have been; completes the sentence "se așteaptă …". */
export const EXPECTED_VALUES = {
  text: 'un text',
  textUpTo: (most: number) => `un text de cel mult ${most} de caractere`,
  integerBetween: (min: number, max: number) => `un număr întreg între ${min} și ${max}`,
  bytes: (count: number) => `${count} de octeți scriși în base64url`,
  pushService: 'adresa https a unui serviciu de notificări cunoscut',
  positive: 'un număr JSON mai mare decât 0',
  number: 'un număr zecimal scris cu punct, de exemplu 44.43',
  between: (min: number, max: number) => `un număr între ${min} și ${max}`,
  integerFrom: (min: number) => `un număr întreg, cel puțin ${min}`,
  cursor:
    'un cursor din fluxul modificărilor: „urmatorul” dintr-un răspuns, antetul Pompa-Cursor de la /api/v1/statii sau „acum”',
  boolean: 'true sau false',
  listOf: (values: readonly string[]) => `o listă cu cel puțin una dintre valorile ${values.join(', ')}`,
  objectOf: (fields: readonly string[]) => `un obiect cu câmpuri dintre ${fields.join(', ')}`,
  without: (field: string) => `„${displayable(field)}” nu este printre ele`,
  stationIds: (most: number) => `o listă de cel mult ${most} de valori ale câmpului „id” din /api/v1/statii`,
  listUpTo: (most: number) => `cel mult ${most} de valori, despărțite prin virgulă`,
  boundingBox:
    'patru numere despărțite prin virgulă, în grade: vest, sud, est, nord, cu vestul cel mult cât estul și sudul cel mult cât nordul, de exemplu 25.9,44.3,26.3,44.6',
  oneOf: (values: readonly string[]) => `una dintre valorile ${values.join(', ')}`,
  pointForDistance: 'ordinea după distanță are nevoie de un punct, „lat” și „lon”',
  bothCoordinates: 'filtrul geografic are nevoie de ambele coordonate, „lat” și „lon”',
} as const;

/** Code points of a sent text that a message repeats. */
const MAX_DISPLAYED = 40;

/** The sent text, safe to display: truncated, with hidden characters replaced by spaces. */
function displayable(sent: string): string {
  // A code point has at most two units, so this prefix contains enough of them.
  const plain = sent
    .slice(0, 2 * (MAX_DISPLAYED + 1))
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, ' ');
  const letters = [...plain];
  return letters.length > MAX_DISPLAYED ? `${letters.slice(0, MAX_DISPLAYED).join('')}…` : plain;
}

/** The page for an unknown address outside the API. */
export const NOT_FOUND_PAGE = `<!doctype html>
<html lang="ro"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>404</title>
<body><h1>Pagina nu există</h1><p>Adresa cerută nu duce nicăieri. <a href="${ROUTES.docs.ro}">Documentația</a></p>
<p lang="en">This page does not exist. <a href="${ROUTES.docs.en}">Documentation</a></p></body></html>
`;
