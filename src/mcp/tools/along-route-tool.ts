/** `along_route`: the cheapest stations between two places. Counts as a request of `/traseu/custom`. */
import { Type } from 'typebox';
import type { JourneyJson } from '../../api/contract/journey-schemas.ts';
import { DEFAULT_CORRIDOR_KM, MAX_CORRIDOR_KM } from '../../api/endpoints/journey.ts';
import { counted, STATIONS } from '../../site/html/counted.ts';
import { placeName, roadFuel, strict } from '../call/input-schemas.ts';
import { dataText, priceText, stationLine } from '../call/station-text.ts';
import { tool } from '../call/tool.ts';

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
    const rows = statii.map((station) => {
      const [brand, address, city] = [dataText(station.brand), dataText(station.adresa), dataText(station.oras)];
      const data = {
        ...{ brand, address, city, fuel: station.tip, price: station.pret, km_from_route: station.dist_ruta },
        ...{ lat: station.lat, lon: station.lng },
      };
      const where = stationLine({ brand, address, city });
      return { data, text: `${priceText(station.pret)} – ${where} (${station.dist_ruta} km from the route)` };
    });
    const lead =
      total === 0
        ? `No station within ${corridor} km of the route has a trusted price of ${fuel} now.`
        : `Within ${corridor} km of it, ${counted(total, STATIONS, 'en')} with a trusted price of ${fuel}; the cheapest:`;
    return { lead: `${route} ${lead}`, rows };
  },
});
