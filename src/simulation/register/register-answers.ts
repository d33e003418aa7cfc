/** What the simulated register answers to each call: status and JSON, as the real one was seen to behave. */
import type { RoadFuel } from '../../domain/fuel.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../../domain/point.ts';
import type { Country } from '../country/country.ts';
import { type BucharestTime, isUnitFailing, type RegisterQuote, registerQuote, reportDay } from '../country/prices.ts';
import { registerKey, type SimulatedStation } from '../country/station.ts';
import { gasNetworks, gasProducts, gasServices, uatsByName } from './catalogues.ts';
import {
  CATALOGUE,
  fragmentsOf,
  gasItems,
  type ProductRecord,
  reportTimeText,
  type StationFragments,
} from './register-json.ts';

/** One answer; `root` is the root element should it be wanted as XML, `null` = an error. */
export type RegisterAnswer = { readonly status: number; readonly json: string; readonly root: string | null };

/** The register refuses to send more records than this, without a word. */
const MAX_RECORDS = 50;
/** Beyond this many metres a search around a point finds nothing, without a word. */
const LARGEST_BUFFER = 5_000;
const AREA_CORNERS = 200;

/** Records of one answer in the making: who, and how far from the asked point. */
type StationAtDistance = { readonly fragments: StationFragments; readonly km: number };

/** Answers calls from a country that does not change but in time. */
export class RegisterAnswers {
  readonly #country: Country;
  readonly #byUnit: ReadonlyMap<string, readonly StationAtDistance[]>;
  readonly #all: readonly StationFragments[];

