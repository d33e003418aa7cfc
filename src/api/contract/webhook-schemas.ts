/** The schemas of webhooks: what the holder of a key makes, reads and changes. */
import type { Static } from 'typebox';
import { FUEL_CODES } from '../../domain/fuel-codes.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { Type } from '../../json/json-schema.ts';
import { CHANGE_CODES } from './change-schemas.ts';
import { described } from './localized-schema.ts';
import { countOf, nullable, oneOf, statusOk, strictObject } from './schema-parts.ts';

export const WEBHOOK_STATE_CODES = ['neverificat', 'activ', 'pauza', 'oprit'] as const;
export const STOP_CODES = ['refuzat', 'esecuri'] as const;
export const EVENT_CODES = ['ping', 'modificari', 'reluare'] as const;
export const DELIVERY_STATE_CODES = ['in_asteptare', 'livrata', 'renuntata'] as const;
export const FAILURE_CODES = [
  'adresa_negasita',
  'conexiune',
  'certificat',
  'timp_depasit',
  'redirectionare',
  'raspuns',
] as const;

const nullableWord = <const W extends string>(words: readonly W[], text: LocalizedText) =>
  Type.Unsafe<W | null>({ type: ['string', 'null'], enum: [...words, null], ...described(text) });
const instantOf = (text: LocalizedText) => Type.String({ format: 'date-time', ...described(text) });
const instantOrNull = (text: LocalizedText) => nullable.string(text, 'date-time');

/** The address of a webhook, in answers and in the body that makes one. */
export const URL_TEXT: LocalizedText = {
  ro: 'Adresa publică `https` la care trimitem, cu portul 443.',
  en: 'The public `https` address that we send to, on port 443.',
};
export const FILTER_TEXT: LocalizedText = {
  ro: 'Ce modificări se trimit; un câmp null sau absent nu lasă nimic deoparte.',
  en: 'Which changes are sent; a field that is null or absent leaves nothing out.',
};
export const KINDS_TEXT: LocalizedText = {
  ro: 'Felurile de modificări care se trimit, ca `fel` la `/modificari`.',
  en: 'The kinds of changes that are sent, as `fel` of `/modificari`.',
};
/** Each field of a filter, in both directions. */
export const FILTER_FIELD_TEXTS = {
  tip: {
    ro: 'Numai un carburant; lasă deoparte și stațiile care apar sau dispar.',
    en: 'Only one fuel; leaves out stations that come and go, too.',
  },
  judet: { ro: 'Numai stațiile unui județ, după codul auto.', en: 'Only stations of one county, by its plate code.' },
  oras: { ro: 'Numai stațiile unui oraș, după slug.', en: 'Only stations of one city, by its slug.' },
  brand: { ro: 'Numai stațiile unei rețele, după slug.', en: 'Only stations of one network, by its slug.' },
  statii: {
    ro: 'Numai aceste stații, după câmpul `id` din `/statii`.',
    en: 'Only these stations, by the field `id` of `/statii`.',
  },
} as const satisfies Record<string, LocalizedText>;

const FilterSchema = strictObject({
  tip: nullableWord(FUEL_CODES, FILTER_FIELD_TEXTS.tip),
  judet: nullable.string(FILTER_FIELD_TEXTS.judet),
  oras: nullable.string(FILTER_FIELD_TEXTS.oras),
  brand: nullable.string(FILTER_FIELD_TEXTS.brand),
  statii: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    ...described(FILTER_FIELD_TEXTS.statii),
  }),
});

export const WebhookSchema = strictObject(
  {
    id: Type.String(described({ ro: 'Numele lui în adrese.', en: 'Its name in paths.' })),
    url: Type.String({ format: 'uri', ...described(URL_TEXT) }),
    filtru: Type.Unsafe<Static<typeof FilterSchema>>({ ...FilterSchema, ...described(FILTER_TEXT) }),
    fel: Type.Array(
      oneOf(CHANGE_CODES, { ro: 'Un fel de modificare.', en: 'A kind of change.' }),
      described(KINDS_TEXT),
    ),
    stare: oneOf(WEBHOOK_STATE_CODES, {
      ro: '`neverificat`: nimic nu se trimite până la un test reușit; `activ`; `pauza`: oprit de dumneavoastră; `oprit`: de noi, cu `motiv_oprire`, până la un test reușit.',
      en: '`neverificat`: nothing is sent until a test succeeds; `activ`; `pauza`: paused by you; `oprit`: stopped by us, with `motiv_oprire`, until a test succeeds.',
    }),
    pauza: Type.Boolean(
      described({
        ro: 'Dacă l-ați pus în pauză. Cât timp `stare` este `neverificat` sau `oprit`, pauza contează abia după un test reușit.',
        en: 'Whether you paused it. While `stare` is `neverificat` or `oprit`, the pause counts only after a test succeeds.',
      }),
    ),
    motiv_oprire: nullableWord(STOP_CODES, {
      ro: 'De ce l-am oprit: `refuzat` = adresa a răspuns 410; `esecuri` = nicio livrare nu a reușit în 75 de ore; null = nu este oprit.',
      en: 'Why we stopped it: `refuzat` = the address answered 410; `esecuri` = no delivery succeeded for 75 hours; null = it is not stopped.',
    }),
    creat_la: instantOf({ ro: 'Când a fost creat, UTC.', en: 'When it was made, UTC.' }),
    verificat_la: instantOrNull({
      ro: 'Când a reușit primul test al acestei adrese, UTC; null = încă nu.',
      en: 'When the first test of this address succeeded, UTC; null = not yet.',
    }),
    oprit_la: instantOrNull({ ro: 'Când l-am oprit, UTC.', en: 'When we stopped it, UTC.' }),
    cursor: nullable.string({
      ro: 'Locul din fluxul modificărilor până la care s-a livrat; null = încă nimic.',
      en: 'The place in the feed of changes up to which everything is delivered; null = nothing yet.',
    }),
    secret_vechi_pana_la: instantOrNull({
      ro: 'Până când semnează și un secret dinainte, UTC; null = semnează numai cel nou.',
      en: 'Until when an earlier secret also signs, UTC; null = only the new one does.',
    }),
  },
  'Webhook',
  { ro: 'Webhookul.', en: 'The webhook.' },
);

