/** Rows of the register's answers, field by field as recorded. The JSON and XML writers leave out undefined fields. */
import { type DayNumber, dayText } from '../../domain/days.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';

/** A row of an answer, or a part of one. */
export type Row = Readonly<Record<string, unknown>>;

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

export type RegisterService = { readonly id: string; readonly name: string; readonly image: string };

/** The services catalogue, as far as it has been seen. */
export const SERVICES: readonly RegisterService[] = [
  { id: '1', name: 'Magazin', image: 'magazin' },
  { id: '2', name: 'Restaurant', image: 'restaurant' },
  { id: '5', name: 'Peaj', image: 'peaj' },
  { id: '7', name: 'Plati facturi, reincarcare electronica', image: 'facturi' },
];

export type RegisterNetwork = { readonly id: string; readonly name: string };

/** A network as it appears in every row. */
export function networkRow({ id, name }: RegisterNetwork): Row {
  return { id, name, logo: { logouri: `${IMAGES}/${id.toLowerCase()}.png` } };
}

/** A service as the catalogue lists it. */
export function catalogueServiceRow({ id, name, image }: RegisterService): Row {
  return { id, name, logo: { logouri: `${IMAGES}/${image}.png` } };
}

/** A service that a station offers. */
export function serviceRow(service: RegisterService, stationId: string): Row {
  return { ...catalogueServiceRow(service), stationid: stationId };
}

export type StationFields = {
  readonly id: string;
  readonly name: string;
  readonly updatedAt: string;
  readonly network: RegisterNetwork;
  readonly address: string;
  readonly zipcode: string;
  /** `null` = the register gives no place. */
  readonly location: Point | null;
  readonly unit: number;
  readonly contact: string | null;
};

export function stationRow({ id, name, updatedAt, network, location, ...station }: StationFields): Row {
  const place = location && {
    location: { Lat: location.lat, Lon: location.lng },
    wkt: `POINT(${location.lng} ${location.lat})`,
  };
  return {
    id,
    name,
    updatedate: updatedAt,
    network: networkRow(network),
    addr: {
      addrstring: station.address,
      zipcode: station.zipcode,
      ...place,
      uatid: String(station.unit),
      ...(station.contact !== null && { contactdetails: station.contact }),
    },
  };
}

export type ProductFields = {
  /** The operator's own code of the product. */
  readonly code: string;
  readonly stationId: string;
  readonly name: string;
  /** Usually RON per litre; `undefined` = left out. */
  readonly price: unknown;
  readonly specs: string | undefined;
  readonly distanceKm: number;
  readonly network: RegisterNetwork;
  readonly fuel: RoadFuel;
};

export function productRow({ code, stationId, name, price, specs, distanceKm, network, fuel }: ProductFields): Row {
  const catalogued = CATALOGUE.find((entry) => entry.fuel === fuel);
  return {
    id: code,
    stationid: stationId,
    name,
    price,
    ...(specs !== undefined && { specs }),
    distance: Number(distanceKm.toFixed(5)),
    network: networkRow(network),
    catprod: { id: catalogued?.id, name: catalogued?.name, logo: {} },
    logo: {},
  };
}

/** The GasItems envelope. */
export function itemsBody(
  stations: readonly unknown[],
  products: readonly unknown[],
  services: readonly unknown[] = [],
  area: readonly Point[] = [],
): Row {
  const points = area.map(({ lat, lng }) => ({ Lat: lat, Lon: lng }));
  return { Stations: stations, Products: products, services, area: { Points: points }, areawkt: '' };
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
