/** The register's ids of fuels and networks, its limits, and the canary request. */
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

/** The register returns at most this many records and does not indicate that there are more. */
export const MAX_RECORDS = 50;

/** The largest answer that is read; one with 50 stations has 75 KB as JSON and 200 KB as XML. */
export const MAX_ANSWER_BYTES = 1_000_000;

/** Beyond 5 km a search around a point silently returns nothing; this is a little less. */
export const MAX_RADIUS_M = 4_900;

/** Bucharest, standard petrol: a healthy register always has an answer. */
export const CANARY = { siruta: 179132, fuel: 'petrol' } as const;
