/** Rows of a typical station in the register's format, with any field overridden, for tests. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';
import { productRow, type Row, serviceRow, stationRow } from './register-rows.ts';

type SampleStation = Point & { readonly id: string; readonly network: string; readonly unit: number };

/** A station row; `overrides` replace its usual fields. */
export function sampleStationRow({ id, network, unit, lat, lng }: SampleStation, overrides: Row = {}): Row {
  const usual = stationRow({
    id,
    name: `Statia ${id}`,
    updatedAt: '20/11/2026 07:30 ',
    network: sampleNetwork(network),
    address: `Str. Principala nr. ${id}`,
    zipcode: '12',
    location: { lat, lng },
    unit,
    contact: null,
  });
  return { ...usual, ...overrides };
}

/** A product row; `price` may be anything that the register might send. */
export function sampleProductRow(
  stationId: string,
  network: string,
  fuel: RoadFuel,
  price: unknown,
  overrides: Row = {},
): Row {
  const usual = productRow({
    code: '02',
    stationId,
    name: `Produs ${fuel}`,
    price,
    specs: 'Carburant de calitate.',
    distanceKm: 0.68405,
    network: sampleNetwork(network),
    fuel,
  });
  return { ...usual, ...overrides };
}

/** A service of a station. */
export function sampleServiceRow(stationId: string, id: string, name: string): Row {
  return serviceRow({ id, name, image: id }, stationId);
}

function sampleNetwork(id: string) {
  return { id, name: `${id} S.R.L.` };
}
