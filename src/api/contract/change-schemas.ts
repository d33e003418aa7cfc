/** The schemas of the feed of changes. */
import type { Static } from 'typebox';
import { FUEL_CODES } from '../../domain/fuel-codes.ts';
import { Type } from '../../json/json-schema.ts';
import { described } from './localized-schema.ts';
import {
  DOUBT_CODES,
  MISSING_CODES,
  nullable,
  nullablePrice,
  oneOf,
  romanianMessage,
  statusError,
  statusOk,
  strictObject,
} from './schema-parts.ts';

export const CHANGE_CODES = ['pret', 'retras', 'revenit', 'steag', 'statie_noua', 'statie_disparuta'] as const;

const REASON_CODES = [...new Set([...DOUBT_CODES, ...MISSING_CODES])];

const nullableWord = <const W extends string>(words: readonly W[], text: { ro: string; en: string }) =>
  Type.Unsafe<W | null>({ type: ['string', 'null'], enum: [...words, null], ...described(text) });

const CURSOR_TEXT = {
  ro: 'Locul în flux; opac, se trimite ca `dupa`.',
  en: 'Place in the feed; opaque, sent as `dupa`.',
};

export const ChangeSchema = strictObject(
  {
    cursor: Type.String(
      described({
        ro: 'Locul modificării în flux. Pentru a continua păstrați `urmatorul` sau `id` al evenimentului, nu acest câmp: numai acelea știu dacă `/statii` de la care ați pornit era înaintea fluxului.',
        en: 'Place of the change in the feed. To continue, store `urmatorul` or the `id` of the event, never this: only those know whether the `/statii` that you began with was ahead of the feed.',
      }),
    ),
    fel: oneOf(CHANGE_CODES, {
      ro:
        '`pret`: alt preț; `retras`: nu mai există preț; `revenit`: există un preț unde nu era; `steag`: același preț (sau tot niciunul), alt motiv; ' +
        '`statie_noua`, `statie_disparuta`: stația însăși, cu `tip` null.',
      en:
        '`pret`: another price; `retras`: no price any more; `revenit`: a price where there was none; `steag`: the same price (or still none), another reason; ' +
        '`statie_noua`, `statie_disparuta`: the station itself, with `tip` null.',
    }),
    statie_id: Type.String(described({ ro: 'Câmpul `id` din `/statii`.', en: 'The field `id` of `/statii`.' })),
    tip: nullableWord(FUEL_CODES, {
      ro: 'Carburantul; null numai când e vorba de stația însăși.',
      en: 'Fuel; null only when the station itself is meant.',
    }),
    pret_vechi: nullablePrice({ ro: 'Prețul servit înainte', en: 'Price served before' }),
    pret_nou: nullablePrice({ ro: 'Prețul servit de acum', en: 'Price served from now on' }),
    motiv_vechi: nullableWord(REASON_CODES, {
      ro: 'De ce era nesigur sau lipsea prețul dinainte; null = era de încredere.',
      en: 'Why the earlier price was doubtful or missing; null = it was trusted.',
    }),
    motiv: nullableWord(REASON_CODES, {
      ro: 'De ce este nesigur sau lipsește prețul de acum; null = este de încredere. `nu_se_vinde`: `/statii` nu mai are înregistrarea.',
      en: 'Why the price is doubtful or missing now; null = it is trusted. `nu_se_vinde`: `/statii` no longer has the record.',
    }),
    sursa: nullable.string({
      ro: 'Sursa prețului de acum; null = nu există preț.',
      en: 'Source of the price served now; null = there is none.',
    }),
    observat_la: nullable.string({
      ro: 'Când a observat sursa prețul, ca în `/statii`; null = necunoscut.',
      en: 'When the source observed the price, as in `/statii`; null = unknown.',
    }),
    vazut_la: Type.String({
      format: 'date-time',
      ...described({ ro: 'De când îl servim, UTC.', en: 'Since when we serve it, UTC.' }),
    }),
  },
  'Modificare',
);

export const ChangesSchema = strictObject(
  {
    status: statusOk,
    data: Type.String({
      format: 'date',
      ...described({
        ro: 'Ziua, în București, până la care sunt anunțate modificările.',
        en: 'The day, in Bucharest, up to which changes are told.',
      }),
    }),
    modificari: Type.Array(
      ChangeSchema,
      described({ ro: 'În ordine, cea mai veche prima.', en: 'In order, oldest first.' }),
    ),
    urmatorul: Type.String(
      described({
        ro: `${CURSOR_TEXT.ro} Trece și peste modificările lăsate deoparte de filtre: păstrați-l odată cu datele.`,
        en: `${CURSOR_TEXT.en} It also moves over changes that filters leave out: store it together with the data.`,
      }),
    ),
    la_zi: Type.Boolean(
      described({
        ro: 'Dacă după `urmatorul` nu mai urmează nimic deocamdată.',
        en: 'Whether nothing follows `urmatorul` for now.',
      }),
    ),
  },
  'Modificari',
);

export const EventStreamSchema = Type.String(
  described({
    ro: 'Evenimente `id: <cursor, de păstrat>` și `data: <Modificare ca JSON>`.',
    en: 'Events of `id: <cursor, to be stored>` and `data: <Modificare as JSON>`.',
  }),
);

export const CursorGoneSchema = strictObject(
  {
    status: statusError,
    message: romanianMessage,
    reia_de_la: Type.String(
      described({
        ro: 'Cel mai vechi cursor păstrat. Pentru starea de acum citiți `/statii` din nou și continuați cu antetul `Pompa-Cursor`.',
        en: 'The oldest cursor kept. For the present state read `/statii` again and continue from the header `Pompa-Cursor`.',
      }),
    ),
  },
  'CursorExpirat',
);

export type ChangeJson = Static<typeof ChangeSchema>;
