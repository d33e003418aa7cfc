/**
 * `why_this_price`: where a price comes from and why it counts, or does not. No endpoint has it; it is about one
 * station, like its history, so it has the history's limits under a name of its own: without a key, once a week.
 */

import { toRon } from '../../api/contract/contract.ts';
import { FUEL_CODE, fuelOfCode } from '../../domain/fuel-codes.ts';
import { Type } from '../../json/json-schema.ts';
import { lastKnownSentence, originSentences } from '../../site/pages/station/price-origin.ts';
import type { StationRecord } from '../../snapshot/snapshot.ts';
import { anyFuel, stationId, strict } from '../call/input-schemas.ts';
import { dataText, priceText, stationLine } from '../call/station-text.ts';
import { tool } from '../call/tool.ts';
import type { Metering } from '../call/tool-call.ts';

const METERING: Metering = {
  access: { key: 'optional', quota: true, withoutKey: { weeklyCap: { crawlerExemption: 'by DNS' } } },
  path: '/mcp/why_this_price',
};

export const whyThisPrice = tool({
  name: 'why_this_price',
  title: 'Why does a station have this price?',
  description:
    'Where the price of a fuel at one station comes from, when it was observed and last changed, and why it is trusted, doubtful, expired or withdrawn.',
  input: Type.Object({ station_id: stationId, fuel: Type.Optional(anyFuel) }, strict),
  async answer({ station_id, fuel }, call) {
    const known = call.rendered.recordsOf(station_id);
    const wanted = fuel === undefined ? undefined : fuelOfCode(fuel);
    const records = known.filter((record) => wanted === undefined || record.fuel === wanted);
    const missing =
      known.length === 0
        ? `No station has the id ${JSON.stringify(station_id)}. Use the station_id of a row of cheapest_near.`
        : `Station ${station_id} does not sell ${fuel}; it sells ${known.map((each) => FUEL_CODE[each.fuel]).join(', ')}.`;
    const found = await call.metered(METERING, () => (records.length === 0 ? null : records), missing);
    if ('refusal' in found) return found;
    const { network, address, city } = (records[0] as StationRecord).station;
    const place = stationLine({ brand: dataText(network.name), address: dataText(address), city: dataText(city) });
    const rows = found.json.map((record) => {
      const { verdict } = record;
      const price = 'fact' in verdict ? toRon(verdict.fact.price) : null;
      const last = lastKnownSentence({ station: station_id, fuel: record.fuel, verdict }, call.snapshot, 'en');
      const explanation = [...originSentences(verdict, 'en'), ...(last === null ? [] : [last])].join(' ');
      const code = FUEL_CODE[record.fuel];
      return {
        data: { fuel: code, price, verdict: verdict.kind, explanation },
        text: `${code}: ${priceText(price)}. ${explanation}`,
      };
    });
    return { lead: `Station ${station_id} (${place}):`, rows };
  },
});
