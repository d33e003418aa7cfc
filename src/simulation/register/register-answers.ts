/** The simulated register's answer to each call: status and body, as observed from the real one. */
import { distanceKm, KM_PER_DEGREE, type Point } from '../../domain/point.ts';
import type { BucharestTime } from '../country/simulated-prices.ts';
import type { RegisterContents, RegisteredStation } from './register-contents.ts';
import { CATALOGUE, catalogueServiceRow, itemsBody, networkRow, type Row, SERVICES } from './register-rows.ts';

/** One answer; `root` is the root element for XML, `null` = an error. */
export type RegisterAnswer = { readonly status: number; readonly body: unknown; readonly root: string | null };

/** The register silently sends no more records than this. */
const MAX_RECORDS = 50;
/** A search around a point silently finds nothing if its radius is larger than this many metres. */
const LARGEST_BUFFER = 5_000;
const AREA_CORNERS = 200;

/** A station that an answer may contain, and its distance from the requested point. */
type StationAtDistance = { readonly station: RegisteredStation; readonly km: number };

/** Answers calls from contents that depend only on the time. */
export class RegisterAnswers {
  readonly #contents: RegisterContents;
  readonly #byUnit: ReadonlyMap<number, readonly StationAtDistance[]>;

  constructor(contents: RegisterContents) {
    this.#contents = contents;
    const found = Map.groupBy(contents.stations, ({ unit }) => unit);
    this.#byUnit = new Map([...found].map(([unit, own]) => [unit, byDistance(contents.centreOf(unit), own)]));
  }

  /**
   * The answer to a path and query below the register's base address. Paths and parameter names are case-insensitive.
   */
  answerTo(target: string, moment: BucharestTime): RegisterAnswer {
    const [method = '', query = ''] = target.split('?', 2);
    const parameters = [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value] as const);
    return this.#answer(method.toLowerCase(), new Map(parameters), moment);
  }

  #answer(method: string, parameters: ReadonlyMap<string, string>, moment: BucharestTime): RegisterAnswer {
    switch (method) {
      case 'getgasitemsbyuat':
        return this.#byUat(parameters, moment);
      case 'getgasitemsbylatlon':
        return this.#byLatLon(parameters, moment);
      case 'getuatbyname':
        return list('UATs', this.#contents.unitRows(parameters.get('uatname') || null));
      case 'getgasnetworks':
        return list('GasNetworks', this.#contents.networks.map(networkRow));
      case 'getgasproductsfromcatalog':
        return list(
          'CatalogProducts',
          CATALOGUE.map(({ id, name }) => ({ id, name, logo: {} })),
        );
      case 'getgasservicesfromcatalog':
        return list('GasServices', SERVICES.map(catalogueServiceRow));
      case 'getgasitemsbyroute':
        return failure('Error mapping types.', 'AutoMapper.AutoMapperMappingException');
      default:
        return NOT_FOUND;
    }
  }

  #byUat(parameters: ReadonlyMap<string, string>, moment: BucharestTime): RegisterAnswer {
    const unit = parameters.get('uatid');
    const product = parameters.get('csvgascatalogproductids');
    if (!unit || !product) return NO_ITEMS;
    const notWhole = [unit, product].find((value) => !/^\d+$/.test(value));
    if (notWhole !== undefined) return notAnInteger(notWhole);
    if (this.#contents.isUnitFailing(Number(unit), moment)) return UNAVAILABLE;
    const items = this.#items(this.#byUnit.get(Number(unit)) ?? [], parameters, product, moment);
    if (items.products.length === 0)
      return failure('Sequence contains no elements', 'System.InvalidOperationException');
    return gasItems(items, this.#contents.outlineOf(Number(unit)));
  }

  #byLatLon(parameters: ReadonlyMap<string, string>, moment: BucharestTime): RegisterAnswer {
    const product = parameters.get('csvgascatalogproductids');
    if (!product) return NO_ITEMS;
    if (!/^\d+$/.test(product)) return notAnInteger(product);
    const [lat, lng, buffer] = ['lat', 'lon', 'buffer'].map((name) => Number(parameters.get(name) || Number.NaN));
    if (lat === undefined || lng === undefined || buffer === undefined || Number.isNaN(lat + lng + buffer)) {
      return NO_ITEMS;
    }
    const point = { lat, lng };
    const found = buffer > LARGEST_BUFFER ? [] : byDistance(point, this.#near(point, buffer / 1000), buffer / 1000);
    return gasItems(this.#items(found, parameters, product, moment), circle(point, buffer / 1000));
  }

  #near({ lat }: Point, km: number): RegisteredStation[] {
    return this.#contents.stations.filter(
      ({ location }) => location !== null && Math.abs(location.lat - lat) * KM_PER_DEGREE <= km,
    );
  }

  #items(
    found: readonly StationAtDistance[],
    parameters: ReadonlyMap<string, string>,
    product: string,
    moment: BucharestTime,
  ): Items {
    const fuel = CATALOGUE.find(({ id }) => id === product)?.fuel;
    const networks = (parameters.get('csvgasnetworkids') ?? '').split(',').filter((id) => id !== '');
    const stations = new Set<RegisteredStation>();
    const products: Row[] = [];
    for (const { station, km } of fuel ? found : []) {
      if (products.length >= MAX_RECORDS) break;
      if (networks.length > 0 && !networks.includes(station.network)) continue;
      const rows = station.productRows(fuel as NonNullable<typeof fuel>, km, moment);
      products.push(...rows);
      if (rows.length > 0) stations.add(station);
    }
    const listed = [...stations].sort((a, b) => (a.id < b.id ? -1 : 1));
    return {
      stations: listed.map((station) => station.stationRow(moment)),
      products: products.slice(0, MAX_RECORDS),
      services: listed.flatMap(({ services }) => services),
    };
  }
}

