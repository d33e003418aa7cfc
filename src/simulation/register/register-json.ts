/** Gas items in the register's JSON: fragments made once, with the date, price and distance of the moment put in. */
import { type DayNumber, dayText } from '../../domain/days.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';
import { type NetworkId, networkProfile } from '../country/networks.ts';
import { anomalyOf } from '../country/prices.ts';
import type { SimulatedStation } from '../country/station.ts';

const IMAGES = 'http://monitorulpreturilor.info/MonitorulPreturilor/Images';

/** The fuel catalogue. Electric charging is in it, but nobody sells it in the simulated country. */
export const CATALOGUE: readonly { id: string; name: string; fuel: RoadFuel | null }[] = [
  { id: '11', name: 'Benzină standard', fuel: 'petrol' },
  { id: '12', name: 'Benzină premium', fuel: 'petrol_premium' },
  { id: '21', name: 'Motorină standard', fuel: 'diesel' },
  { id: '22', name: 'Motorină premium', fuel: 'diesel_premium' },
  { id: '31', name: 'GPL', fuel: 'lpg' },
  { id: '41', name: 'Încărcare Electrică', fuel: null },
];

/** The services catalogue, as far as it has been seen. */
export const SERVICES: readonly { id: string; name: string; logo: { logouri: string } }[] = [
  { id: '1', name: 'Magazin', logo: { logouri: `${IMAGES}/magazin.png` } },
  { id: '2', name: 'Restaurant', logo: { logouri: `${IMAGES}/restaurant.png` } },
  { id: '5', name: 'Peaj', logo: { logouri: `${IMAGES}/peaj.png` } },
  { id: '7', name: 'Plati facturi, reincarcare electronica', logo: { logouri: `${IMAGES}/facturi.png` } },
];

/** A network as it stands in every item. */
export function networkJson(id: NetworkId): { id: string; name: string; logo: { logouri: string } } {
  return { id, name: networkProfile(id).name, logo: { logouri: `${IMAGES}/${id.toLowerCase()}.png` } };
}

/** One product record of an answer; `price` is RON a litre, `null` = the field is left out. */
export type ProductRecord = {
  readonly fragments: StationFragments;
  readonly product: JsonTemplate;
  readonly km: number;
  readonly price: number | null;
};

/** JSON text around the one or two values that change. */
type JsonTemplate = { readonly head: string; readonly middle: string; readonly tail: string };

/** A station's JSON, ready but for the values of the moment. */
export type StationFragments = {
  readonly station: SimulatedStation;
  readonly record: JsonTemplate;
  readonly services: string;
  /** Products by fuel: one, or two where an operator lists two products of one fuel. */
  readonly products: ReadonlyMap<RoadFuel, readonly JsonTemplate[]>;
};

/** Makes the fragments of a station. */
export function fragmentsOf(station: SimulatedStation): StationFragments {
  const { id } = station;
  const own = SERVICES.filter((service) => station.services.includes(service.id));
  return {
    station,
    record: toTemplate(stationRecord(station)),
    services: own.map((service) => JSON.stringify({ ...service, stationid: id })).join(','),
    products: new Map(station.fuels.map((fuel) => [fuel, productRecords(station, fuel).map(toTemplate)])),
  };
}

/** The body of an answer: distinct stations by id, products in the given order, services of those stations. */
export function gasItems(
  products: readonly ProductRecord[],
  dateOf: (station: SimulatedStation) => string,
  area: readonly Point[],
): string {
  const stations = [...new Set(products.map(({ fragments }) => fragments))].sort((a, b) =>
    a.station.id < b.station.id ? -1 : 1,
  );
  const stationTexts = stations.map(
    ({ station, record }) => record.head + dateOf(station) + record.middle + record.tail,
  );
  const productTexts = products.map(({ product, km, price }) => {
    const priced = price === null ? '' : `"price":${price},`;
    return product.head + priced + product.middle + km.toFixed(5) + product.tail;
  });
  const serviceTexts = stations.map(({ services }) => services).filter((text) => text !== '');
  const points = JSON.stringify(area.map(({ lat, lng }) => ({ Lat: lat, Lon: lng })));
  const lists = `"Stations":[${stationTexts}],"Products":[${productTexts}],"services":[${serviceTexts}]`;
  return `{${lists},"area":{"Points":${points}},"areawkt":""}`;
}

const dates = new Map<DayNumber, string>();

/** The register's spelling of a report's time: `dd/MM/yyyy HH:mm `, trailing space, Bucharest's wall clock. */
export function reportTimeText(day: DayNumber, minute: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    date = dayText(day).split('-').reverse().join('/');
    dates.set(day, date);
  }
  return `${date} ${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)} `;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** Stands where a value of the moment comes; no name or address holds a control character. */
const PLACEHOLDER = '\u0001';
const PLACEHOLDER_TEXT = JSON.stringify(PLACEHOLDER).slice(1, -1);
const PRICE_PLACEHOLDER = `"price":"${PLACEHOLDER_TEXT}",`;
const DISTANCE_PLACEHOLDER = `"${PLACEHOLDER_TEXT}"`;

function stationRecord({ id, name, network, ...station }: SimulatedStation): object {
  const { address, zipcode, declared, siruta, contact } = station;
  const place = declared && {
    location: { Lat: declared.lat, Lon: declared.lng },
    wkt: `POINT(${declared.lng} ${declared.lat})`,
  };
  return {
    id,
    name,
    updatedate: PLACEHOLDER,
    network: networkJson(network),
    addr: {
      addrstring: address,
      zipcode,
      ...place,
      uatid: String(siruta),
      ...(contact !== null && { contactdetails: contact }),
    },
  };
}

function productRecords(station: SimulatedStation, fuel: RoadFuel): object[] {
  const { code, name, specs } = networkProfile(station.network).products[fuel];
  const catalogued = CATALOGUE.find((entry) => entry.fuel === fuel);
  const record = {
    id: code,
    stationid: station.id,
    name,
    price: PLACEHOLDER,
    ...(specs !== undefined && { specs }),
    distance: PLACEHOLDER,
    network: networkJson(station.network),
    catprod: { id: catalogued?.id, name: catalogued?.name, logo: {} },
    logo: {},
  };
  if (!anomalyOf(station, 'two-products', fuel)) return [record];
  return [{ ...record, id: `${code}B`, name: `${name} aditivata` }, record];
}

function toTemplate(record: object): JsonTemplate {
  const text = JSON.stringify(record);
  const atPrice = text.indexOf(PRICE_PLACEHOLDER);
  if (atPrice === -1) {
    const [head = '', tail = ''] = text.split(PLACEHOLDER_TEXT);
    return { head, middle: tail, tail: '' };
  }
  const [middle = '', tail = ''] = text.slice(atPrice + PRICE_PLACEHOLDER.length).split(DISTANCE_PLACEHOLDER);
  return { head: text.slice(0, atPrice), middle, tail };
}
