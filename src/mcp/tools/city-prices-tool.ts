/** `city_prices`: the lowest price in a city, or in the cities of a county. Counts as a request of `/preturi`. */
import type { Static } from 'typebox';
import type { CityJson } from '../../api/contract/schemas.ts';
import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import { isRoadFuel, ROAD_FUELS } from '../../domain/fuel.ts';
import { FUEL_CODE, fuelOfCode, SHORT_FUEL_CODE } from '../../domain/fuel-codes.ts';
import { Type } from '../../json/json-schema.ts';
import { CITIES, counted } from '../../site/html/counted.ts';
import { county, placeName, roadFuel, strict } from '../call/input-schemas.ts';
import { dataText, priceText } from '../call/station-text.ts';
import { MAX_ROWS, tool } from '../call/tool.ts';
import type { ToolCall } from '../call/tool-call.ts';

const input = Type.Object(
  {
    city: Type.Optional(placeName('One city or village, with its county if the name is common.')),
    county: Type.Optional(county),
    fuel: Type.Optional(roadFuel),
  },
  strict,
);

export const cityPrices = tool({
  name: 'city_prices',
  title: 'Lowest fuel prices by city',
  description:
    'The lowest trusted price of each fuel in one city, in the cities of one county, or in the largest cities of Romania. With "fuel", cheapest city first, else most populous first.',
  input,
  async answer(args, call) {
    const scope = scopeOf(args, call);
    if ('refusal' in scope) return scope;
    const found = await call.request<{ rezultate: readonly CityJson[]; nota?: string }>('getPrices', {
      query: { judet: scope.county },
    });
    if ('refusal' in found) return found;
    const { rezultate, nota } = found.json;
    const known = scope.slug === null ? rezultate : rezultate.filter(({ slug }) => slug === scope.slug);
    const cities = ordered(known, args.fuel);
    const partial =
      nota === undefined
        ? []
        : [
            `Without an API key, only the ${ANONYMOUS_LIMITS.cities} largest cities (of the county, if one is given) are searched.`,
          ];
    if (known.length === 0 && nota !== undefined && scope.slug !== null)
      return { lead: `${scope.name} is not among the cities shown without an API key.`, rows: [], notes: partial };
    if (cities.length === 0)
      return { lead: `No trusted price${ofFuel(args.fuel)} is known now in ${scope.name}.`, rows: [], notes: partial };
    const left = cities.length - MAX_ROWS;
    return {
      lead: `The lowest trusted prices${ofFuel(args.fuel)} in ${scope.name}:`,
      rows: cities.map((city) => cityRow(city, args.fuel)),
      notes: [...(left > 0 ? [`Left out: ${counted(left, CITIES, 'en')} more.`] : []), ...partial],
    };
  },
});

const ofFuel = (fuel: string | undefined): string => (fuel === undefined ? '' : ` of ${fuel}`);

type Scope = { readonly county: string | undefined; readonly slug: string | null; readonly name: string };

function scopeOf({ city, county: text }: Static<typeof input>, call: ToolCall): Scope | { readonly refusal: string } {
  const known = text === undefined ? undefined : call.findCounty(text);
  if (known !== undefined && 'refusal' in known) return known;
  const wanted = known?.county;
  if (city === undefined)
    return { county: wanted?.code, slug: null, name: wanted?.name ?? 'the largest cities of Romania' };
  const found = call.findPlace(wanted === undefined ? city : `${city}, ${wanted.code}`);
  if ('refusal' in found) return found;
  const { place } = found;
  return { county: place.county, slug: place.slug, name: call.data.gazetteer.labelOf(place) };
}

function ordered(cities: readonly CityJson[], fuel: Static<typeof input>['fuel']): readonly CityJson[] {
  const field = shortCode(fuel);
  if (field === null) return cities;
  const price = (city: CityJson) => city[field] ?? Number.POSITIVE_INFINITY;
  return cities.filter((city) => city[field] !== null).toSorted((one, other) => price(one) - price(other));
}

function cityRow(city: CityJson, fuel: Static<typeof input>['fuel']) {
  const only = shortCode(fuel);
  const fuels = ROAD_FUELS.filter((each) => only === null || SHORT_FUEL_CODE[each] === only);
  const prices = fuels.map((each) => [FUEL_CODE[each], city[SHORT_FUEL_CODE[each]]] as const);
  const words = prices.map(([code, price]) => `${code} ${priceText(price)}`).join(', ');
  const name = dataText(city.oras);
  return {
    data: { city: name, county: city.judet, ...Object.fromEntries(prices) },
    text: `${name} (${city.judet}): ${words}`,
  };
}

function shortCode(code: string | undefined) {
  const fuel = code === undefined ? undefined : fuelOfCode(code);
  return fuel === undefined || !isRoadFuel(fuel) ? null : SHORT_FUEL_CODE[fuel];
}
