/** `/statie/{station_id}/istoric`: the days of the window, the series by fuel, the change over the window. */
import { type DayNumber, dayText } from '../domain/days.ts';
import type { Milli } from '../domain/fuel.ts';
import { HISTORY_DAYS, type StationHistory } from '../snapshot/history.ts';
import { FUEL_WORD, ron } from './contract.ts';
import type { HistoryJson } from './schemas.ts';

/** Makes the answers of one day: what all of them share is made once. */
export class HistoryAnswers {
  readonly #today: DayNumber;
  /** The days of the longest window as people read them, today last. */
  readonly #labels: readonly string[];

  constructor(today: DayNumber) {
    this.#today = today;
    this.#labels = Array.from({ length: HISTORY_DAYS }, (_, index) => label(today - HISTORY_DAYS + 1 + index));
  }

  /**
   * The answer for one station. The labels are all days from the later of the window's start and the station's first
   * known day, so a day without a measurement is a visible `null`. Decisions 30 and 31.
   */
  of(id: string, { firstDay, fuels, price }: StationHistory, days: number): HistoryJson {
    const first = Math.max(this.#today - days + 1, firstDay);
    const answer: HistoryJson = {
      status: 'ok',
      station_id: id,
      labels: this.#labels.slice(HISTORY_DAYS - (this.#today - first + 1)),
      series: {},
      variatie: {},
    };
    for (const fuel of fuels) {
      const known: Milli[] = [];
      const series: (number | null)[] = [];
      for (let day = first; day <= this.#today; day += 1) {
        const each = price(fuel, day);
        series.push(ron(each));
        if (each !== null) known.push(each);
      }
      answer.series[FUEL_WORD[fuel]] = series;
      if (known.length >= 2) answer.variatie[FUEL_WORD[fuel]] = toBani((known.at(-1) as Milli) - (known[0] as Milli));
    }
    return answer;
  }
}

/** `DD.MM`. */
function label(day: DayNumber): string {
  const text = dayText(day);
  return `${text.slice(8, 10)}.${text.slice(5, 7)}`;
}

/** A difference of prices in RON with 2 decimals, halves away from zero. */
function toBani(difference: Milli): number {
  const bani = Math.floor((Math.abs(difference) + 5) / 10);
  return difference < 0 && bani > 0 ? -bani / 100 : bani / 100;
}
