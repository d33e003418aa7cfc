/** `cheapest_near`: the cheapest stations around a point or a place. Counts as a request of `/statii`. */
import type { Static } from 'typebox';
import type { StationJson } from '../../api/contract/station-schemas.ts';
import { MAX_RADIUS_KM } from '../../api/rendering/station-search.ts';
import { Type } from '../../json/json-schema.ts';
import { observedText } from '../call/age-text.ts';
import { placeName, roadFuel, strict } from '../call/input-schemas.ts';
import { dataText, priceText, stationLine } from '../call/station-text.ts';
import { MAX_ROWS, tool } from '../call/tool.ts';
import type { ToolCall } from '../call/tool-call.ts';

const DEFAULT_RADIUS_KM = 10;

const input = Type.Object(
  {
    fuel: roadFuel,
    place: Type.Optional(
      placeName(
        'A town or village of Romania, with its county if the name is common: "Cluj-Napoca", "Fântânele, Suceava".',
      ),
    ),
    lat: Type.Optional(
      Type.Number({ minimum: -90, maximum: 90, description: 'Latitude, degrees, in place of "place"; needs "lon".' }),
    ),
    lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'Longitude, degrees; needs "lat".' })),
    radius_km: Type.Optional(
      Type.Number({
        ...{ minimum: 0.1, maximum: MAX_RADIUS_KM },
        description: `How far a station may be in a straight line, km; ${DEFAULT_RADIUS_KM} if left out.`,
      }),
    ),
  },
  strict,
);

export const cheapestNear = tool({
  name: 'cheapest_near',
  title: 'Cheapest fuel near a place',
  description:
    'The cheapest filling stations in Romania within a radius of a place or a point, for one fuel, with price, address, distance and age. Doubtful prices are left out.',
  input,
  async answer(args, call) {
    const center = centerOf(args, call);
    if ('refusal' in center) return center;
    const radius = args.radius_km ?? DEFAULT_RADIUS_KM;
    const found = await call.request<{ statii: readonly StationJson[] }>('getStations', {
      query: {
        ...{ tip: args.fuel, lat: decimalText(center.lat), lon: decimalText(center.lon), raza: decimalText(radius) },
        ...{ sort: 'pret', limita: MAX_ROWS, cu_pret: 1, fara_nesigure: 1, campuri: 'extins' },
      },
    });
    if ('refusal' in found) return found;
    const rows = found.json.statii.map(stationRow);
    const where = `within ${radius} km of ${center.name}`;
    if (rows.length === 0)
      return {
        lead: `No station ${where} has a trusted price of ${args.fuel} now. A larger radius_km may find one.`,
        rows,
      };
    return { lead: `The cheapest ${args.fuel} ${where}, cheapest first:`, rows };
  },
});

/** Plain digits: the API takes no exponents. */
const decimalText = (value: number): string => String(Number(value.toFixed(6)));

function centerOf({ place, lat, lon }: Static<typeof input>, call: ToolCall) {
  if (place !== undefined && (lat !== undefined || lon !== undefined))
    return { refusal: 'Give either "place", or "lat" and "lon", not both.' };
  if (place !== undefined) {
    const found = call.findPlace(place);
    if ('refusal' in found) return found;
    return { lat: found.place.lat, lon: found.place.lng, name: call.data.gazetteer.labelOf(found.place) };
  }
  if (lat === undefined || lon === undefined)
    return { refusal: 'Where? Give "place" (a town or village of Romania), or both "lat" and "lon".' };
  return { lat, lon, name: `${lat}, ${lon}` };
}

function stationRow(station: StationJson) {
  const [brand, address, city] = [dataText(station.brand), dataText(station.adresa), dataText(station.oras)];
  const data = {
    station_id: station.id,
    ...{ brand, address, city, county: dataText(station.judet) },
    fuel: station.tip,
    price: station.pret,
    distance_km: station.distanta_km ?? null,
    observed_at: station.observat_la ?? null,
    age_days: station.vechime ?? null,
    lat: station.lat,
    lon: station.lng,
  };
  const where = stationLine({ brand, address, city });
  const text = `${priceText(station.pret)} – ${where} (${station.distanta_km} km away, ${observedText(station.vechime)}, station_id ${station.id})`;
  return { data, text };
}
