/** One row of Rompetrol's list → a station and its prices. */
import { FUELS, type Fuel, type MilliPrice, type PriceRanges } from '../../domain/fuel.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { StationDescription } from '../../domain/reports/observation.ts';
import { StationTexts } from '../feed/clean-station-texts.ts';
import { cleanId, type FeedObject } from '../feed/fields.ts';
import { lowestPrice, readPrice } from '../feed/price.ts';
import { readCoordinates } from '../feed/station-coordinates.ts';
import { type FeedStation, type ReportRejection, readId, sample, unpriced } from '../feed/station-feed.ts';
import { MAX_LENGTHS } from '../feed/texts.ts';
import type { SweepContext } from '../source.ts';
import { fuelOfName } from './fuels.ts';
import { type InfoWindow, type ProductItem, readInfoWindow } from './infowindow.ts';
import { isRomanian } from './is-romanian.ts';
import { type ClassifiedServices, classifyServices } from './rompetrol-services.ts';

const NETWORK = { network: 'rompetrol', brand: 'Rompetrol' };
const EMPTY_WINDOW: InfoWindow = { items: [], hours: '', phone: '' };
const MAX_IDS = 100;

/** Parses a row; `null` without an id, and for a station outside Romania. */
export function readRompetrolStation(
  row: FeedObject,
  reject: ReportRejection,
  { ranges }: SweepContext,
  gazetteer: Gazetteer,
): FeedStation | null {
  const id = readId(row.id, reject);
  if (id === null) return null;
  const window = readWindow(id, row.infowindow, reject);
  const county = new StationTexts(id, () => undefined).text(row.county, MAX_LENGTHS.name);
  const point = readCoordinates(id, row.lat, row.lng, reject);
  if (!isRomanian({ items: window.items, county, point }, gazetteer)) {
    reject('other_country', sample(id, county));
    return null;
  }
  const services = readServices(id, row.services, reject);
  const texts = new StationTexts(id, reject);
  const station: StationDescription = {
    sourceId: id,
    ...NETWORK,
    name: texts.text(row.name, MAX_LENGTHS.name),
    address: texts.address(row.address, row.city),
    lat: point?.lat ?? null,
    lng: point?.lng ?? null,
    siruta: null,
    hours: texts.hours(window.hours),
    services: texts.services(services.names),
    phone: texts.phone(window.phone),
  };
  const prices = readPrices(id, window.items, ranges, reject);
  return { station, prices: prices.length > 0 ? prices : unpriced(services.fuels) };
}

function readWindow(id: string, value: unknown, reject: ReportRejection): InfoWindow {
  const window = typeof value === 'string' && value.trim() !== '' ? readInfoWindow(value) : undefined;
  if (window === undefined) reject('no_infowindow', sample(id, value));
  else if (window === null) reject('bad_infowindow', sample(id, value));
  return window ?? EMPTY_WINDOW;
}

function readServices(id: string, value: unknown, reject: ReportRejection): ClassifiedServices {
  if (value !== undefined && value !== null && !Array.isArray(value)) reject('bad_services', sample(id, value));
  const ids = (Array.isArray(value) ? value.slice(0, MAX_IDS) : []).map((one) => cleanId(one) ?? '');
  const sorted = classifyServices(ids);
  for (const unknown of sorted.unknown) reject('unknown_service', sample(id, unknown));
  return sorted;
}

/** Several products of one fuel: the lowest price in range, as for the register. */
function readPrices(
  id: string,
  items: readonly ProductItem[],
  ranges: PriceRanges,
  reject: ReportRejection,
): FeedStation['prices'] {
  const byFuel = new Map<Fuel, (MilliPrice | null)[]>();
  for (const item of items) {
    const fuel = fuelOfName(item.name);
    const sampleText = sample(id, `${item.name} ${item.rawPrice}`);
    if (fuel === null) reject('unknown_fuel', sampleText);
    else
      byFuel.set(fuel, [...(byFuel.get(fuel) ?? []), readAmount(item, fuel, ranges, (why) => reject(why, sampleText))]);
  }
  return FUELS.filter((fuel) => byFuel.has(fuel)).map((fuel) => ({
    fuel,
    price: lowestPrice(byFuel.get(fuel) ?? [], fuel, ranges),
  }));
}

function readAmount(
  { price }: ProductItem,
  fuel: Fuel,
  ranges: PriceRanges,
  reject: (reason: string) => void,
): MilliPrice | null {
  const read = price.kind === 'ron' ? readPrice(price.amount, fuel, ranges) : { price: null, rejected: price.kind };
  if (read.rejected) reject(read.rejected);
  return read.price;
}
