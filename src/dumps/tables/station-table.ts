/** The stations: what the allowed sources say of them, and when they did so first and last. */
import type { ServedStation } from '../../snapshot/snapshot.ts';
import { columnsOf, type Table } from '../table.ts';

/** A station, described by the allowed sources alone. */
export type DumpedStation = {
  readonly station: ServedStation;
  /** Whether it has coordinates of its own or at least those of its town. */
  readonly isPlaced: boolean;
  /** The source whose name, network and address these are. */
  readonly source: string;
  /** Its ids at the allowed sources, such as `register:R1009`, in order. */
  readonly sourceKeys: readonly string[];
  /** Days in Bucharest. */
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
};

const { text, number, flag, day } = columnsOf<DumpedStation>();

export const STATION_TABLE: Table<DumpedStation> = {
  name: 'statii',
  title: { ro: 'Benzinăriile', en: 'Fuel stations' },
  about: {
    ro: 'Toate benzinăriile știute vreodată, și cele dispărute: un rând pentru fiecare.',
    en: 'All stations ever known, closed ones included: one row each.',
  },
  key: ['statie_id'],
  columns: [
    text(
      'statie_id',
      {
        ro: 'identificatorul stabil, același ca în API și în celelalte tabele',
        en: 'stable id, as in the API and in the other tables',
      },
      ({ station }) => station.id,
      { required: true, ascending: true },
    ),
    text('retea', { ro: 'numele rețelei', en: 'name of the network' }, ({ station }) => station.network.name, {
      required: true,
    }),
    text(
      'retea_slug',
      { ro: 'rețeaua, ca în adrese', en: 'the network, as in addresses' },
      ({ station }) => station.network.slug,
      {
        required: true,
      },
    ),
    text(
      'nume',
      { ro: 'numele stației, dacă are unul', en: 'name of the station, if it has one' },
      ({ station }) => station.name,
    ),
    text(
      'adresa',
      { ro: 'adresa, cum o dă sursa', en: 'address, as its source gives it' },
      ({ station }) => station.address || null,
    ),
    text(
      'oras',
      { ro: 'localitatea, fără diacritice', en: 'town, without diacritics' },
      ({ station }) => station.city || null,
    ),
    text(
      'oras_slug',
      { ro: 'localitatea, ca în adrese', en: 'the town, as in addresses' },
      ({ station }) => station.citySlug || null,
    ),
    text(
      'judet',
      { ro: 'codul județului, ca la mașini', en: 'code of the county, as on number plates' },
      ({ station }) => station.county || null,
    ),
    number('lat', { ro: 'latitudinea, WGS84', en: 'latitude, WGS84' }, (row) =>
      row.isPlaced ? row.station.lat : null,
    ),
    number('lng', { ro: 'longitudinea, WGS84', en: 'longitude, WGS84' }, (row) =>
      row.isPlaced ? row.station.lng : null,
    ),
    flag(
      'coord_aproximative',
      { ro: 'coordonatele sunt ale localității', en: 'the coordinates are those of the town' },
      ({ station }) => station.approximateCoordinates,
      { required: true },
    ),
    flag(
      'coord_suspecte',
      {
        ro: 'coordonatele sursei nu se potrivesc cu localitatea',
        en: 'the coordinates of the source do not match the town',
      },
      ({ station }) => station.suspectCoordinates,
      { required: true },
    ),
    text(
      'program',
      { ro: 'programul, cum îl dă sursa', en: 'opening hours, as the source gives them' },
      ({ station }) => station.hours,
    ),
    text(
      'servicii',
      { ro: 'serviciile, separate prin `; `', en: 'services, separated by `; `' },
      ({ station: { services } }) => (services.length === 0 ? null : services.join('; ')),
    ),
    text('telefon', { ro: 'telefonul', en: 'telephone' }, ({ station }) => station.phone),
    text(
      'coduri_surse',
      {
        ro: 'identificatorii de la surse, `sursă:cod`, separați prin `; `',
        en: 'ids at the sources, `source:id`, separated by `; `',
      },
      ({ sourceKeys }) => sourceKeys.join('; '),
      { required: true },
    ),
    day(
      'prima_zi',
      { ro: 'ziua în care o sursă a numit-o prima dată', en: 'day on which a source first named it' },
      ({ firstSeen }) => firstSeen,
    ),
    day(
      'ultima_zi',
      { ro: 'ultima zi în care o sursă a avut-o', en: 'last day on which a source had it' },
      ({ lastSeen }) => lastSeen,
    ),
    text('sursa', { ro: 'sursa numelui și a adresei', en: 'source of the name and address' }, ({ source }) => source, {
      required: true,
    }),
  ],
  pointOf: ({ isPlaced, station: { lat, lng } }) => (isPlaced ? { lat, lng } : null),
  sourceOf: ({ source }) => source,
};
