/** The texts of the page of webhooks. */
import type { WebhookNotice } from '../../../domain/billing/webhooks-view.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import {
  type AddressFault,
  type DeliveryFailure,
  MAX_OLD_SECRETS,
  MAX_URL_LENGTH,
  MAX_WEBHOOKS,
  type StopReason,
  WEBHOOK_LIMITS,
  type WebhookAction,
  type WebhookDelivery,
} from '../../../domain/webhooks/webhook.ts';
import { text } from '../../html/text.ts';

export const WEBHOOK_TEXTS = {
  title: text('Webhookuri', 'Webhooks'),
  description: text('Modificările de preț, trimise la serverul dumneavoastră.', 'Price changes, sent to your server.'),
  lead: text(
    'Trimitem fiecare modificare de preț la o adresă a serverului dumneavoastră, semnată. Nu consumă nimic din cota lunară.',
    'We send each price change to an address of your server, signed. Nothing counts towards the monthly quota.',
  ),
  docs: text('Cum se primesc și se verifică', 'How to receive and verify them'),
  back: text('Înapoi în cont', 'Back to the account'),
  noKeys: text('Pentru webhookuri aveți nevoie de o cheie.', 'Webhooks need a key.'),
  none: text('Nu aveți încă niciun webhook.', 'You have no webhook yet.'),
  webhook: text(
    (id: string) => `Webhookul ${id}`,
    (id: string) => `Webhook ${id}`,
  ),
  ofKey: text(
    (key: string) => `Al cheii ${key}.`,
    (key: string) => `Of key ${key}.`,
  ),
  unverified: text(
    'Neverificat: nimic nu se trimite până când adresa nu răspunde 2xx la un test.',
    'Not verified: nothing is sent until the address answers a test with 2xx.',
  ),
  active: text('Activ: modificările se trimit.', 'Active: changes are sent.'),
  paused: text(
    'În pauză: ce apare acum se trimite când îl reluați, dacă nu trec peste 30 de zile.',
    'Paused: what comes now is sent when you resume it, unless that takes more than 30 days.',
  ),
  stopped: text(
    (since: string, why: string) => `Oprit de noi din ${since}: ${why}`,
    (since: string, why: string) => `Stopped by us on ${since}: ${why}`,
  ),
  stoppedUnknown: text('Oprit de noi.', 'Stopped by us.'),
  restart: text(
    'Reparați adresa, apoi trimiteți un test: dacă reușește, trimiterea continuă de unde a rămas.',
    'Mend the address, then send a test: if it succeeds, sending goes on where it stopped.',
  ),
  everything: text('Trimite toate modificările.', 'Sends all changes.'),
  only: text(
    (what: string) => `Trimite numai: ${what}.`,
    (what: string) => `Sends only: ${what}.`,
  ),
  stations: text(
    (count: number) => (count === 1 ? 'o stație' : `${count} stații alese`),
    (count: number) => (count === 1 ? 'one station' : `${count} chosen stations`),
  ),
  kinds: text(
    (count: number) => `${count} din 6 feluri de modificări`,
    (count: number) => `${count} of 6 kinds of changes`,
  ),
  oldSecret: text(
    (until: string) => `Secretul dinainte semnează și el, până ${until}.`,
    (until: string) => `The earlier secret also signs, until ${until}.`,
  ),
  test: text('Trimite un test', 'Send a test'),
  pause: text('Pune în pauză', 'Pause'),
  resume: text('Reia trimiterea', 'Resume'),
  replayDay: text('Retrimite ultimele 24 de ore', 'Send the last 24 hours again'),
  cursor: text('Retrimite de la cursorul', 'Send again from the cursor'),
  replay: text('Retrimite', 'Send again'),
  newSecret: text('Secret nou', 'New secret'),
  remove: text('Șterge', 'Delete'),
  removeQuestion: text(
    'Sigur? Nimic nu se mai trimite, iar secretul și livrările se șterg.',
    'Are you sure? Nothing is sent any more, and the secret and the deliveries are deleted.',
  ),
  removeNow: text('Da, șterge webhookul', 'Yes, delete the webhook'),
  keep: text('Nu, păstrează-l', 'No, keep it'),
  secretTitle: text('Secretul webhookului', 'The secret of the webhook'),
  secretAbout: text(
    'Copiați-l acum: nu îl mai putem afișa. Cu el verificați semnăturile.',
    'Copy it now: we cannot show it again. It verifies the signatures.',
  ),
  secretNext: text('Puneți-l pe server, apoi trimiteți un test.', 'Put it on your server, then send a test.'),
  secretOverlap: text('Cel dinainte semnează și el, încă 24 de ore.', 'The one before signs, too, for 24 hours.'),
  testDone: text('Testul a reușit: adresa este verificată.', 'The test succeeded: the address is verified.'),
  testFailed: text(
    (why: string) => `Testul nu a reușit: ${why}.`,
    (why: string) => `The test failed: ${why}.`,
  ),
  deliveries: text('Ultimele livrări', 'Last deliveries'),
  noDeliveries: text('Încă nu s-a trimis nimic.', 'Nothing was sent yet.'),
  when: text('când', 'when'),
  what: text('ce', 'what'),
  outcome: text('rezultat', 'outcome'),
  delivered: text(
    (status: string) => `livrat${status}`,
    (status: string) => `delivered${status}`,
  ),
  waiting: text('urmează să fie trimis', 'about to be sent'),
  failedOften: text(
    (tries: number, why: string) => `${tries === 1 ? 'o încercare' : `${tries} încercări`}: ${why}`,
    (tries: number, why: string) => `${tries === 1 ? 'one try' : `${tries} tries`}: ${why}`,
  ),
  next: text(
    (at: string) => `următoarea ${at}`,
    (at: string) => `next ${at}`,
  ),
  givenUp: text('nu se mai încearcă', 'given up'),
  newTitle: text('Un webhook nou', 'A new webhook'),
  full: text(
    `Aveți ${MAX_WEBHOOKS} webhookuri, cât sunt permise pentru o cheie. Ștergeți unul ca să faceți altul.`,
    `You have ${MAX_WEBHOOKS} webhooks, the most that a key may have. Delete one to make another.`,
  ),
  key: text('Cheia', 'Key'),
  url: text('Adresa https a serverului', 'The https address of your server'),
  fuel: text('Carburant', 'Fuel'),
  all: text('toate', 'all'),
  county: text('Județ (gol = toate)', 'County (empty = all)'),
  city: text('Oraș (gol = toate)', 'City (empty = all)'),
  network: text('Rețea (gol = toate)', 'Network (empty = all)'),
  create: text('Creează webhookul', 'Make the webhook'),
  api: text(
    'Prin API se aleg și stațiile și felurile de modificări.',
    'Over the API you may also choose stations and kinds of changes.',
  ),
};

