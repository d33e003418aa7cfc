/** `along_route`: the cheapest stations between two places. Counts as a request of `/traseu/custom`. */

import { extendedFields, observedAt } from '../../api/contract/contract.ts';
import type { JourneyJson, RouteStationJson } from '../../api/contract/journey-schemas.ts';
import { DEFAULT_CORRIDOR_KM, MAX_CORRIDOR_KM } from '../../api/endpoints/journey.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { Type } from '../../json/json-schema.ts';
import { counted, STATIONS } from '../../site/html/counted.ts';
import type { StationRecord } from '../../snapshot/snapshot.ts';
import { observedText } from '../call/age-text.ts';
import { placeName, roadFuel, strict } from '../call/input-schemas.ts';
import { dataText, priceText, stationLine } from '../call/station-text.ts';
import { MAX_ROWS, tool } from '../call/tool.ts';
import type { ToolCall } from '../call/tool-call.ts';

export const alongRoute = tool({
  name: 'along_route',
  title: 'Cheapest fuel along a route',
  description:
    'The cheapest filling stations beside the driving route from one place in Romania to another, for one fuel, with the length and driving time of the route. Doubtful prices are left out.',
  input: Type.Object(
    {
      from: placeName('Where the journey starts: a town or village of Romania, with its county if the name is common.'),
      to: placeName('Where it ends, in the same form.'),
      fuel: roadFuel,
      corridor_km: Type.Optional(
        Type.Number({
          ...{ exclusiveMinimum: 0, maximum: MAX_CORRIDOR_KM },
          description: `How far from the route a station may be, km; ${DEFAULT_CORRIDOR_KM} if left out.`,
        }),
      ),
    },
    strict,
  ),
  async answer({ from, to, fuel, corridor_km: corridor = DEFAULT_CORRIDOR_KM }, call) {
    for (const name of [from, to]) {
      const found = call.findPlace(name);
      if ('refusal' in found) return found;
    }
    const found = await call.request<JourneyJson>('planJourney', {
      body: { start: from, end: to, tip: fuel, raza: corridor },
    });
    if ('refusal' in found) return found;
    const { start, end, km, duration_min: minutes, statii, total_statii: total } = found.json;
    const route = `From ${start.name} to ${end.name}: ${km} km, about ${minutes} minutes.`;
    const shown = statii.slice(0, MAX_ROWS);
    const recordOf = recordsOf(shown, call);
    const rows = shown.map((station) => stationRow(station, recordOf(station), call));
    const lead =
      total === 0
        ? `No station within ${corridor} km of the route has a trusted price of ${fuel} now.`
        : `Within ${corridor} km of it, ${counted(total, STATIONS, 'en')} with a trusted price of ${fuel}; the cheapest:`;
    return { lead: `${route} ${lead}`, rows };
  },
});

/** The contract's rows name no station and no day: finds the records that they were made of. */
function recordsOf(rows: readonly RouteStationJson[], { snapshot }: ToolCall) {
  const wanted = new Set(rows.map(keyOf));
  const latitudes = new Set(rows.map(({ lat }) => lat));
  const found = new Map<string, StationRecord>();
  for (const record of snapshot.records) {
    const { station, fuel, verdict } = record;
    if (verdict.kind !== 'trusted' || !latitudes.has(station.lat)) continue;
    const { address: adresa, network, lat, lng } = station;
    const key = keyOf({ adresa, brand: network.name, lat, lng, tip: FUEL_CODE[fuel], pret: verdict.price / 1000 });
    if (wanted.has(key)) found.set(key, record);
  }
  return (row: RouteStationJson) => found.get(keyOf(row));
}

type KeyFields = Pick<RouteStationJson, 'adresa' | 'brand' | 'lat' | 'lng' | 'pret'> & { readonly tip: string };
const keyOf = (row: KeyFields) => JSON.stringify([row.adresa, row.brand, row.lat, row.lng, row.tip, row.pret]);

function stationRow(row: RouteStationJson, record: StationRecord | undefined, { snapshot }: ToolCall) {
  const [brand, address, city] = [dataText(row.brand), dataText(row.adresa), dataText(row.oras)];
  const observed = record !== undefined && 'fact' in record.verdict ? record.verdict.fact.observed : null;
  const age = record && extendedFields(record, snapshot.today, false).vechime;
  const id = record?.station.id ?? null;
  const data = {
    station_id: id,
    ...{ brand, address, city, fuel: row.tip, price: row.pret, km_from_route: row.dist_ruta },
    ...{ observed_at: observedAt(observed), age_days: age ?? null, lat: row.lat, lon: row.lng },
  };
  const where = stationLine({ brand, address, city });
  const station = id === null ? '' : `, station_id ${id}`;
  const text = `${priceText(row.pret)} – ${where} (${row.dist_ruta} km from the route, ${observedText(age)}${station})`;
  return { data, text };
}
