/** What may be wrong with a form of the page of webhooks, in words. */
import type { WebhookProblem } from '../../../domain/billing/webhooks-view.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import {
  type AddressFault,
  type FilterFault,
  MAX_FILTER_STATIONS,
  MAX_OLD_SECRETS,
  MAX_URL_LENGTH,
  WEBHOOK_LIMITS,
  type WebhookAction,
} from '../../../domain/webhooks/webhook.ts';
import { text } from '../../html/text.ts';
import { WEBHOOK_TEXTS } from './webhook-texts.ts';

/** The problem in a sentence. */
export function problemText(problem: WebhookProblem, language: Language): string {
  switch (problem.kind) {
    case 'address':
      return ADDRESS_TEXTS[problem.fault][language];
    case 'filter':
      return filterText(problem.fault, language);
    case 'limited':
      return LIMITED_TEXTS[problem.action][language];
    default:
      return OTHER_TEXTS[problem.kind][language];
  }
}

function filterText({ field, choices }: FilterFault, language: Language): string {
  if (field === 'stations') return STATION_TEXT[language](choices[0] ?? '');
  return choices.length > 0 ? CITIES_TEXT[language](choices.join(', ')) : NAME_TEXTS[field][language];
}

const ADDRESS_TEXTS: Readonly<Record<AddressFault, LocalizedText>> = {
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

const NAME_TEXTS: Readonly<Record<Exclude<FilterFault['field'], 'stations'>, LocalizedText>> = {
  county: text('Județul nu este cunoscut.', 'The county is not known.'),
  network: text('Rețeaua nu este cunoscută.', 'The network is not known.'),
  city: text('Orașul nu este cunoscut.', 'The city is not known.'),
  'city in county': text('Orașul este în alt județ.', 'The city is in another county.'),
  kinds: text(
    'Cu un carburant ales nu se trimit stațiile care apar sau dispar: alegeți și alte feluri de modificări.',
    'With a fuel chosen, stations that come and go are not sent: choose other kinds of changes, too.',
  ),
};

const CITIES_TEXT = text(
  (slugs: string) => `Mai multe orașe se numesc așa; scrieți unul dintre: ${slugs}.`,
  (slugs: string) => `Several cities are called so; enter one of: ${slugs}.`,
);
const STATION_TEXT = text(
  (station: string) => `Stația „${station}” nu este cunoscută: copiați adresa paginii ei.`,
  (station: string) => `The station “${station}” is not known: copy the address of its page.`,
);

const OTHER_TEXTS: Readonly<Record<Exclude<WebhookProblem['kind'], 'address' | 'filter' | 'limited'>, LocalizedText>> =
  {
    'too many': WEBHOOK_TEXTS.full,
    'too many secrets': text(
      `${MAX_OLD_SECRETS} secrete dinainte semnează încă, fiecare timp de 24 de ore. Folosiți-l pe cel mai nou sau așteptați.`,
      `${MAX_OLD_SECRETS} earlier secrets still sign, each for 24 hours. Use the newest, or wait.`,
    ),
    'too many stations': text(
      `Alegeți cel mult ${MAX_FILTER_STATIONS} de stații.`,
      `Choose at most ${MAX_FILTER_STATIONS} stations.`,
    ),
    'no kind': text('Alegeți cel puțin un fel de modificări.', 'Choose at least one kind of changes.'),
    cursor: text(
      'Acesta nu este un cursor: copiați „pana_la” dintr-o livrare sau „urmatorul” din /modificari.',
      'This is no cursor: copy “pana_la” of a delivery or “urmatorul” of /modificari.',
    ),
    'cursor gone': text(
      'Cursorul nu mai este valabil: citiți /statii din nou.',
      'The cursor is no longer valid: read /statii again.',
    ),
    'no feed': text(
      'Fluxul modificărilor nu este disponibil acum. Încercați peste câteva secunde.',
      'The feed of changes is not available right now. Try again in a few seconds.',
    ),
  };

const LIMITED_TEXTS: Readonly<Record<WebhookAction, LocalizedText>> = {
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
};
