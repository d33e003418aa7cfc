/** `price_history`: how the prices of a station moved. Counts as a request of `/statie/{id}/istoric`. */

import type { HistoryJson } from '../../api/contract/station-schemas.ts';
import { dayText } from '../../domain/days.ts';
import { Type } from '../../json/json-schema.ts';
import { counted, DAYS } from '../../site/html/counted.ts';
import { HISTORY_DAYS } from '../../snapshot/price-history.ts';
import { anyFuel, stationId, strict } from '../call/input-schemas.ts';
import { priceText } from '../call/station-text.ts';
import { tool } from '../call/tool.ts';

const DEFAULT_DAYS = 30;

/** A day on which the price is known. */
type Known = { readonly day: string; readonly price: number };

export const priceHistory = tool({
  name: 'price_history',
  title: 'Price history of a station',
  description:
    'How the prices of one station moved over up to 90 days. Without "fuel": first, latest, lowest and highest price of each fuel. With "fuel": its latest changes, newest first.',
  input: Type.Object(
    {
      station_id: stationId,
      fuel: Type.Optional(anyFuel),
      days: Type.Optional(
        Type.Integer({
          ...{ minimum: 1, maximum: HISTORY_DAYS },
          description: `How many days, today included; ${DEFAULT_DAYS} if left out.`,
        }),
      ),
    },
    strict,
  ),
  async answer({ station_id, fuel, days = DEFAULT_DAYS }, call) {
    const found = await call.request<HistoryJson>('getStationHistory', { segments: { station_id }, query: { days } });
    if ('refusal' in found) return found;
    const { labels, series } = found.json;
    const firstDay = call.snapshot.today - labels.length + 1;
    const knownOf = (prices: readonly (number | null)[]) =>
      prices.flatMap((price, index): Known[] => (price === null ? [] : [{ day: dayText(firstDay + index), price }]));
    const sold = Object.keys(series);
    if (fuel === undefined) {
      const rows = Object.entries(series).flatMap(([code, prices]) => summaryRows(code, knownOf(prices)));
      return { lead: `Prices of station ${station_id} over the last ${counted(days, DAYS, 'en')}:`, rows };
    }
    const prices = series[fuel];
    if (prices === undefined)
      return { refusal: `Station ${station_id} has no history of ${fuel}; it has ${sold.join(', ') || 'none'}.` };
    const rows = changeRows(knownOf(prices));
    return {
      lead: `Latest changes of ${fuel} at station ${station_id} within ${counted(days, DAYS, 'en')}, newest first:`,
      rows,
    };
  },
});

function summaryRows(fuel: string, known: readonly Known[]) {
  const [first, latest] = [known[0], known.at(-1)];
  if (first === undefined || latest === undefined) return [];
  const lowest = known.reduce((best, each) => (each.price < best.price ? each : best));
  const highest = known.reduce((best, each) => (each.price > best.price ? each : best));
  const change = Math.round((latest.price - first.price) * 100) / 100;
  const data = {
    ...{ fuel, first: first.price, first_day: first.day, latest: latest.price, latest_day: latest.day, change },
    ...{ lowest: lowest.price, lowest_day: lowest.day, highest: highest.price, highest_day: highest.day },
    days_known: known.length,
  };
  const text = `${fuel}: ${priceText(first.price)} on ${first.day}, ${priceText(latest.price)} on ${latest.day} (change ${change} RON); lowest ${priceText(lowest.price)} on ${lowest.day}, highest ${priceText(highest.price)} on ${highest.day}`;
  return [{ data, text }];
}

function changeRows(known: readonly Known[]) {
  const changes = known.flatMap(({ day, price }, index) => {
    const before = known[index - 1]?.price ?? null;
    if (before === price) return [];
    const text =
      before === null
        ? `${day}: ${priceText(price)}, the first known price of these days`
        : `${day}: ${priceText(price)}, before ${priceText(before)}`;
    return [{ data: { day, price, before }, text }];
  });
  return changes.reverse();
}
