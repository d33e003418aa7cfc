/** The prices that are shown now, with their flags and sources. */
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { PriceVerdict } from '../../domain/prices/price-verdict.ts';
import type { StationRecord } from '../../snapshot/snapshot.ts';
import { columnsOf, type Table } from '../table.ts';
import { ron } from './fuel-columns.ts';
import { DOUBT_CODES } from './reason-codes.ts';
import type { DumpedStation } from './station-table.ts';

type PricedVerdict = Extract<PriceVerdict, { kind: 'trusted' | 'doubtful' }>;

/** A shown price at a station that the allowed sources describe. */
export type CurrentPrice = Pick<DumpedStation, 'station' | 'isPlaced'> &
  Pick<StationRecord, 'fuel'> & { readonly verdict: PricedVerdict };

const { text, number, flag, day, instant } = columnsOf<CurrentPrice>();

export const CURRENT_PRICE_TABLE: Table<CurrentPrice> = {
  name: 'preturi',
  title: { ro: 'Prețurile de acum', en: 'Current prices' },
  about: {
    ro: 'Prețurile afișate la ora fișierului, sigure și nesigure: un rând pentru fiecare stație și carburant.',
    en: 'The prices shown when the file was made, trusted and doubtful: one row for each station and fuel.',
  },
  key: ['statie_id', 'tip'],
  columns: [
    text('statie_id', { ro: 'identificatorul stației', en: 'id of the station' }, ({ station }) => station.id, {
      required: true,
      ascending: true,
    }),
    text('retea', { ro: 'numele rețelei', en: 'name of the network' }, ({ station }) => station.network.name, {
      required: true,
    }),
    text(
      'oras',
      { ro: 'localitatea, fără diacritice', en: 'town, without diacritics' },
      ({ station }) => station.city || null,
    ),
    text('judet', { ro: 'codul județului', en: 'code of the county' }, ({ station }) => station.county || null),
    number('lat', { ro: 'latitudinea, WGS84', en: 'latitude, WGS84' }, (row) =>
      row.isPlaced ? row.station.lat : null,
    ),
    number('lng', { ro: 'longitudinea, WGS84', en: 'longitude, WGS84' }, (row) =>
      row.isPlaced ? row.station.lng : null,
    ),
    text('tip', { ro: 'carburantul, ca în API', en: 'fuel, as in the API' }, ({ fuel }) => FUEL_CODE[fuel], {
      required: true,
    }),
    number('pret', { ro: 'prețul, lei pe litru', en: 'price, RON per litre' }, ({ verdict }) => ron(verdict.price), {
      required: true,
    }),
    flag(
      'nesigur',
      { ro: 'prețul nu contează în minime și medii', en: 'the price does not count in minimums and means' },
      ({ verdict }) => verdict.kind === 'doubtful',
      { required: true },
    ),
    text(
      'motiv_nesigur',
      {
        ro: 'de ce este nesigur: blocat, observatie_veche sau orfan_anpc',
        en: 'why it is doubtful: blocat (stuck), observatie_veche (old) or orfan_anpc (gone from the register)',
      },
      ({ verdict }) => (verdict.kind === 'doubtful' ? DOUBT_CODES[verdict.reason] : null),
    ),
    day(
      'observat_zi',
      { ro: 'ziua prețului, după sursă', en: 'day of the price, by its source' },
      ({ verdict }) => verdict.fact.observed?.day ?? null,
    ),
    instant(
      'observat_la',
      { ro: 'ora prețului, UTC, dacă sursa o dă', en: 'time of the price, UTC, if the source gives it' },
      ({ verdict }) => verdict.fact.observed?.at ?? null,
    ),
    instant(
      'citit_la',
      { ro: 'când a fost citită sursa ultima dată, UTC', en: 'when the source was last read, UTC' },
      ({ verdict }) => verdict.fact.readAt,
      {
        required: true,
      },
    ),
    text('sursa', { ro: 'sursa prețului', en: 'source of the price' }, ({ verdict }) => verdict.fact.source, {
      required: true,
    }),
  ],
  pointOf: ({ isPlaced, station: { lat, lng } }) => (isPlaced ? { lat, lng } : null),
  sourceOf: ({ verdict }) => verdict.fact.source,
};
