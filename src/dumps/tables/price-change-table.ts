/** Every change of a price that a source told. */
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { PriceChange } from '../../domain/prices/price-change.ts';
import { columnsOf, type Table } from '../table.ts';
import { ron } from './fuel-columns.ts';
import { knownDay } from './known-day.ts';

const { text, number, day, instant } = columnsOf<PriceChange>();

/** A new price, another price, a price that the source no longer has, and one that it has again. */
function kindOf({ before, after, isFirst }: PriceChange): string {
  if (after === null) return 'retras';
  if (before !== null) return 'pret';
  return isFirst ? 'nou' : 'revenit';
}

export const PRICE_CHANGE_TABLE: Table<PriceChange> = {
  name: 'modificari',
  title: { ro: 'Modificările de preț', en: 'Price changes' },
  about: {
    ro: 'Ce a schimbat fiecare sursă, în ordinea în care s-a văzut: un rând pentru fiecare modificare. Sunt prețurile sursei, înainte de verificare.',
    en: 'What each source changed, in the order in which it was seen: one row per change. These are the prices of the source, before they are judged.',
  },
  key: ['vazut_la', 'statie_id', 'tip', 'sursa'],
  columns: [
    instant(
      'vazut_la',
      { ro: 'când s-a văzut modificarea, UTC', en: 'when the change was seen, UTC' },
      ({ at }) => at,
      {
        required: true,
        ascending: true,
      },
    ),
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
        ro: '`nou` (primul preț), `pret` (alt preț), `retras` (sursa nu-l mai are) sau `revenit` (îl are din nou)',
        en: '`nou` (first price), `pret` (another price), `retras` (the source has none any more) or `revenit` (it has one again)',
      },
      kindOf,
      { required: true },
    ),
    number(
      'pret_vechi',
      { ro: 'prețul dinainte, lei pe litru; gol = nu avea', en: 'price before, RON per litre; empty = none' },
      ({ before }) => ron(before),
    ),
    number(
      'pret_nou',
      { ro: 'prețul de atunci, lei pe litru; gol = nu mai are', en: 'price from then on, RON per litre; empty = none' },
      ({ after }) => ron(after),
    ),
    day(
      'observat_zi',
      { ro: 'ziua prețului, după sursă', en: 'day of the price, by its source' },
      ({ observedDay }) => observedDay,
    ),
    text('sursa', { ro: 'sursa care a schimbat prețul', en: 'source that changed the price' }, ({ source }) => source, {
      required: true,
    }),
  ],
  sourceOf: ({ source }) => source,
};
