/**
 * The station finder of OMV and Petrom (WIGeoGIS `getresults.php`).
 *
 * | field of the feed                     | ours                                                            |
 * | ------------------------------------- | --------------------------------------------------------------- |
 * | `sid`                                 | `sourceId`, `RO.1542.8`                                         |
 * | `national_code`, else the `sid`'s beginning | whether the station is in Romania                         |
 * | `brand_id`                            | must be the requested brand                                     |
 * | `address_l`, `town_l`                 | `address`, the town once                                         |
 * | `telnr`                               | `phone`; `NO TELEPHONE` is none                                 |
 * | `open_hours` (OSM), else `opening_hours` | `hours`, as given                                            |
 * | `x`                                   | `lng`: x is the longitude                                       |
 * | `y`                                   | `lat`                                                           |
 * | `mm_95`, `mm_super_100`, `product_lpg`, `adblue_pump` | fuels, where a row has them                     |
 * | `shop`, `viva`, `carwash_boxes`, `ladestation`, `open_24_hours` | services, where a row has them        |
 *
 * Stations have no names here. Diesel has no field of its own: every station is assumed to sell it, and petrol too
 * unless `mm_95` says no.
 */
import type { Fuel } from '../../domain/fuel.ts';
import { networkOf } from '../../domain/stations/network.ts';
import { StationTexts } from '../feed/clean-station-texts.ts';
import { cleanText, type FeedObject } from '../feed/fields.ts';
import { isNearRomania, readCoordinates } from '../feed/station-coordinates.ts';
import {
  type FeedStation,
  type ReportRejection,
  readId,
  type StationFeed,
  sample,
  unpriced,
} from '../feed/station-feed.ts';
import type { FetchOptions } from '../source.ts';

type WigeogisBrand = 'OMV' | 'PETROM';

const FUEL_FIELDS: readonly (readonly [field: string, fuel: Fuel])[] = [
  ['mm_super_100', 'petrol_premium'],
  ['product_lpg', 'lpg'],
  ['adblue_pump', 'adblue'],
];
const SERVICE_FIELDS: readonly (readonly [field: string, name: string])[] = [
  ['open_24_hours', 'Non-stop'],
  ['shop', 'Magazin'],
  ['viva', 'VIVA'],
  ['carwash_boxes', 'Spălătorie auto'],
  ['ladestation', 'Încărcare electrică'],
];

/** The form that asks for every station of a brand in Romania. */
export function wigeogisRequest(brand: WigeogisBrand): FetchOptions {
  return { form: { CTRISO: 'ROU', BRAND: brand, VEHICLE: 'CAR', MODE: 'NEXTDOOR', ANZ: '1000' } };
}

/** Parses rows of this brand; it rejects rows of another brand or country. */
export function wigeogisReader(brand: WigeogisBrand): StationFeed['read'] {
  return (row, reject) => readStation(brand, row, reject);
}

function readStation(brand: WigeogisBrand, row: FeedObject, reject: ReportRejection): FeedStation | null {
  const id = readId(row.sid, reject);
  const network = networkOf(brand);
  if (id === null || network === null) return null;
  const stated = networkOf(cleanText(row.brand_id));
  if (stated !== null && stated.slug !== network.slug) return rejected(reject, 'other_brand', sample(id, row.brand_id));
  const point = readCoordinates(id, row.y, row.x, reject);
  const country = countryOf(id, row);
  if (country === null ? point !== null && !isNearRomania(point) : !/^(?:RO|ROU)$/i.test(country)) {
    return rejected(reject, 'other_country', sample(id, row.national_code));
  }
  const texts = new StationTexts(id, reject);
  return {
    station: {
      sourceId: id,
      network: network.slug,
      brand: network.name,
      name: '',
      address: texts.address(row.address_l, row.town_l),
      lat: point?.lat ?? null,
      lng: point?.lng ?? null,
      siruta: null,
      hours: texts.hours(row.open_hours) ?? texts.hours(row.opening_hours),
      services: SERVICE_FIELDS.filter(([field]) => isYes(row[field])).map(([, name]) => name),
      phone: texts.phone(row.telnr),
    },
    prices: unpriced(fuelsOf(row)),
  };
}

/** The country as stated; `null` if the row does not state it. */
function countryOf(id: string, row: FeedObject): string | null {
  const stated = cleanText(row.national_code, 20);
  return stated === '' ? (/^([A-Z]{2})\./.exec(id)?.[1] ?? null) : stated;
}

function fuelsOf(row: FeedObject): Fuel[] {
  const named = FUEL_FIELDS.filter(([field]) => isYes(row[field])).map(([, fuel]) => fuel);
  return [...(isNo(row.mm_95) ? [] : (['petrol'] as const)), 'diesel', ...named];
}

/** Flags are 1 and 0, as numbers or texts; `ladestation` holds the power in kW. */
function isYes(value: unknown): boolean {
  return value === true || /^[1-9]\d{0,3}$/.test(cleanText(value, 20));
}

function isNo(value: unknown): boolean {
  return value === false || cleanText(value, 20) === '0';
}

function rejected(reject: ReportRejection, reason: string, words: string): null {
  reject(reason, words);
  return null;
}
