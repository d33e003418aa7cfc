/** `/statie/{station_id}/istoric`: the days of the window, the series per fuel, the change over the window. */
import { type DayNumber, dayText } from '../../domain/days.ts';
import type { MilliPrice } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { HISTORY_DAYS, type StationHistory } from '../../snapshot/price-history.ts';
import { toRon } from '../contract/contract.ts';

/** Renders the histories of one day; what they share is rendered once. */
export class HistoryRenderer {
  readonly #today: DayNumber;
  /** The days of the longest window as displayed, today last, as JSON. */
  readonly #labels: readonly string[];
  /** The JSON list of the last n labels, by n. */
  readonly #labelLists = new Map<number, string>();

  constructor(today: DayNumber) {
    this.#today = today;
    this.#labels = Array.from({ length: HISTORY_DAYS }, (_, index) => dayLabel(today - HISTORY_DAYS + 1 + index));
  }

  /**
   * The answer for one station, as JSON. The labels are all days from the later of the window's start and the station's
   * first known day, so a day without a measurement is a visible `null`. Rules 30 and 31.
   */
  render(id: string, { firstDay, fuels, price }: StationHistory, days: number): string {
    const first = Math.max(this.#today - days + 1, firstDay);
    const series: string[] = [];
    const changes: string[] = [];
    for (const fuel of fuels) {
      const prices: string[] = [];
      let known = 0;
      let earliest = 0;
      let latest = 0;
      for (let day = first; day <= this.#today; day += 1) {
        const each = price(fuel, day);
        prices.push(priceJson(each));
        if (each === null) continue;
        if (known === 0) earliest = each;
        latest = each;
        known += 1;
      }
      const name = FUEL_CODE[fuel];
      series.push(`"${name}":[${prices.join()}]`);
      if (known >= 2) changes.push(`"${name}":${roundToBani(latest - earliest)}`);
    }
    const labels = this.#lastLabels(this.#today - first + 1);
    return `{"status":"ok","station_id":${JSON.stringify(id)},"labels":${labels},"series":{${series.join()}},"variatie":{${changes.join()}}}`;
  }

  #lastLabels(count: number): string {
    const known = this.#labelLists.get(count);
    if (known !== undefined) return known;
    const list = `[${this.#labels.slice(HISTORY_DAYS - count).join()}]`;
    this.#labelLists.set(count, list);
    return list;
  }
}

/** Above every valid price. */
const MAX_CACHED_PRICE: MilliPrice = 20_000;
/** Prices as JSON by thousandths, each formatted on first use: number formatting is the largest cost of a history. */
const priceTexts: (string | null)[] = Array.from({ length: MAX_CACHED_PRICE + 1 }, () => null);

function priceJson(price: MilliPrice | null): string {
  if (price === null) return 'null';
  const known = priceTexts[price];
  if (known) return known;
  const text = String(toRon(price));
  if (price <= MAX_CACHED_PRICE) priceTexts[price] = text;
  return text;
}

/** `DD.MM` in quotes. */
function dayLabel(day: DayNumber): string {
  const text = dayText(day);
  return `"${text.slice(8, 10)}.${text.slice(5, 7)}"`;
}

/** A difference of prices in RON with 2 decimals, halves away from zero. */
function roundToBani(difference: MilliPrice): number {
  const bani = Math.floor((Math.abs(difference) + 5) / 10);
  return difference < 0 && bani > 0 ? -bani / 100 : bani / 100;
}
