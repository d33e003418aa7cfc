/** Prices as columns: a text that many prices have is stored once, and is one object when it is read. */
import type { Fuel } from '../../domain/fuel.ts';
import type { StoredPrice } from '../../domain/prices/facts.ts';

/**
 * Item i of each column belongs to price i: a text as its position in `texts`, a time as epoch ms, the rest as
 * `StoredPrice` has it. `NONE` stands for a text or price that is missing, NaN for a time.
 */
export type PriceColumns = {
  readonly texts: readonly string[];
  readonly station: Int32Array;
  readonly source: Int32Array;
  readonly unit: Int32Array;
  readonly fuel: Int32Array;
  readonly price: Int32Array;
  readonly observedDay: Int32Array;
  readonly observedAt: Float64Array;
  readonly observedText: Int32Array;
  readonly sinceDay: Int32Array;
  readonly changed: Uint8Array;
  readonly readAt: Float64Array;
  readonly missingSince: Float64Array;
};

const NONE = -1;

/** Each text has one position, however many prices have it. */
export function toPriceColumns(prices: readonly StoredPrice[]): PriceColumns {
  const positions = new Map<string, number>();
  const texts = (textOf: (price: StoredPrice) => string | null | undefined) =>
    Int32Array.from(prices, (price) => {
      const text = textOf(price) ?? null;
      return text === null ? NONE : positions.getOrInsert(text, positions.size);
    });
  const times = (timeOf: (price: StoredPrice) => number | null | undefined) =>
    Float64Array.from(prices, (price) => timeOf(price) ?? Number.NaN);
  const columns = {
    station: texts(({ station }) => station),
    source: texts(({ source }) => source),
    unit: texts(({ unit }) => unit),
    fuel: texts(({ fuel }) => fuel),
    price: Int32Array.from(prices, ({ price }) => price ?? NONE),
    observedDay: texts(({ observed }) => observed?.day),
    observedAt: times(({ observed }) => observed?.at),
    observedText: texts(({ observed }) => observed?.text),
    sinceDay: Int32Array.from(prices, ({ sinceDay }) => sinceDay),
    changed: Uint8Array.from(prices, ({ changed }) => Number(changed)),
    readAt: times(({ readAt }) => readAt),
    missingSince: times(({ missingSince }) => missingSince),
  };
  return { texts: [...positions.keys()], ...columns };
}

/** Adds the prices of columns to `prices`, each text as the object that `known` has of it, or now gets. */
export function addPricesOf(columns: PriceColumns, known: Map<string, string>, prices: StoredPrice[]): void {
  const texts = columns.texts.map((text) => known.getOrInsert(text, text));
  const textAt = (column: Int32Array, at: number) => texts[column[at] as number] as string;
  for (let at = 0; at < columns.price.length; at += 1) {
    const observedText = columns.observedText[at] as number;
    prices.push({
      station: textAt(columns.station, at),
      source: textAt(columns.source, at),
      unit: textAt(columns.unit, at),
      fuel: textAt(columns.fuel, at) as Fuel,
      price: columns.price[at] === NONE ? null : (columns.price[at] as number),
      observed:
        columns.observedDay[at] === NONE
          ? null
          : {
              day: textAt(columns.observedDay, at),
              at: timeOf(columns.observedAt[at] as number),
              text: observedText === NONE ? null : (texts[observedText] as string),
            },
      sinceDay: columns.sinceDay[at] as number,
      changed: columns.changed[at] === 1,
      readAt: columns.readAt[at] as number,
      missingSince: timeOf(columns.missingSince[at] as number),
    });
  }
}

const timeOf = (time: number): number | null => (Number.isNaN(time) ? null : time);
