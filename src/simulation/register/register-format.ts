/** Writes rows in the register's wire format, for tests: JSON as recorded, XML as its serializer makes it. */
import type { RoadFuel } from '../../domain/fuel.ts';
import { CATALOGUE_ID } from '../../sources/register/parsing/catalogue.ts';

type RegisterStation = {
  readonly id: string;
  readonly network: string;
  readonly unit: number;
  readonly lat: number;
  readonly lng: number;
};
type Json = Readonly<Record<string, unknown>>;

const LOGOS = 'http://register.example/Images';

/** A station row. `change` puts other fields in the place of the usual ones. */
export function stationRow({ id, network, unit, lat, lng }: RegisterStation, change: Json = {}): Json {
  return {
    id,
    name: `Statia ${id}`,
    updatedate: '20/11/2026 07:30 ',
    network: networkRow(network),
    addr: {
      addrstring: `Str. Principala nr. ${id}`,
      zipcode: '12',
      location: { Lat: lat, Lon: lng },
      wkt: `POINT(${lng} ${lat})`,
      uatid: String(unit),
    },
    ...change,
  };
}

/** A product row; `price` is whatever the register might send. */
export function productRow(
  stationid: string,
  network: string,
  fuel: RoadFuel,
  price: unknown,
  change: Json = {},
): Json {
  return {
    id: '02',
    stationid,
    name: `Produs ${fuel}`,
    price,
    specs: 'Carburant de calitate.',
    distance: 0.68405,
    network: networkRow(network),
    catprod: { id: String(CATALOGUE_ID[fuel]), name: fuel, logo: {} },
    logo: {},
    ...change,
  };
}

export function serviceRow(stationid: string, id: string, name: string): Json {
  return { id, name, logo: { logouri: `${LOGOS}/${id}.png` }, stationid };
}

/** The GasItems envelope. */
export function itemsBody(
  stations: readonly unknown[],
  products: readonly unknown[],
  services: readonly unknown[] = [],
  area: readonly { lat: number; lng: number }[] = [],
): Json {
  const points = area.map(({ lat, lng }) => ({ Lat: lat, Lon: lng }));
  return { Stations: stations, Products: products, services, area: { Points: points }, areawkt: '' };
}

/** The same body as the register's XML: capital names, members in alphabetical order, no prolog. */
export function asXml({ Stations, Products, services }: Json): string {
  const list = (name: string, row: string, rows: unknown) =>
    `<${name}>${(rows as Json[]).map((one) => `<${row}>${members(one)}</${row}>`).join('')}</${name}>`;
  return `<GasItems xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://schemas.datacontract.org/2004/07/pmonsvc.Models.Protos">${list('Products', 'GasProduct', Products)}${list('Services', 'GasServiceCatalog', services)}${list('Stations', 'GasStation', Stations)}</GasItems>`;
}

function members(row: Json): string {
  return Object.entries(row)
    .map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `<${name}>${isObject(value) ? members(value) : escaped(String(value))}</${name}>`)
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function networkRow(id: string): Json {
  return { id, name: `${id} S.R.L.`, logo: { logouri: `${LOGOS}/${id.toLowerCase()}.png` } };
}
