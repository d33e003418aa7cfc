/** Parses single values of `import` files. Each parser returns the value or throws a clause for the row's message. */
import { FUELS, type Fuel, isInRange, type MilliPrice, type PriceRanges, toMilliPrice } from '../../domain/fuel.ts';
import { FUEL_CODES, fuelOfCode } from '../../domain/fuel-codes.ts';
import { visibleText } from '../../domain/visible-text.ts';
import { type BadRow, isBadRow, type RawRow } from './import-table.ts';

/** A value is wrong; the message is a clause. */
export class BadCell extends Error {}

/** Parses every row, without hidden characters; a refused one carries the reason. */
export function parseManualRows<T>(
  rows: readonly (RawRow | BadRow)[],
  parseRow: (values: RawRow['values'], where: string) => T,
): (T | BadRow)[] {
  return rows.map((row) => {
    if (isBadRow(row)) return row;
    try {
      return parseRow(visibleValues(row.values), row.where);
    } catch (error) {
      if (!(error instanceof BadCell)) throw error;
      return { where: row.where, problem: error.message };
    }
  });
}

/** Removes hidden characters: they are seldom intended, and nobody would notice them before they are public. */
function visibleValues(values: RawRow['values']): RawRow['values'] {
  const entries = Object.entries(values).map(([name, value]) => {
    const text = visibleText(value);
    if (text === null) throw new BadCell(`${name} must not have more than 30 marks on one character`);
    if (text === '' && value !== '') throw new BadCell(`${name} must have a character that can be seen`);
    return [name, text];
  });
  return Object.fromEntries(entries);
}

export function parseFuelCode(word: string): Fuel {
  const fuel = fuelOfCode(word);
  if (fuel === undefined) throw new BadCell(`fuel "${word}" must be one of ${FUEL_CODES.join(', ')}`);
  return fuel;
}

/** Fuels of a list separated by `;`, in the contract's order, each once. */
export function fuelsOf(list: string): Fuel[] {
  const named = new Set(splitList(list).map(parseFuelCode));
  return FUELS.filter((fuel) => named.has(fuel));
}

export function splitList(list: string): string[] {
  return list
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A decimal number of degrees within bounds. */
export function parseDegrees(name: string, text: string, most: number): number {
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(value) <= most) return value;
  throw new BadCell(`${name} "${text}" must be a number from -${most} to ${most}, such as 44.4325`);
}

/** RON per litre with a decimal dot, in the fuel's range. */
export function parsePrice(text: string, fuel: Fuel, ranges: PriceRanges): MilliPrice {
  const milli = /^\d+(\.\d+)?$/.test(text) ? toMilliPrice(Number(text)) : null;
  if (milli !== null && isInRange(milli, fuel, ranges)) return milli;
  const { min, max } = ranges[fuel];
  throw new BadCell(
    `price "${text}" must be from ${(min / 1000).toFixed(2)} to ${(max / 1000).toFixed(2)}, with a dot`,
  );
}

/** An ISO 8601 instant with an offset, not more than ten minutes ahead of `now`; epoch ms. */
export function pastInstant(name: string, text: string, now: number): number {
  const instant = parseInstant(text);
  if (instant === null)
    throw new BadCell(`${name} "${text}" must be ISO 8601 with an offset, such as 2026-11-20T08:30:00+02:00`);
  if (instant > now + TOLERATED_AHEAD_MS) throw new BadCell(`${name} "${text}" lies in the future`);
  return instant;
}

/** How far clocks may differ before a time counts as being in the future. */
export const TOLERATED_AHEAD_MS = 600_000;

/** ISO 8601 with an offset → epoch ms; `null` for anything else. */
export function parseInstant(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return null;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return null;
  }
}

export function parseBoolean(name: string, text: string): boolean | null {
  if (text === '') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new BadCell(`${name} "${text}" must be true or false`);
}

/** A calendar day that exists and is not after `today` (both `YYYY-MM-DD`). */
export function pastDay(name: string, text: string, today: string): string {
  const exists = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!exists || new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) !== text || text < '1990-01-01') {
    throw new BadCell(`${name} "${text}" must be a day such as 2026-11-20`);
  }
  if (text > today) throw new BadCell(`${name} "${text}" lies in the future`);
  return text;
}
