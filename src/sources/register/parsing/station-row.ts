/** One station row of the register. */

import type { StationDescription } from '../../../domain/reports/observation.ts';
import { type Network, networkOf } from '../../../domain/stations/network.ts';
import { asObject, cleanId, cleanText, type FeedObject, validCoordinates } from '../../feed/fields.ts';
import { readContact } from './contact.ts';

type ReportRowRejection = (reason: string, sample: unknown) => void;

/** The station without its services, which come in a separate list; `null` if it cannot be identified. */
export function readStation(value: unknown, reject: ReportRowRejection): StationDescription | null {
  const row = asObject(value);
  const sourceId = cleanId(row.id);
  if (sourceId === null) return rejected(reject, 'no_station_id', value);
  const network = readNetwork(row.network);
  if (network === null) return rejected(reject, 'no_network', value);
  const address = asObject(row.addr);
  const point = readPoint(address);
  if (!point) reject('bad_coordinates', { id: sourceId, location: address.location, wkt: address.wkt });
  const siruta = readSiruta(address.uatid);
  if (siruta === null) reject('bad_unit', { id: sourceId, uatid: address.uatid });
  return {
    sourceId,
    network: network.slug,
    brand: network.name,
    name: cleanText(row.name),
    address: cleanText(address.addrstring),
    lat: point?.lat ?? null,
    lng: point?.lng ?? null,
    siruta,
    services: [],
    ...readContact(address.contactdetails),
  };
}

/** The network, by its id; by its name (or a bare text) if the id is empty. */
export function readNetwork(value: unknown): Network | null {
  if (typeof value === 'string') return networkOf(cleanText(value));
  const { id, name } = asObject(value);
  const key = cleanText(id);
  return networkOf(/\p{L}/u.test(key) ? key : cleanText(name));
}

/** The id with which a request can filter by this network. */
export function networkId(station: unknown): string | null {
  const id = cleanId(asObject(asObject(station).network).id);
  return id !== null && !id.includes(',') ? id : null;
}

/** Degrees as given, anywhere on Earth; a later rule judges whether they are plausible. */
function readPoint(address: FeedObject): { lat: number; lng: number } | null {
  const location = asObject(address.location);
  const wkt = typeof address.wkt === 'string' ? /^\s*POINT\s*\(\s*(\S+)\s+(\S+)\s*\)\s*$/i.exec(address.wkt) : null;
  return validCoordinates(location.Lat, location.Lon) ?? validCoordinates(wkt?.[2], wkt?.[1]);
}

function readSiruta(value: unknown): number | null {
  const text = cleanText(value);
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null;
}

function rejected(reject: ReportRowRejection, reason: string, sample: unknown): null {
  reject(reason, sample);
  return null;
}