const secret = Type.String({
  pattern: '^whsec_',
  ...described({
    ro: 'Secretul cu care verificați semnăturile. Se arată numai acum.',
    en: 'The secret that verifies signatures. It is shown only now.',
  }),
});

const DeliverySchema = strictObject(
  {
    id: Type.String(described({ ro: 'Antetul `webhook-id`.', en: 'The header `webhook-id`.' })),
    fel: oneOf(EVENT_CODES, {
      ro: 'Ce s-a trimis: câmpul `type` al corpului.',
      en: 'What was sent: `type` of the body.',
    }),
    stare: oneOf(DELIVERY_STATE_CODES, {
      ro: '`in_asteptare`: mai urmează o încercare; `livrata`; `renuntata`: nu se mai încearcă.',
      en: '`in_asteptare`: another try follows; `livrata`: delivered; `renuntata`: given up.',
    }),
    incercari: countOf({ ro: 'Câte încercări s-au făcut.', en: 'How many tries were made.' }),
    raspuns: nullable.integer({
      ro: 'Statusul HTTP al ultimului răspuns; null = nu a venit niciunul.',
      en: 'The HTTP status of the last answer; null = there was none.',
    }),
    esec: nullableWord(FAILURE_CODES, {
      ro: 'De ce a eșuat ultima încercare: `adresa_negasita` (DNS nu dă nicio adresă publică), `conexiune`, `certificat`, `timp_depasit` (15 s), `redirectionare` (nu o urmăm), `raspuns` (alt status decât 2xx); null = nu a eșuat.',
      en: 'Why the last try failed: `adresa_negasita` (DNS gives no public address), `conexiune` (connection), `certificat`, `timp_depasit` (15 s), `redirectionare` (never followed), `raspuns` (a status other than 2xx); null = it did not fail.',
    }),
    creata_la: instantOf({ ro: 'De când se încearcă, UTC.', en: 'Since when it is tried, UTC.' }),
    incercata_la: instantOrNull({ ro: 'Ultima încercare, UTC.', en: 'The last try, UTC.' }),
    urmatoarea_la: instantOrNull({
      ro: 'Următoarea încercare, UTC; null = nu mai urmează niciuna.',
      en: 'The next try, UTC; null = none follows.',
    }),
  },
  'Livrare',
  { ro: 'O livrare.', en: 'A delivery.' },
);

export const WebhookAnswerSchema = strictObject({ status: statusOk, webhook: WebhookSchema }, 'RaspunsWebhook');
export const WebhookMadeSchema = strictObject({ status: statusOk, webhook: WebhookSchema, secret }, 'WebhookCreat');
export const WebhooksSchema = strictObject(
  {
    status: statusOk,
    total: countOf({ ro: 'Câte are cheia.', en: 'How many the key has.' }),
    webhookuri: Type.Array(WebhookSchema, described({ ro: 'Cel mai vechi primul.', en: 'Oldest first.' })),
  },
  'Webhookuri',
);
export const DeliveriesSchema = strictObject(
  {
    status: statusOk,
    livrari: Type.Array(DeliverySchema, described({ ro: 'Cea mai nouă prima.', en: 'Newest first.' })),
  },
  'Livrari',
);
export const TestSchema = strictObject(
  {
    status: statusOk,
    reusit: Type.Boolean(described({ ro: 'Dacă adresa a răspuns 2xx.', en: 'Whether the address answered 2xx.' })),
    livrare: DeliverySchema,
    webhook: WebhookSchema,
  },
  'TestWebhook',
);
export const DeletedSchema = strictObject({ status: statusOk }, 'WebhookSters');

export type WebhookJson = Static<typeof WebhookSchema>;
export type DeliveryJson = Static<typeof DeliverySchema>;