  constructor(country: Country) {
    this.#country = country;
    this.#all = country.stations.map(fragmentsOf);
    const centres = new Map(country.units.map((unit) => [String(unit.siruta), unit]));
    const found = Map.groupBy(this.#all, ({ station }) => String(station.siruta));
    this.#byUnit = new Map([...found].map(([siruta, own]) => [siruta, byDistance(centres.get(siruta), own)]));
  }

  /** The answer to a call (`method` in lower case, parameters with lower-case names) at a moment. */
  answer(method: string, parameters: ReadonlyMap<string, string>, moment: BucharestTime): RegisterAnswer {
    switch (method) {
      case 'getgasitemsbyuat':
        return this.#byUat(parameters, moment);
      case 'getgasitemsbylatlon':
        return this.#byLatLon(parameters, moment);
      case 'getuatbyname':
        return ok('UATs', uatsByName(this.#country, parameters.get('uatname') || null));
      case 'getgasnetworks':
        return ok('GasNetworks', gasNetworks());
      case 'getgasproductsfromcatalog':
        return ok('CatalogProducts', gasProducts());
      case 'getgasservicesfromcatalog':
        return ok('GasServices', gasServices());
      case 'getgasitemsbyroute':
        return failure('Error mapping types.', 'AutoMapper.AutoMapperMappingException');
      default:
        return {
          status: 404,
          json: '{"Message":"No HTTP resource was found that matches the request URI."}',
          root: null,
        };
    }
  }

  #byUat(parameters: ReadonlyMap<string, string>, moment: BucharestTime): RegisterAnswer {
    const unit = parameters.get('uatid');
    const product = parameters.get('csvgascatalogproductids');
    if (!unit || !product) return ok('ArrayOfGasItems', '[]');
    const notWhole = [unit, product].find((value) => !/^\d+$/.test(value));
    if (notWhole !== undefined) return notAnInteger(notWhole);
    if (isUnitFailing(this.#country, Number(unit), moment.day)) return unavailable();
    const records = this.#records(this.#byUnit.get(unit) ?? [], parameters, product, moment);
    if (records.length === 0) return failure('Sequence contains no elements', 'System.InvalidOperationException');
    return ok('GasItems', gasItems(records, dateAt(moment), []));
  }

  #byLatLon(parameters: ReadonlyMap<string, string>, moment: BucharestTime): RegisterAnswer {
    const product = parameters.get('csvgascatalogproductids');
    if (!product) return ok('ArrayOfGasItems', '[]');
    if (!/^\d+$/.test(product)) return notAnInteger(product);
    const [lat, lng, buffer] = ['lat', 'lon', 'buffer'].map((name) => Number(parameters.get(name) || Number.NaN));
    if (lat === undefined || lng === undefined || buffer === undefined || Number.isNaN(lat + lng + buffer)) {
      return ok('ArrayOfGasItems', '[]');
    }
    const point = { lat, lng };
    const found = buffer > LARGEST_BUFFER ? [] : byDistance(point, this.#near(point, buffer / 1000), buffer / 1000);
    const records = this.#records(found, parameters, product, moment);
    return ok('GasItems', gasItems(records, dateAt(moment), circle(point, buffer / 1000)));
  }

  #near({ lat }: Point, km: number): StationFragments[] {
    return this.#all.filter(({ station }) => {
      const { declared } = station;
      return declared !== null && Math.abs(declared.lat - lat) * KM_PER_DEGREE <= km;
    });
  }

  #records(
    found: readonly StationAtDistance[],
    parameters: ReadonlyMap<string, string>,
    product: string,
    moment: BucharestTime,
  ): ProductRecord[] {
    const fuel = CATALOGUE.find(({ id }) => id === product)?.fuel;
    if (!fuel) return [];
    const networks = (parameters.get('csvgasnetworkids') ?? '').split(',').filter((id) => id !== '');
    const records: ProductRecord[] = [];
    for (const { fragments, km } of found) {
      if (records.length >= MAX_RECORDS) break;
      if (networks.length > 0 && !networks.includes(fragments.station.network)) continue;
      const posting = registerQuote(this.#country, fragments.station, fuel, moment);
      if (posting.kind !== 'absent') records.push(...productRecords(fragments, fuel, posting, km));
    }
    return records.slice(0, MAX_RECORDS);
  }
}

/** Of two products of one fuel the first costs 6 bani more. */
const SECOND_PRODUCT_SURCHARGE = 60;

function productRecords(
  fragments: StationFragments,
  fuel: RoadFuel,
  posting: Exclude<RegisterQuote, { kind: 'absent' }>,
  km: number,
): ProductRecord[] {
  const products = fragments.products.get(fuel) ?? [];
  return products.map((product, index) => {
    const dearer = (products.length - 1 - index) * SECOND_PRODUCT_SURCHARGE;
    const price = posting.kind === 'priced' ? (posting.price + dearer) / 1000 : posting.sentPrice;
    return { fragments, product, km, price };
  });
}

/** Stations by their declared distance from a point; one without a place comes first, at no distance. */
function byDistance(
  point: Point | undefined,
  stations: readonly StationFragments[],
  within = Number.POSITIVE_INFINITY,
): StationAtDistance[] {
  return stations
    .map((fragments) => {
      const { declared } = fragments.station;
      return { fragments, km: point && declared ? distanceKm(point, declared) : 0 };
    })
    .filter(({ km }) => km <= within)
    .sort((a, b) => a.km - b.km || (registerKey(a.fragments.station) < registerKey(b.fragments.station) ? -1 : 1));
}

function dateAt(moment: BucharestTime): (station: SimulatedStation) => string {
  return (station) => reportTimeText(reportDay(station, moment), station.reportMinute);
}

function circle({ lat, lng }: Point, km: number): Point[] {
  const stretch = Math.cos((lat * Math.PI) / 180);
  return Array.from({ length: AREA_CORNERS + 1 }, (_, corner) => {
    const angle = (-2 * Math.PI * corner) / AREA_CORNERS;
    const [north, east] = [(km * Math.sin(angle)) / KM_PER_DEGREE, (km * Math.cos(angle)) / KM_PER_DEGREE];
    return { lat: lat + north, lng: lng + east / stretch };
  });
}

function ok(root: string, json: string): RegisterAnswer {
  return { status: 200, json, root };
}

function notAnInteger(text: string): RegisterAnswer {
  return failure(`22P02: invalid input syntax for type integer: "${text}"`, 'Npgsql.PostgresException');
}

function failure(message: string, type: string): RegisterAnswer {
  const error = { Message: 'An error has occurred.', ExceptionMessage: message, ExceptionType: type };
  return { status: 500, json: JSON.stringify(error), root: null };
}

function unavailable(): RegisterAnswer {
  return { status: 503, json: '{"Message":"The service is unavailable."}', root: null };
}