export const WEBHOOK_NOTICE_TEXTS: Readonly<Record<WebhookNotice, LocalizedText>> = {
  paused: { ro: 'Webhookul este în pauză.', en: 'The webhook is paused.' },
  resumed: { ro: 'Trimiterea continuă.', en: 'Sending goes on.' },
  replayed: { ro: 'Modificările se retrimit.', en: 'The changes are sent again.' },
  deleted: { ro: 'Webhookul este șters.', en: 'The webhook is deleted.' },
  renewed: {
    ro: 'Secretul era deja schimbat și a fost afișat o singură dată. Dacă nu l-ați copiat, cereți altul: cel dinainte semnează mai departe.',
    en: 'The secret was renewed already, and shown once. If you have no copy, ask for another: the earlier one goes on signing.',
  },
};

export const STOP_TEXTS: Readonly<Record<StopReason, LocalizedText>> = {
  gone: { ro: 'adresa a răspuns 410.', en: 'the address answered 410.' },
  failing: { ro: 'nicio livrare nu a reușit în 75 de ore.', en: 'no delivery succeeded for 75 hours.' },
};

export const EVENT_TEXTS: Readonly<Record<WebhookDelivery['event'], LocalizedText>> = {
  ping: { ro: 'test', en: 'test' },
  changes: { ro: 'modificări', en: 'changes' },
  restart: { ro: 'flux luat de la capăt', en: 'feed begun anew' },
};

