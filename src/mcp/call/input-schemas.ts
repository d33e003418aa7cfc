/** Arguments that several tools take. */

import { FUEL_CODES, type FuelCode, ROAD_FUEL_CODES, type RoadFuelCode } from '../../domain/fuel-codes.ts';
import { Type } from '../../json/json-schema.ts';

const FUEL_WORDS =
  'Kind of fuel: benzina_standard = regular petrol (95), benzina_premium = premium petrol, motorina_standard = diesel, motorina_premium = premium diesel, gpl = LPG';

export const roadFuel = Type.Unsafe<RoadFuelCode>({
  type: 'string',
  enum: ROAD_FUEL_CODES,
  description: `${FUEL_WORDS}.`,
});
export const anyFuel = Type.Unsafe<FuelCode>({
  type: 'string',
  enum: FUEL_CODES,
  description: `${FUEL_WORDS}, adblue = AdBlue (some stations only).`,
});

/** A name; the bound keeps the search for similar names cheap. */
export const placeName = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

export const county = placeName('A county of Romania: its name or plate code, such as Cluj or CJ.');
export const stationId = Type.String({
  ...{ minLength: 1, maxLength: 100 },
  description: 'The station_id of a row of cheapest_near.',
});

/** An object without other members, so that a misspelt argument is refused by name. */
export const strict = { additionalProperties: false } as const;
