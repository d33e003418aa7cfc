/** The small tables for spreadsheets: prices of cities, networks and the country, from all sources. */
import { dayText } from '../../domain/days.ts';
import { FUEL_NAME, type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { CityPrices, NetworkPrices, Snapshot } from '../../snapshot/snapshot.ts';
import { type AnyTable, columnsOf, type Table } from '../table.ts';
import { fuelColumns, ron } from './fuel-columns.ts';

/** A row with the times of its snapshot. */
type Aged<Row> = Row & Pick<Snapshot, 'today' | 'updatedAt'>;
type NationalPrice = { readonly fuel: RoadFuel } & Readonly<Record<'min' | 'mean' | 'max', MilliPrice | null>>;

const cityColumns = columnsOf<Aged<CityPrices>>();
const CITY_TABLE: Table<Aged<CityPrices>> = {
  name: 'orase',
  title: { ro: 'Prețurile minime pe orașe', en: 'Lowest prices by city' },
  about: {
    ro: 'Cel mai mic preț sigur din fiecare oraș, cele mai mari orașe întâi.',
    en: 'The lowest trusted price in each city, largest cities first.',
  },
  key: ['slug'],
  columns: [
    ...ageColumns<CityPrices>(),
    cityColumns.text('oras', { ro: 'orașul, fără diacritice', en: 'city, without diacritics' }, ({ name }) => name, {
      required: true,
    }),
    cityColumns.text('slug', { ro: 'orașul, ca în adrese', en: 'the city, as in addresses' }, ({ slug }) => slug, {
      required: true,
    }),
    cityColumns.text('judet', { ro: 'codul județului', en: 'code of the county' }, ({ county }) => county, {
      required: true,
    }),
    cityColumns.number('lat', { ro: 'latitudinea, WGS84', en: 'latitude, WGS84' }, ({ lat }) => lat, {
      required: true,
    }),
    cityColumns.number('lng', { ro: 'longitudinea, WGS84', en: 'longitude, WGS84' }, ({ lng }) => lng, {
      required: true,
    }),
    ...fuelColumns<Aged<CityPrices>, RoadFuel>(
      ROAD_FUELS,
      { ro: 'prețul minim', en: 'lowest price' },
      ({ prices }, fuel) => prices[fuel],
    ),
  ],
};

const networkColumns = columnsOf<Aged<NetworkPrices>>();
const NETWORK_TABLE: Table<Aged<NetworkPrices>> = {
  name: 'retele',
  title: { ro: 'Prețurile medii pe rețele', en: 'Mean prices by network' },
  about: { ro: 'Media prețurilor sigure ale fiecărei rețele.', en: 'The mean of the trusted prices of each network.' },
  key: ['slug'],
  columns: [
    ...ageColumns<NetworkPrices>(),
    networkColumns.text('retea', { ro: 'numele rețelei', en: 'name of the network' }, ({ network }) => network.name, {
      required: true,
    }),
    networkColumns.text(
      'slug',
      { ro: 'rețeaua, ca în adrese', en: 'the network, as in addresses' },
      ({ network }) => network.slug,
      { required: true },
    ),
    ...fuelColumns<Aged<NetworkPrices>, RoadFuel>(
      ROAD_FUELS,
      { ro: 'prețul mediu', en: 'mean price' },
      ({ prices }, fuel) => prices[fuel],
    ),
  ],
};

const nationalColumns = columnsOf<Aged<NationalPrice>>();
const NATIONAL_TABLE: Table<Aged<NationalPrice>> = {
  name: 'national',
  title: { ro: 'Prețurile din țară', en: 'Prices of the country' },
  about: {
    ro: 'Minimul, media și maximul prețurilor sigure din țară.',
    en: 'The minimum, mean and maximum of the trusted prices of the country.',
  },
  key: ['tip'],
  columns: [
    ...ageColumns<NationalPrice>(),
    nationalColumns.text(
      'tip',
      { ro: 'carburantul, ca în API', en: 'fuel, as in the API' },
      ({ fuel }) => FUEL_CODE[fuel],
      { required: true },
    ),
    nationalColumns.text(
      'nume',
      { ro: 'numele carburantului', en: 'name of the fuel, in Romanian' },
      ({ fuel }) => FUEL_NAME[fuel].ro,
      { required: true },
    ),
    nationalColumns.number('min', { ro: 'prețul minim, lei pe litru', en: 'lowest price, RON per litre' }, ({ min }) =>
      ron(min),
    ),
    nationalColumns.number('mediu', { ro: 'prețul mediu, lei pe litru', en: 'mean price, RON per litre' }, ({ mean }) =>
      ron(mean),
    ),
    nationalColumns.number('max', { ro: 'prețul maxim, lei pe litru', en: 'highest price, RON per litre' }, ({ max }) =>
      ron(max),
    ),
  ],
};

/** The small tables, in the order in which they are described. */
export const AGGREGATE_TABLES: readonly AnyTable[] = [CITY_TABLE, NETWORK_TABLE, NATIONAL_TABLE];

/** Calls `use` with each small table, in that order, and its rows of a snapshot, made when they are read. */
export function mapAggregates<Result>(
  snapshot: Snapshot,
  use: <Row>(table: Table<Row>, rows: Iterable<Row>) => Result,
): Result[] {
  const { today, updatedAt, national } = snapshot;
  function* aged<Row>(rows: readonly Row[]): Generator<Aged<Row>, void, void> {
    for (const row of rows) yield { ...row, today, updatedAt };
  }
  return [
    use(CITY_TABLE, aged(snapshot.cities)),
    use(NETWORK_TABLE, aged(snapshot.networks)),
    use(NATIONAL_TABLE, aged(ROAD_FUELS.map((fuel) => ({ fuel, ...national[fuel] })))),
  ];
}

function ageColumns<Row>() {
  const { day, instant } = columnsOf<Aged<Row>>();
  return [
    day(
      'data',
      { ro: 'ziua pentru care sunt valabile prețurile', en: 'day of the prices' },
      ({ today }) => dayText(today),
      { required: true },
    ),
    instant(
      'actualizat_la',
      { ro: 'ultima citire a surselor, UTC', en: 'last reading of the sources, UTC' },
      ({ updatedAt }) => updatedAt,
    ),
  ];
}
