/** What the register calls things: fuels, networks, and the question whose answer tells whether it is well. */
import type { RoadFuel } from '../../../domain/fuel.ts';

/** Name of this source in settings, runs and archives. */
export const REGISTER = 'register';

/** Our fuels and their catalogue ids. 41 is electric charging, which is not a price per litre: left out. */
export const CATALOGUE_ID: Readonly<Record<RoadFuel, number>> = {
  petrol: 11,
  petrol_premium: 12,
  diesel: 21,
  diesel_premium: 22,
  lpg: 31,
};

/** The networks known to report to the register. */
export const NETWORK_IDS = ['PETROM', 'OMV', 'MOL', 'ROMPETROL', 'LUKOIL', 'SOCAR', 'GAZPROM'] as const;

/** The register answers with at most so many records, without a word about the rest. */
export const MAX_RECORDS = 50;

/** Beyond this radius a search around a point comes back empty, without a word. Kept a little below 5 km. */
export const MAX_RADIUS_M = 4_900;

/** Bucharest, standard petrol: there is always an answer when the register is well. */
export const CANARY = { siruta: 179132, fuel: 'petrol' } as const;
