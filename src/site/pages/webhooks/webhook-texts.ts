/** The texts of the page of webhooks. */
import type { WebhookNotice } from '../../../domain/billing/webhooks-view.ts';
import type { ChangeKind } from '../../../domain/changes/served-change.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { MAX_FILTER_STATIONS, MAX_WEBHOOKS, type WebhookDelivery } from '../../../domain/webhooks/webhook.ts';
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
  closed: text(
    'Cât timp cheia este închisă nu se trimite nimic; ce apare între timp se păstrează 30 de zile.',
    'While the key is closed nothing is sent; what comes meanwhile is kept for 30 days.',
  ),
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
  oldSecret: text(
    (until: string) => `Secretul dinainte semnează și el, până ${until}.`,
    (until: string) => `The earlier secret also signs, until ${until}.`,
  ),
  place: text('Livrat până la cursorul', 'Delivered up to the cursor'),
  test: text('Trimite un test', 'Send a test'),
  tryNow: text('Încearcă acum', 'Try now'),
  edit: text('Schimbă', 'Change'),
  save: text('Salvează', 'Save'),
  discard: text('Renunță', 'Discard'),
  newAddress: text(
    'O adresă nouă trebuie verificată din nou cu un test.',
    'A new address has to be verified again by a test.',
  ),
  pause: text('Pune în pauză', 'Pause'),
  resume: text('Reia trimiterea', 'Resume'),
  replayDay: text('Retrimite ultimele 24 de ore', 'Send the last 24 hours again'),
  cursor: text('Retrimite de la cursorul', 'Send again from the cursor'),
  cursorNow: text('„acum” sare peste ce așteaptă.', '“acum” (now) skips what is waiting.'),
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
  interrupted: text('întrerupt de o repornire a serviciului', 'interrupted by a restart of the service'),
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
  stationList: text(
    `Stații: adresele paginilor sau „id”, cel mult ${MAX_FILTER_STATIONS} (gol = toate)`,
    `Stations: addresses of their pages or “id”, up to ${MAX_FILTER_STATIONS} (empty = all)`,
  ),
  kindList: text('Ce se trimite', 'What is sent'),
  create: text('Creează webhookul', 'Make the webhook'),
};

export const WEBHOOK_NOTICE_TEXTS: Readonly<Record<WebhookNotice, LocalizedText>> = {
  changed: { ro: 'Webhookul este schimbat.', en: 'The webhook is changed.' },
  retried: { ro: 'Livrarea care aștepta se încearcă acum.', en: 'The delivery that was waiting is tried now.' },
  paused: { ro: 'Webhookul este în pauză.', en: 'The webhook is paused.' },
  resumed: { ro: 'Trimiterea continuă.', en: 'Sending goes on.' },
  replayed: { ro: 'Modificările se retrimit.', en: 'The changes are sent again.' },
  deleted: { ro: 'Webhookul este șters.', en: 'The webhook is deleted.' },
  renewed: {
    ro: 'Secretul era deja schimbat și a fost afișat o singură dată. Dacă nu l-ați copiat, cereți altul: cel dinainte semnează mai departe.',
    en: 'The secret was renewed already, and shown once. If you have no copy, ask for another: the earlier one goes on signing.',
  },
};

/** What is chosen with a kind of changes. */
export const KIND_TEXTS: Readonly<Record<ChangeKind, LocalizedText>> = {
  price: { ro: 'alt preț', en: 'another price' },
  withdrawn: { ro: 'preț retras', en: 'price withdrawn' },
  returned: { ro: 'preț revenit', en: 'price returned' },
  flag: { ro: 'preț devenit sigur sau nesigur', en: 'price now certain, or in doubt' },
  'station added': { ro: 'stație nouă', en: 'new station' },
  'station removed': { ro: 'stație dispărută', en: 'station gone' },
};

export const EVENT_TEXTS: Readonly<Record<WebhookDelivery['event'], LocalizedText>> = {
  ping: { ro: 'test', en: 'test' },
  changes: { ro: 'modificări', en: 'changes' },
  restart: { ro: 'flux luat de la capăt', en: 'feed begun anew' },
};
