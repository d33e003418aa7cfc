/** The contents of the register for a simulated country. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Country } from '../country/country.ts';
import { networkProfile, SIMULATED_NETWORKS } from '../country/simulated-networks.ts';
import { anomalyOf, type BucharestTime, isUnitFailing, registerQuote, reportDay } from '../country/simulated-prices.ts';
import { registerKey, type SimulatedStation } from '../country/simulated-station.ts';
import type { RegisterContents, RegisteredStation } from './register-contents.ts';
import { productRow, type Row, reportTimeText, SERVICES, serviceRow, stationRow } from './register-rows.ts';
import { unitRows } from './unit-rows.ts';

/** The register contents of a country; they depend only on the time. */
export function countryContents(country: Country): RegisterContents {
  const centres = new Map(country.units.map((unit) => [unit.siruta, unit]));
  return {
    stations: country.stations.map((station) => registeredStation(country, station)),
    networks: SIMULATED_NETWORKS,
    centreOf: (unit) => centres.get(unit),
    outlineOf: () => [],
    isUnitFailing: (unit, { day }) => isUnitFailing(country, unit, day),
    unitRows: (name) => unitRows(country, name),
  };
}

/** A station of the country as the register lists it. */
export function registeredStation(country: Country, station: SimulatedStation): RegisteredStation {
  const { id, network, siruta: unit, declared: location } = station;
  const usual = stationRow({
    ...station,
    unit,
    location,
    network: networkProfile(network),
    updatedAt: '',
  });
  return {
    key: registerKey(station),
    id,
    network,
    unit,
    location,
    services: SERVICES.filter((service) => station.services.includes(service.id)).map((each) => serviceRow(each, id)),
    stationRow: (moment) => ({
      ...usual,
      updatedate: reportTimeText(reportDay(station, moment), station.reportMinute),
    }),
    productRows: (fuel, distanceKm, moment) => productRows(country, station, fuel, distanceKm, moment),
  };
}

/** Where a station has two products of one fuel, the first costs 6 bani more. */
const SECOND_PRODUCT_SURCHARGE = 60;

function productRows(
  country: Country,
  station: SimulatedStation,
  fuel: RoadFuel,
  distanceKm: number,
  moment: BucharestTime,
): Row[] {
  const quote = registerQuote(country, station, fuel, moment);
  if (quote.kind === 'absent') return [];
  const network = networkProfile(station.network);
  const { code, name, specs } = network.products[fuel];
  const priced = (more: number) =>
    quote.kind === 'priced' ? (quote.price + more) / 1000 : (quote.sentPrice ?? undefined);
  const product = { code, name, specs, price: priced(0), stationId: station.id, distanceKm, network, fuel };
  if (!anomalyOf(station, 'two-products', fuel)) return [productRow(product)];
  const dearer = { ...product, code: `${code}B`, name: `${name} aditivata`, price: priced(SECOND_PRODUCT_SURCHARGE) };
  return [productRow(dearer), productRow(product)];
}
