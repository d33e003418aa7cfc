/** The requests to the register: paths and queries below its base address, with one fuel id each. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import { CATALOGUE_ID } from '../parsing/register-ids.ts';

/** Every station of an administrative unit with this fuel, or those of one network only. */
export function byUnit(siruta: number, fuel: RoadFuel, networkId: string | null = null): string {
  const network = networkId === null ? '' : `&CSVGasNetworkIDS=${encodeURIComponent(networkId)}`;
  return `GetGasItemsByUat?UatId=${siruta}&CSVGasCatalogProductIds=${CATALOGUE_ID[fuel]}${network}&OrderBy=dist`;
}

/** Every station with this fuel within `radiusM` of a point. */
export function aroundPoint(lat: number, lng: number, radiusM: number, fuel: RoadFuel): string {
  const point = `lat=${lat.toFixed(6)}&lon=${lng.toFixed(6)}&buffer=${radiusM}`;
  return `GetGasItemsByLatLon?${point}&CSVGasCatalogProductIds=${CATALOGUE_ID[fuel]}&OrderBy=dist`;
}

/** The list of networks, requested only if a unit has to be split by network. */
export const NETWORKS_TARGET = 'GetGasNetworks';
