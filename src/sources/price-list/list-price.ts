/** Parses the price in one cell of a price list. */
import type { Fuel, PriceRanges } from '../../domain/fuel.ts';
import { cleanText } from '../feed/fields.ts';
import { type PriceResult, readPrice } from '../feed/price.ts';
import type { Cell } from './list-table.ts';

const CURRENCY = '(?:ron|lei|leu)';
const PER_LITRE = '(?:\\s*/\\s*(?:l|litru))';
/** `8,79 lei/L`, `RON 8.79`, `8.79/l`: one separator before the decimals, and nothing else. */
const PRICE_WITH_CURRENCY = new RegExp(
  `^(?:${CURRENCY}${PER_LITRE}?\\s*)?(-?\\d{1,10}(?:[.,]\\d{1,10})?)(?:\\s*${CURRENCY})?${PER_LITRE}?$`,
  'i',
);
/** Two separators, or a space, between digits: thousands or a typing error. We do not guess. */
const AMBIGUOUS_SEPARATORS = /\d[.,'’ ]\d+[.,'’ ]\d|\d[ '’]\d/;

/**
 * Converts RON per litre into thousandths. It accepts a number or a decimal with a dot; with `allowsCurrency` (lists
 * with a map) also a decimal comma and the names of the currency. A price out of range is kept as a fact.
 */
export function listPrice(cell: Cell, fuel: Fuel, ranges: PriceRanges, allowsCurrency: boolean): PriceResult {
  if (!allowsCurrency || typeof cell !== 'string') return readPrice(cell === null ? '' : cell, fuel, ranges);
  const text = cleanText(cell);
  if (isBlank(cell)) return readPrice('', fuel, ranges);
  const number = PRICE_WITH_CURRENCY.exec(text)?.[1];
  if (number !== undefined) return readPrice(number.replace(',', '.'), fuel, ranges);
  return { price: null, rejected: AMBIGUOUS_SEPARATORS.test(text) ? 'price_ambiguous' : 'price_not_a_number' };
}

/** Whether a cell is empty or a dash. */
export function isBlank(cell: Cell): boolean {
  return cell === null || (typeof cell === 'string' && /^[-–—\s]*$/.test(cell));
}

/** A coordinate; with `allowsComma` (lists with a map) its decimal comma becomes a dot. */
export function listDegrees(cell: Cell, allowsComma: boolean): unknown {
  return allowsComma && typeof cell === 'string' ? cell.trim().replace(/^(-?\d{1,3}),(\d+)$/, '$1.$2') : cell;
}
