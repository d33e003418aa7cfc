/** The statuses other than 200, explained. Source: API contract, "Errors". */
import type { LocalizedText } from '../../domain/localized-text.ts';

type StatusDoc = {
  readonly status: string;
  readonly when: LocalizedText;
  /** Fields besides `status` and `message`. */
  readonly extraFields: LocalizedText;
};

const NONE: LocalizedText = { ro: '–', en: '–' };

export const STATUSES: readonly StatusDoc[] = [
  {
    status: '400',
    when: {
      ro: 'Un parametru sau un câmp este greșit (și `nan`, `inf`), un parametru este trimis de două ori sau cererea nu poate fi decodată.',
      en: 'A parameter or a field is wrong (`nan` and `inf` included), a parameter is sent twice, or the request cannot be decoded.',
    },
    extraFields: NONE,
  },
  {
    status: '401',
    when: {
      ro: 'A fost trimisă o cheie nevalidă sau revocată. Fără antetul `X-Api-Key` nu se răspunde niciodată cu 401 la aceste adrese. Nu repetați automat cererea.',
      en: 'A key was sent and is invalid or revoked. Without the header `X-Api-Key` these endpoints never answer 401. Do not retry automatically.',
    },
    extraFields: NONE,
  },
  {
    status: '403',
    when: {
      ro: 'Numai [`/review`](#review): textul are nevoie de un `recaptcha_token` valid, folosit o singură dată.',
      en: 'Only [`/review`](#review): text needs a valid `recaptcha_token`, which is good once.',
    },
    extraFields: NONE,
  },
  {
    status: '404',
    when: {
      ro: 'Județ necunoscut, stație necunoscută sau fără istoric.',
      en: 'Unknown county; unknown station or one without history.',
    },
    extraFields: NONE,
  },
  {
    status: '404, 410',
    when: {
      ro: 'Adresa nu există sub `/api/` ori a fost retrasă.',
      en: 'The path does not exist under `/api/`, or was retired.',
    },
    extraFields: { ro: '`message_en`, `docs`', en: '`message_en`, `docs`' },
  },
  {
    status: '405',
    when: {
      ro: 'Metodă nepermisă; antetul `Allow` le spune pe cele permise.',
      en: 'Method not allowed; the header `Allow` names those that are.',
    },
    extraFields: NONE,
  },
  {
    status: '413, 415',
    when: {
      ro: 'Corpul cererii are peste 16 KiB, respectiv nu este marcat ca JSON, sau este marcat ca fiind comprimat.',
      en: 'The body has more than 16 KiB, or is not marked as JSON, or is marked as compressed.',
    },
    extraFields: NONE,
  },
  {
    status: '414, 431',
    when: { ro: 'Adresa sau antetele cererii sunt prea mari.', en: 'The path or the request headers are too large.' },
    extraFields: NONE,
  },
  {
    status: '429',
    when: {
      ro: 'Fără cheie: cererea săptămânală a adresei a fost folosită. Antetele `Retry-After` și `Link` (`rel="payment"`, către planuri).',
      en: 'Without a key: the weekly request of the endpoint is used. Headers `Retry-After` and `Link` (`rel="payment"`, to the plans).',
    },
    extraFields: {
      ro: '`message_en`, `next_allowed`, `retry_after_seconds`, `upgrade_mesaj`, `upgrade_message`, `upgrade_url`, `upgrade_url_en`',
      en: '`message_en`, `next_allowed`, `retry_after_seconds`, `upgrade_mesaj`, `upgrade_message`, `upgrade_url`, `upgrade_url_en`',
    },
  },
  {
    status: '429',
    when: {
      ro: 'Cu cheie: cota lunară a fost consumată. Antetele `X-RateLimit-*` și `Retry-After`.',
      en: 'With a key: the monthly quota is used up. Headers `X-RateLimit-*` and `Retry-After`.',
    },
    extraFields: { ro: '`limit`, `upgrade_url`', en: '`limit`, `upgrade_url`' },
  },
  {
    status: '429',
    when: {
      ro: 'Cu cheie: prea multe cereri pe secundă sau pe minut; nu se scade din cota lunară. Antetul `Retry-After`.',
      en: 'With a key: too many requests per second or minute; not counted in the monthly quota. Header `Retry-After`.',
    },
    extraFields: { ro: '`retry_after_seconds`', en: '`retry_after_seconds`' },
  },
  {
    status: '429',
    when: {
      ro: 'Numai [`/review`](#review): limita zilnică a adresei IP. Antetul `Retry-After`.',
      en: 'Only [`/review`](#review): the daily limit of the IP address. Header `Retry-After`.',
    },
    extraFields: NONE,
  },
  {
    status: '429',
    when: {
      ro: 'Numai [`/de-statii`](#de-statii): prea multe cereri pe minut de la o adresă IP. Antetul `Retry-After`.',
      en: 'Only [`/de-statii`](#de-statii): too many requests per minute from one IP address. Header `Retry-After`.',
    },
    extraFields: NONE,
  },
  {
    status: '502, 503',
    when: {
      ro: 'Numai [`/de-statii`](#de-statii): sursa din Germania nu răspunde (502), ori serviciul nu este configurat sau nu o poate întreba acum (503).',
      en: 'Only [`/de-statii`](#de-statii): the German source does not answer (502), or is not configured or cannot be asked right now (503).',
    },
    extraFields: NONE,
  },
  {
    status: '500',
    when: {
      ro: 'O eroare a serviciului; mesajul are un cod de raportat.',
      en: 'An error of the service; the message carries a code to report.',
    },
    extraFields: NONE,
  },
  {
    status: '503',
    when: {
      ro: 'A fost trimisă o cheie care nu poate fi verificată acum; cheia nu este declarată nevalidă. Antetul `Retry-After: 30`.',
      en: 'A key was sent and cannot be verified right now; it is not declared invalid. Header `Retry-After: 30`.',
    },
    extraFields: { ro: '`message_en`, `retry_after_seconds`', en: '`message_en`, `retry_after_seconds`' },
  },
  {
    status: '503',
    when: {
      ro: 'Numai [`/reviews/{slug}`](#reviews) și [`/review`](#review): recenziile nu sunt disponibile acum.',
      en: 'Only [`/reviews/{slug}`](#reviews) and [`/review`](#review): reviews are not available right now.',
    },
    extraFields: NONE,
  },
  {
    status: '503',
    when: { ro: 'Numai [`/health`](#health): date degradate.', en: 'Only [`/health`](#health): degraded data.' },
    extraFields: { ro: 'aceleași câmpuri ca la 200', en: 'the same fields as with 200' },
  },
];
