/** Rompetrol's service ids → names, and the fuels among them. */
import type { Fuel } from '../../domain/fuel.ts';

/** Ids of rompetrol.ro only: the sites of other countries use some of them for other services. */
const SERVICE_BY_ID: ReadonlyMap<string, string> = new Map([
  ['7', 'Wi-Fi'],
  ['15', 'Dușuri'],
  ['17', 'Restaurant'],
  ['20', 'Compresor aer'],
  ['21', 'Aspirator'],
  ['34', 'Încărcare electrică'],
]);

const FUEL_BY_ID: ReadonlyMap<string, Fuel> = new Map([
  ['5', 'lpg'],
  ['14', 'adblue'],
  ['27', 'petrol_premium'],
  ['28', 'petrol'],
  ['30', 'diesel_premium'],
  ['31', 'diesel'],
]);

export type ClassifiedServices = {
  readonly names: readonly string[];
  readonly fuels: readonly Fuel[];
  readonly unknown: readonly string[];
};

/** Classifies ids as services, fuels sold, and unknown ones. */
export function classifyServices(ids: readonly string[]): ClassifiedServices {
  const uniqueIds = [...new Set(ids)];
  return {
    names: uniqueIds.map((id) => SERVICE_BY_ID.get(id)).filter((name) => name !== undefined),
    fuels: uniqueIds.map((id) => FUEL_BY_ID.get(id)).filter((fuel) => fuel !== undefined),
    unknown: uniqueIds.filter((id) => !SERVICE_BY_ID.has(id) && !FUEL_BY_ID.has(id)),
  };
}