/** Distinct stations by id, products by distance, services of those stations. */
type Items = {
  readonly stations: readonly Row[];
  readonly products: readonly Row[];
  readonly services: readonly Row[];
};

/** Stations by their distance from a point; a station without a place comes first, at distance 0. */
function byDistance(
  point: Point | undefined,
  stations: readonly RegisteredStation[],
  within = Number.POSITIVE_INFINITY,
): StationAtDistance[] {
  return stations
    .map((station) => ({ station, km: point && station.location ? distanceKm(point, station.location) : 0 }))
    .filter(({ km }) => km <= within)
    .sort((a, b) => a.km - b.km || (a.station.key < b.station.key ? -1 : 1));
}

function circle({ lat, lng }: Point, km: number): Point[] {
  const stretch = Math.cos((lat * Math.PI) / 180);
  return Array.from({ length: AREA_CORNERS + 1 }, (_, corner) => {
    const angle = (-2 * Math.PI * corner) / AREA_CORNERS;
    const [north, east] = [(km * Math.sin(angle)) / KM_PER_DEGREE, (km * Math.cos(angle)) / KM_PER_DEGREE];
    return { lat: lat + north, lng: lng + east / stretch };
  });
}

const NO_ITEMS: RegisterAnswer = { status: 200, body: [], root: 'ArrayOfGasItems' };
const UNAVAILABLE = refusal(503, { Message: 'The service is unavailable.' });
const NOT_FOUND = refusal(404, { Message: 'No HTTP resource was found that matches the request URI.' });

function gasItems({ stations, products, services }: Items, area: readonly Point[]): RegisterAnswer {
  return { status: 200, body: itemsBody(stations, products, services, area), root: 'GasItems' };
}

function list(root: string, rows: readonly Row[]): RegisterAnswer {
  return { status: 200, body: { Items: rows }, root };
}

function notAnInteger(text: string): RegisterAnswer {
  return failure(`22P02: invalid input syntax for type integer: "${text}"`, 'Npgsql.PostgresException');
}

function failure(message: string, type: string): RegisterAnswer {
  return refusal(500, { Message: 'An error has occurred.', ExceptionMessage: message, ExceptionType: type });
}

function refusal(status: number, body: Row): RegisterAnswer {
  return { status, body, root: null };
}