export const FAILURE_TEXTS: Readonly<Record<DeliveryFailure, LocalizedText>> = {
  'unknown host': { ro: 'numele serverului nu există în DNS', en: 'DNS has no such server' },
  'private address': { ro: 'numele duce într-o rețea privată', en: 'the name leads into a private network' },
  connection: { ro: 'serverul nu acceptă conexiunea', en: 'the server accepts no connection' },
  certificate: { ro: 'certificatul serverului nu este valid', en: 'the certificate of the server is not valid' },
  timeout: { ro: 'niciun răspuns în 15 secunde', en: 'no answer within 15 seconds' },
  redirect: { ro: 'serverul redirecționează, iar noi nu urmăm', en: 'the server redirects, which we do not follow' },
  status: { ro: 'serverul nu a răspuns 2xx', en: 'the server did not answer 2xx' },
};

export const ADDRESS_TEXTS: Readonly<Record<AddressFault, LocalizedText>> = {
  'too long': {
    ro: `Adresa poate avea cel mult ${MAX_URL_LENGTH} de caractere.`,
    en: `The address may have at most ${MAX_URL_LENGTH} characters.`,
  },
  'not an address': {
    ro: 'Scrieți o adresă completă, de exemplu https://exemplu.ro/pompa.',
    en: 'Enter a complete address, such as https://example.com/pompa.',
  },
  'not https': { ro: 'Adresa trebuie să înceapă cu https://.', en: 'The address must begin with https://.' },
  credentials: {
    ro: 'Adresa nu poate conține nume de utilizator și parolă: verificați semnătura.',
    en: 'The address may not have a user name and password: verify the signature.',
  },
  port: { ro: 'Trimitem numai la portul 443: scoateți portul.', en: 'We send to port 443 only: leave the port out.' },
  fragment: { ro: 'Scoateți ce urmează după „#”.', en: 'Leave out what follows “#”.' },
  'not public': {
    ro: 'Adresa trebuie să aibă un nume public; cele din rețele private nu sunt permise.',
    en: 'The address must have a public name; those of private networks are not allowed.',
  },
  ip: {
    ro: 'Adresa trebuie să aibă un nume de domeniu, nu IP.',
    en: 'The address must have a domain name, not an IP.',
  },
};

export const PROBLEM_TEXTS = {
  county: text('Județul nu este cunoscut.', 'The county is not known.'),
  network: text('Rețeaua nu este cunoscută.', 'The network is not known.'),
  city: text('Orașul nu este cunoscut.', 'The city is not known.'),
  cities: text(
    (slugs: string) => `Mai multe orașe se numesc așa; scrieți unul dintre: ${slugs}.`,
    (slugs: string) => `Several cities are called so; enter one of: ${slugs}.`,
  ),
  tooMany: WEBHOOK_TEXTS.full,
  tooManySecrets: text(
    `${MAX_OLD_SECRETS} secrete dinainte semnează încă, fiecare timp de 24 de ore. Folosiți-l pe cel mai nou sau așteptați.`,
    `${MAX_OLD_SECRETS} earlier secrets still sign, each for 24 hours. Use the newest, or wait.`,
  ),
  cursor: text(
    'Acesta nu este un cursor: copiați „pana_la” dintr-o livrare sau „urmatorul” din /modificari.',
    'This is no cursor: copy “pana_la” of a delivery or “urmatorul” of /modificari.',
  ),
  cursorGone: text(
    'Cursorul nu mai este valabil: citiți /statii din nou.',
    'The cursor is no longer valid: read /statii again.',
  ),
  noFeed: text(
    'Fluxul modificărilor nu este disponibil acum. Încercați peste câteva secunde.',
    'The feed of changes is not available right now. Try again in a few seconds.',
  ),
  limited: {
    change: text(
      `Prea multe schimbări: cel mult ${WEBHOOK_LIMITS.change} pe oră.`,
      `Too many changes: at most ${WEBHOOK_LIMITS.change} an hour.`,
    ),
    ping: text(
      `Prea multe teste: cel mult ${WEBHOOK_LIMITS.ping} pe oră.`,
      `Too many tests: at most ${WEBHOOK_LIMITS.ping} an hour.`,
    ),
    replay: text(
      `Prea multe retrimiteri: cel mult ${WEBHOOK_LIMITS.replay} pe oră.`,
      `Too many replays: at most ${WEBHOOK_LIMITS.replay} an hour.`,
    ),
  } satisfies Record<WebhookAction, LocalizedText>,
};
