/** Every change of a price that was served. */
import type { PublishedChange, PublishedPrice } from '../../domain/changes/published-change.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { columnsOf, type Table } from '../table.ts';
import { ron } from './fuel-columns.ts';
import { knownDay } from './known-day.ts';
import { REASON_CODES } from './reason-codes.ts';

const { text, number, day, instant } = columnsOf<PublishedChange>();

/** As in the feed of changes. */
const KIND_CODES: Readonly<Record<PublishedChange['kind'], string>> = {
  price: 'pret',
  withdrawn: 'retras',
  returned: 'revenit',
  flag: 'steag',
};

const reasonCode = ({ reason }: PublishedPrice) => (reason === null ? null : REASON_CODES[reason]);

export const SERVED_CHANGE_TABLE: Table<PublishedChange> = {
  name: 'servite',
  title: { ro: 'Modificările prețurilor servite', en: 'Changes of served prices' },
  about: {
    ro: 'Ce s-a schimbat în prețurile afișate, după verificare, în ordinea fluxului `/api/v1/modificari`: un rând pentru fiecare modificare a unui preț.',
    en: 'What changed in the prices shown, after they were judged, in the order of the feed `/api/v1/modificari`: one row per change of a price.',
  },
  key: ['nr'],
  columns: [
    number('nr', { ro: 'numărul de ordine al modificării', en: 'number of the change in order' }, ({ seq }) => seq, {
      required: true,
      ascending: true,
    }),
    instant('vazut_la', { ro: 'de când se afișează, UTC', en: 'since when it is shown, UTC' }, ({ at }) => at, {
      required: true,
      ascending: true,
    }),
    day('zi', { ro: 'aceeași, ca zi în București', en: 'the same as a day in Bucharest' }, ({ at }) => knownDay(at), {
      required: true,
      ascending: true,
    }),
    text('statie_id', { ro: 'identificatorul stației', en: 'id of the station' }, ({ station }) => station, {
      required: true,
    }),
    text('tip', { ro: 'carburantul, ca în API', en: 'fuel, as in the API' }, ({ fuel }) => FUEL_CODE[fuel], {
      required: true,
    }),
    text(
      'fel',
      {
        ro: '`pret` (alt preț), `retras` (nu mai există preț), `revenit` (există un preț unde nu era) sau `steag` (același preț, alt motiv)',
        en: '`pret` (another price), `retras` (no price any more), `revenit` (a price where there was none) or `steag` (the same price, another reason)',
      },
      ({ kind }) => KIND_CODES[kind],
      { required: true },
    ),
    number(
      'pret_vechi',
      { ro: 'prețul dinainte, lei pe litru; gol = nu era', en: 'price before, RON per litre; empty = none' },
      ({ before }) => ron(before.price),
    ),
    number(
      'pret_nou',
      {
        ro: 'prețul de atunci, lei pe litru; gol = nu mai este',
        en: 'price from then on, RON per litre; empty = none',
      },
      ({ after }) => ron(after.price),
    ),
    text(
      'motiv_vechi',
      {
        ro: 'de ce era nesigur sau lipsea prețul dinainte; gol = era sigur',
        en: 'why the price before was doubtful or missing; empty = it was trusted',
      },
      ({ before }) => reasonCode(before),
    ),
    text(
      'motiv',
      {
        ro: 'de ce este nesigur sau lipsește prețul de atunci, ca în API; gol = este sigur; `alta_sursa` = prețul este al unei surse care nu se publică aici',
        en: 'why the price from then on is doubtful or missing, as in the API; empty = it is trusted; `alta_sursa` = the price is of a source that is not published here',
      },
      ({ after }) => reasonCode(after),
    ),
    day(
      'observat_zi',
      { ro: 'ziua prețului nou, după sursă', en: 'day of the new price, by its source' },
      ({ observed }) => observed?.day ?? null,
    ),
    instant(
      'observat_la',
      { ro: 'ora prețului nou, UTC, dacă sursa o dă', en: 'time of the new price, UTC, if the source gives it' },
      ({ observed }) => observed?.at ?? null,
    ),
    text(
      'sursa',
      {
        ro: 'sursa prețului nou sau, unde nu este, a celui retras; gol = una dintre sursele publicate',
        en: 'source of the new price or, where there is none, of the withdrawn one; empty = one of the published sources',
      },
      ({ source }) => source,
    ),
  ],
  sourceOf: ({ source }) => source,
};
