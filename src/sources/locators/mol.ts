/**
 * The station finder of MOL (`api.php`).
 *
 * | field of the feed                         | ours                                                        |
 * | ----------------------------------------- | ----------------------------------------------------------- |
 * | `code`                                    | `sourceId`                                                  |
 * | `brand`                                   | must be MOL in one of its spellings                         |
 * | `stationStatus`                           | 1 in service, 4 temporarily closed; others are left out     |
 * | `name`                                    | `name`                                                      |
 * | `address`, `city`                         | `address`, the town once                                     |
 * | `phoneNum`, else `mobileNum`              | `phone`                                                     |
 * | `gpsPosition.latitude`, `.longitude`      | `lat`, `lng`; far from Romania, the station is left out     |
 * | `openedHours`                             | `hours` (`mol-hours.ts`)                                    |
 * | `fuelsAndAdditives.values[]`              | fuels (`mol-fuels.ts`)                                      |
 * | `services.values[]`                       | `services` by name; an AdBlue pump among them is a fuel     |
 * | `gastroCategory.values[]`                 | `services` by name, after the others                        |
 */
import { networkOf } from '../../domain/stations/network.ts';
import { StationTexts } from '../feed/clean-station-texts.ts';
import { asObject, cleanText, type FeedObject } from '../feed/fields.ts';
import { isNearRomania, readCoordinates } from '../feed/station-coordinates.ts';
import { type FeedStation, type ReportRejection, readId, sample, unpriced } from '../feed/station-feed.ts';
import { MAX_LENGTHS } from '../feed/texts.ts';
import type { FetchOptions } from '../source.ts';
import { type NamedEntry, readMolFuels } from './mol-fuels.ts';
import { molHours } from './mol-hours.ts';

/** The request for every station in the country. */
export const MOL_REQUEST: FetchOptions = { json: '{"api":"stations","mode":"country","input":"RO"}' };

/** Statuses that MOL's own map shows: in service, and temporarily closed. */
const SHOWN_STATUSES = new Set(['1', '4']);
const MAX_VALUES = 200;

/**
 * Parses a row; `null` without an id, for another brand or country, and for a station that is closed or being built.
 */
export function readMolStation(row: FeedObject, reject: ReportRejection): FeedStation | null {
  const id = readId(row.code, reject);
  if (id === null) return null;
  const point = readCoordinates(id, asObject(row.gpsPosition).latitude, asObject(row.gpsPosition).longitude, reject);
  const reason = rejectionReason(row, point);
  if (reason !== null) {
    reject(reason, sample(id, `${cleanText(row.brand)}, status ${cleanText(row.stationStatus)}`));
    return null;
  }
  const texts = new StationTexts(id, reject);
  const services = values(id, row, 'services', reject);
  // Every station has one: without it the format has changed, and "petrol and diesel" would be a guess.
  if (row.fuelsAndAdditives === undefined) reject('no_fuel_list', sample(id, Object.keys(row).join(' ')));
  const fuels = readMolFuels(values(id, row, 'fuelsAndAdditives', reject), services, (name) =>
    reject('unknown_fuel', sample(id, name)),
  );
  return {
    station: {
      sourceId: id,
      network: 'mol',
      brand: 'MOL',
      name: texts.text(row.name, MAX_LENGTHS.name),
      address: texts.address(row.address, row.city),
      lat: point?.lat ?? null,
      lng: point?.lng ?? null,
      siruta: null,
      hours: texts.hours(molHours(asObject(row.openedHours))),
      services: texts.services([...services, ...values(id, row, 'gastroCategory', reject)].map(({ name }) => name)),
      phone: texts.phone(row.phoneNum, row.mobileNum),
    },
    prices: unpriced(fuels),
  };
}

function rejectionReason(row: FeedObject, point: { lat: number; lng: number } | null): string | null {
  const stated = networkOf(cleanText(row.brand));
  if (stated !== null && stated.slug !== 'mol') return 'other_brand';
  if (!SHOWN_STATUSES.has(cleanText(row.stationStatus))) return 'not_in_service';
  return point !== null && !isNearRomania(point) ? 'other_country' : null;
}

function values(id: string, row: FeedObject, field: string, reject: ReportRejection): NamedEntry[] {
  const list = asObject(row[field]).values;
  if (list !== undefined && list !== null && !Array.isArray(list)) reject('bad_list', sample(id, field));
  return (Array.isArray(list) ? list.slice(0, MAX_VALUES) : []).map((one) => ({
    id: cleanText(asObject(one).id),
    name: asObject(one).name,
  }));
}
