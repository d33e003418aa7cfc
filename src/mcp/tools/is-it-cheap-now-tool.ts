/**
 * `is_it_cheap_now`: today's mean against the past. No endpoint has it; it has the limits of `/preturi`, whose data are
 * as public: with a key it uses one request of the quota, without one it is free.
 */
import type { Static } from 'typebox';
import { toRon } from '../../api/contract/contract.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import { fuelOfCode } from '../../domain/fuel-codes.ts';
import { type CheapToday, judgeToday } from '../../domain/prices/cheap-today.ts';
import type { StatisticsScope } from '../../domain/prices/day-statistics.ts';
import { Type } from '../../json/json-schema.ts';
import { comparison } from '../../site/parts/price-past.ts';
import { county, placeName, roadFuel, strict } from '../call/input-schemas.ts';
import { priceText } from '../call/station-text.ts';
import { tool } from '../call/tool.ts';
import type { Metering, ToolCall } from '../call/tool-call.ts';

const METERING: Metering = {
  access: { key: 'optional', quota: true, withoutKey: { weeklyCap: false } },
  path: '/mcp/is_it_cheap_now',
};

const input = Type.Object(
  {
    fuel: roadFuel,
    city: Type.Optional(placeName('A city, with its county if the name is common; the whole country if left out.')),
    county: Type.Optional(county),
  },
  strict,
);

const VERDICTS: Readonly<Record<CheapToday['verdict'], string>> = {
  cheap: 'Yes, today is cheap',
  usual: 'Today’s price is usual',
  dear: 'No, today is expensive',
};

export const isItCheapNow = tool({
  name: 'is_it_cheap_now',
  title: 'Is fuel cheap today?',
  description:
    'Whether the average price of a fuel today is cheap, usual or expensive compared with the last 7, 30, 90 and 365 days, in Romania, a county or a city.',
  input,
  async answer(args, call) {
    const scope = scopeOf(args, call);
    if ('refusal' in scope) return scope;
    const { snapshot } = call;
    const judge = () =>
      judgeToday(snapshot.statistics(scope.statistics, fuelOfCode(args.fuel) as RoadFuel), snapshot.today);
    const missing = `Too few days with a trusted price of ${args.fuel} are known in ${scope.name} to compare today with.`;
    const found = await call.metered(METERING, judge, missing);
    if ('refusal' in found) return found;
    const { verdict, mean, days, standings } = found.json;
    const rows = standings.map((standing) => ({
      data: {
        days: standing.days,
        share_of_days_dearer: rounded(standing.dearer),
        share_of_days_cheaper: rounded(standing.cheaper),
      },
      text: comparison(standing, 'en'),
    }));
    const average = priceText(toRon(mean));
    const lead = `${VERDICTS[verdict]} compared with the last ${days} days: ${args.fuel} in ${scope.name} costs ${average} on average today.`;
    return { lead, rows };
  },
});

const rounded = (share: number) => Math.round(share * 100) / 100;

type Scope = { readonly statistics: StatisticsScope; readonly name: string };

function scopeOf({ city, county: text }: Static<typeof input>, call: ToolCall): Scope | { readonly refusal: string } {
  if (city !== undefined && text !== undefined) return { refusal: 'Give either "city" or "county", not both.' };
  if (city !== undefined) {
    const found = call.findPlace(city);
    if ('refusal' in found) return found;
    return { statistics: `city:${found.place.slug}`, name: call.data.gazetteer.labelOf(found.place) };
  }
  if (text === undefined) return { statistics: 'national', name: 'Romania' };
  const found = call.findCounty(text);
  if ('refusal' in found) return found;
  return { statistics: `county:${found.county.code}`, name: `the county of ${found.county.name}` };
}
