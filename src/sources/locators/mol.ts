/**
 * The station finder of MOL (`api.php`).
 *
 * | field of the feed                         | ours                                                        |
 * | ----------------------------------------- | ----------------------------------------------------------- |
 * | `code`                                    | `sourceId`                                                  |
 * | `brand`                                   | has to be MOL in one of its spellings                       |
 * | `stationStatus`                           | 1 in service, 4 closed for a while; others are left out     |
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
import { asRow, cleanText, type Row } from '../feed/fields.ts';
import { type FeedStation, type Refuse, readId, sample, unpriced } from '../feed/station-feed.ts';
import { nearRomania, readPlace } from '../feed/station-place.ts';
import { StationTexts } from '../feed/station-texts.ts';
import { LONGEST } from '../feed/texts.ts';
import type { AskOptions } from '../source.ts';
import { type Named, readMolFuels } from './mol-fuels.ts';
import { molHours } from './mol-hours.ts';

/** What asks for every station of the country. */
export const MOL_QUESTION: AskOptions = { json: '{"api":"stations","mode":"country","input":"RO"}' };

/** Statuses that MOL's own map shows: in service, and closed for a while. */
const SHOWN = new Set(['1', '4']);
const MOST_VALUES = 200;

/** Reads a row; `null` without an id, of another brand or country, and of a station that is closed or being built. */
export function readMolStation(row: Row, refuse: Refuse): FeedStation | null {
  const id = readId(row.code, refuse);
  if (id === null) return null;
  const point = readPlace(id, asRow(row.gpsPosition).latitude, asRow(row.gpsPosition).longitude, refuse);
  const reason = whyNot(row, point);
  if (reason !== null) {
    refuse(reason, sample(id, `${cleanText(row.brand)}, status ${cleanText(row.stationStatus)}`));
    return null;
  }
  const texts = new StationTexts(id, refuse);
  const services = values(id, row, 'services', refuse);
  const fuels = readMolFuels(values(id, row, 'fuelsAndAdditives', refuse), services, (name) =>
    refuse('unknown_fuel', sample(id, name)),
  );
  return {
    station: {
      sourceId: id,
      network: 'mol',
      brand: 'MOL',
      name: texts.text(row.name, LONGEST.name),
      address: texts.address(row.address, row.city),
      lat: point?.lat ?? null,
      lng: point?.lng ?? null,
      siruta: null,
      hours: texts.hours(molHours(asRow(row.openedHours))),
      services: texts.services([...services, ...values(id, row, 'gastroCategory', refuse)].map(({ name }) => name)),
      phone: texts.phone(row.phoneNum, row.mobileNum),
    },
    prices: unpriced(fuels),
  };
}

function whyNot(row: Row, point: { lat: number; lng: number } | null): string | null {
  const stated = networkOf(cleanText(row.brand));
  if (stated !== null && stated.slug !== 'mol') return 'other_brand';
  if (!SHOWN.has(cleanText(row.stationStatus))) return 'not_in_service';
  return point !== null && !nearRomania(point) ? 'other_country' : null;
}

function values(id: string, row: Row, field: string, refuse: Refuse): Named[] {
  const list = asRow(row[field]).values;
  if (list !== undefined && list !== null && !Array.isArray(list)) refuse('bad_list', sample(id, field));
  return (Array.isArray(list) ? list.slice(0, MOST_VALUES) : []).map((one) => ({
    id: cleanText(asRow(one).id),
    name: asRow(one).name,
  }));
}
