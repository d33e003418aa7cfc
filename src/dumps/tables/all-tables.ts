/** The tables of station-level data, in the order in which they are described. */
import type { AnyTable } from '../table.ts';
import { CURRENT_PRICE_TABLE } from './current-price-table.ts';
import { DAILY_PRICE_TABLE } from './daily-price-table.ts';
import { PRICE_CHANGE_TABLE } from './price-change-table.ts';
import { SERVED_CHANGE_TABLE } from './served-change-table.ts';
import { STATION_TABLE } from './station-table.ts';

export const DUMP_TABLES: readonly AnyTable[] = [
  STATION_TABLE,
  CURRENT_PRICE_TABLE,
  PRICE_CHANGE_TABLE,
  SERVED_CHANGE_TABLE,
  DAILY_PRICE_TABLE,
];
