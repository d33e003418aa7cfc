/** The price list of a small network that the register lacks, for a source that has fallen silent. */
import { isoInstant } from '../../domain/days.ts';
import type { MilliPrice } from '../../domain/fuel.ts';
import type { Country } from './country.ts';
import { bucharestTime } from './simulated-prices.ts';
import { SIMULATED_MARK } from './station-names.ts';

/** A row of a price list. */
export type ListedPriceRow = {
  readonly station: string;
  readonly brand: string;
  readonly name: string;
  readonly address: string;
  readonly city: string;
  readonly county: string;
  readonly lat: number;
  readonly lng: number;
  readonly fuel: string;
  readonly price: number;
  readonly observed_at: string;
};

type ListedStation = Omit<ListedPriceRow, 'fuel' | 'price' | 'observed_at'>;

const BRAND = 'OSCAR';

const STATIONS: readonly ListedStation[] = [
  listed('iasi', 'Iași', 'IS', 'Calea Chisinaului nr. 27', 47.1398, 27.6142),
  listed('craiova', 'Craiova', 'DJ', 'Calea Severinului nr. 46', 44.3341, 23.7652),
  listed('oradea', 'Oradea', 'BH', 'Sos. Borsului nr. 40', 47.0782, 21.8874),
  listed('galati', 'Galați', 'GL', 'Str. Basarabiei nr. 61', 45.4461, 28.0294),
];

/** Every row of the list as published at an instant: standard petrol and diesel of four stations. */
export function listedPrices(country: Country, now: number): ListedPriceRow[] {
  const { day } = bucharestTime(now);
  const priceOf = (fuel: 'petrol' | 'diesel', by: MilliPrice) =>
    (country.levels.levelOn('PETROM', fuel, day) + by) / 1000;
  const observed_at = isoInstant(now);
  return STATIONS.flatMap((station) => [
    { ...station, fuel: 'benzina_standard', price: priceOf('petrol', -70), observed_at },
    { ...station, fuel: 'motorina_standard', price: priceOf('diesel', -90), observed_at },
  ]);
}

function listed(key: string, city: string, county: string, address: string, lat: number, lng: number): ListedStation {
  return {
    ...{ station: key, brand: BRAND, name: `Oscar ${city} ${SIMULATED_MARK}` },
    ...{ address: `${SIMULATED_MARK} ${address}`, city, county, lat, lng },
  };
}
