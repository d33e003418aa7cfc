/**
 * The Romanian vocabulary: the only place that turns what the service knows into the contract's fields.
 * `docs/CONTRACT.md` is the word table. Everything else in the project is English.
 */

import { type DayNumber, dayNumber, dayText, isoInstant } from '../../domain/days.ts';
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import { byFuelCode, FUEL_CODE, SHORT_FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { GermanAnswer, GermanStation } from '../../domain/german-station.ts';
import type { DoubtReason, PriceVerdict, UnknownReason } from '../../domain/prices/price-verdict.ts';
import type { ObservationTime } from '../../domain/reports/observation.ts';
import { GERMAN_SOURCE } from '../../domain/service-identity.ts';
import type { PricedStation } from '../../snapshot/priced-stations.ts';
import type {
  CityPrices,
  CountyPrices,
  NationalPrices,
  NetworkPrices,
  ServedStation,
  Snapshot,
  StationRecord,
} from '../../snapshot/snapshot.ts';
import type { GermanStationJson, GermanStationsJson } from './german-schemas.ts';
import type { RouteStationJson } from './journey-schemas.ts';
import type { DOUBT_CODES, MISSING_CODES } from './schema-parts.ts';
import type { BucketJson, CityJson, NetworkJson } from './schemas.ts';
import type { StationJson } from './station-schemas.ts';

type DoubtCode = (typeof DOUBT_CODES)[number];

/** Why a price is not trusted. */
export const DOUBT_CODE = {
  stuck: 'blocat',
  stale: 'observatie_veche',
  orphaned: 'orfan_anpc',
} as const satisfies Record<DoubtReason, DoubtCode>;

type MissingCode = (typeof MISSING_CODES)[number];

/** Why a price is not known. */
export const MISSING_CODE = {
  unsold: 'nu_se_vinde',
  expired: 'expirat',
  incoherent: 'incoerent',
  unpublished: 'fara_pret_publicat',
  invalid: 'pret_invalid',
  orphaned: 'orfan_anpc',
} as const satisfies Record<'unsold' | 'expired' | 'incoherent' | UnknownReason, MissingCode>;

/** How a missing price is written: `null`, or 0 for clients of the legacy mode. */
export type MissingAs = 'null' | 'zero';

/** RON per litre, as a number with at most 3 decimals. */
export function toRon(price: MilliPrice | null, missing: MissingAs = 'null'): number | null {
  if (price !== null) return price / 1000;
  return missing === 'zero' ? 0 : null;
}

/** The fields that start every aggregate answer. */
export function answerEnvelope(snapshot: Snapshot) {
  return {
    status: 'ok' as const,
    data: dayText(snapshot.today),
    actualizat_la: snapshot.updatedAt === null ? null : isoInstant(snapshot.updatedAt),
  };
}

/** `rezultate[]` of `/preturi`. */
export function cityRecord(city: CityPrices, missing: MissingAs): CityJson {
  const { name, slug, county, lat, lng, prices } = city;
  return { oras: name, slug, judet: county, lat, lng, ...shortPrices(prices, missing) };
}

/** `retele[]` of `/preturi` and `/retele`. */
export function networkRecord({ network, prices }: NetworkPrices, missing: MissingAs): NetworkJson {
  const { name, slug, colour, logo } = network;
  return { nume: name, slug, culoare: colour, logo, ...shortPrices(prices, missing) };
}

/** `preturi` of `/preturi/minime`. */
export function nationalBuckets(national: NationalPrices, missing: MissingAs) {
  const bucket = (fuel: RoadFuel): BucketJson => ({
    min: toRon(national[fuel].min, missing),
    mediu: toRon(national[fuel].mean, missing),
    max: toRon(national[fuel].max, missing),
  });
  return byFuelCode(ROAD_FUELS, FUEL_CODE, bucket);
}

/** The county's own fields of `/judete/{judet}`. */
export function countyFields({ code, cities, prices }: CountyPrices, missing: MissingAs) {
  return {
    judet: code,
    nr_orase: cities,
    ...byFuelCode(ROAD_FUELS, FUEL_CODE, (fuel) => toRon(prices[fuel], missing)),
  };
}

/** `statii[]` of `/statii`, without the distance. Fields without information are left out. */
export function stationRecord(record: StationRecord): StationJson {
  const { station } = record;
  return { ...stationPlace(station), ...fuelPrice(record), ...stationDetails(station), ...observation(record) };
}

/** The first fields of all records of a station. */
export function stationPlace({ id, network, city, countyName, address, lat, lng }: ServedStation) {
  return { id, brand: network.name, oras: city, judet: countyName, adresa: address, lat, lng };
}

/** The fields of a record that come next, of its fuel and price. */
export function fuelPrice({ fuel, verdict }: StationRecord) {
  return { tip: FUEL_CODE[fuel], ...priceFields(verdict) };
}

/** Further fields of all records of a station, if any. */
export function stationDetails(station: ServedStation): StationDetails {
  const { name, franchise, priceNote, hours, services, phone } = station;
  return {
    ...(name && { nume: name }),
    ...(franchise !== null && { franciza: franchise }),
    ...(priceNote && { nota_pret: priceNote }),
    ...(hours && { program: hours }),
    ...(services.length > 0 && { servicii: services.join(', ') }),
    ...(phone && { telefon: phone }),
    ...(station.suspectCoordinates && { coord_suspecta: true }),
    ...(station.approximateCoordinates && { approximate_coords: true }),
  };
}

type StationDetails = Pick<
  StationJson,
  'nume' | 'franciza' | 'nota_pret' | 'program' | 'servicii' | 'telefon' | 'coord_suspecta' | 'approximate_coords'
>;

/** The last field of a record. */
export function observation({ verdict }: StationRecord) {
  return { observat_la: 'fact' in verdict ? observedAt(verdict.fact.observed) : null };
}

/** What `campuri=extins` adds to a record; `isUnsold`: no source says that the station sells the fuel. */
export function extendedFields(
  { verdict }: StationRecord,
  today: DayNumber,
  isUnsold: boolean,
): Pick<StationJson, 'stare' | 'vechime'> {
  switch (verdict.kind) {
    case 'trusted':
    case 'doubtful': {
      const { observed } = verdict.fact;
      return { vechime: observed === null ? null : Math.max(0, today - dayNumber(observed.day)) };
    }
    case 'unknown':
      return { stare: MISSING_CODE[isUnsold ? 'unsold' : verdict.reason] };
    default:
      return { stare: MISSING_CODE[verdict.kind] };
  }
}

/** All of `/de-statii`. */
export function germanStations({ search, stations, answeredAt }: GermanAnswer): GermanStationsJson {
  return {
    status: 'ok',
    tara: 'DE',
    moneda: 'EUR',
    sursa: GERMAN_SOURCE.credit,
    atribuire: GERMAN_SOURCE.url,
    lat: search.lat,
    lng: search.lng,
    rad_km: search.radiusKm,
    nr_statii: stations.length,
    statii: stations.map(germanStationRecord),
    generat_la: isoInstant(answeredAt),
  };
}

function germanStationRecord(station: GermanStation): GermanStationJson {
  const { name, brand, address, city, postcode, lat, lng, distanceKm, e5, e10, diesel, open } = station;
  return {
    nume: name,
    brand,
    adresa: address,
    cod_postal: postcode,
    oras: city,
    lat,
    lng,
    dist_km: distanceKm,
    benzina: toEuros(e5),
    e10: toEuros(e10),
    motorina: toEuros(diesel),
    deschis: open,
  };
}

/** EUR per litre; a missing price is always `null`, also in the legacy mode. */
const toEuros = (price: MilliPrice | null) => (price === null ? null : price / 1000);

/** `statii[]` of `/traseu/custom`. */
export function routeStation({ station, fuel, price }: PricedStation, km: number): RouteStationJson {
  const { network, city, address, lat, lng } = station;
  return {
    adresa: address,
    brand: network.name,
    oras: city,
    lat,
    lng,
    tip: FUEL_CODE[fuel],
    pret: price / 1000,
    dist_ruta: Math.round(km * 10) / 10,
  };
}

type PriceFields = Pick<
  StationJson,
  'pret' | 'pret_expirat' | 'nesigur' | 'motiv_nesigur' | 'nesigur_din' | 'pret_masurat_la' | 'pret_incoerent'
>;

function priceFields(verdict: PriceVerdict): PriceFields {
  switch (verdict.kind) {
    case 'trusted':
      return { pret: toRon(verdict.price), ...measuredField(verdict.fact.observed) };
    case 'doubtful':
      return {
        pret: toRon(verdict.price),
        nesigur: true,
        motiv_nesigur: DOUBT_CODE[verdict.reason],
        nesigur_din: verdict.since === null ? null : dayText(verdict.since),
        ...measuredField(verdict.fact.observed),
      };
    case 'expired':
      return { pret: null, pret_expirat: true };
    case 'incoherent':
      return { pret: null, pret_incoerent: true };
    case 'unknown':
      return { pret: null };
  }
}

function measuredField(observed: ObservationTime | null): { pret_masurat_la?: string } {
  return observed?.text ? { pret_masurat_la: observed.text } : {};
}

/** The instant if the source gives one, otherwise the day: never invents a time of day. */
export function observedAt(observed: ObservationTime | null): string | null {
  if (observed === null) return null;
  return observed.at === null ? observed.day : isoInstant(observed.at);
}

function shortPrices(prices: CityPrices['prices'], missing: MissingAs) {
  return byFuelCode(ROAD_FUELS, SHORT_FUEL_CODE, (fuel) => toRon(prices[fuel], missing));
}
