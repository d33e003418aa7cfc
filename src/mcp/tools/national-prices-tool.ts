/** `national_prices`: lowest, mean and highest price of each fuel. Counts as `/preturi/minime`: free of any limit. */

import type { BucketJson } from '../../api/contract/schemas.ts';
import { ROAD_FUEL_CODES, type RoadFuelCode } from '../../domain/fuel-codes.ts';
import { Type } from '../../json/json-schema.ts';
import { strict } from '../call/input-schemas.ts';
import { priceText } from '../call/station-text.ts';
import { tool } from '../call/tool.ts';

export const nationalPrices = tool({
  name: 'national_prices',
  title: 'Fuel prices in Romania',
  description: 'The lowest, average and highest trusted price of each fuel in Romania now.',
  input: Type.Object({}, strict),
  async answer(_, call) {
    const found = await call.request<{ preturi: Readonly<Record<RoadFuelCode, BucketJson>> }>('getNationalPrices', {});
    if ('refusal' in found) return found;
    const rows = ROAD_FUEL_CODES.map((fuel) => {
      const { min, mediu, max } = found.json.preturi[fuel];
      const text = `${fuel}: lowest ${priceText(min)}, average ${priceText(mediu)}, highest ${priceText(max)}`;
      return { data: { fuel, lowest: min, average: mediu, highest: max }, text };
    });
    return { lead: 'Prices over all stations of Romania with a trusted price:', rows };
  },
});
