/** One column a fuel, named by its code, with prices in RON per litre. */
import { FUEL_NAME, type Fuel, type MilliPrice } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { type Column, columnsOf } from '../table.ts';

/** The columns of these fuels; `what` is what the price is, such as the lowest one. */
export function fuelColumns<Row, F extends Fuel>(
  fuels: readonly F[],
  what: { readonly ro: string; readonly en: string },
  priceOf: (row: Row, fuel: F) => MilliPrice | null,
): Column<Row>[] {
  const { number } = columnsOf<Row>();
  return fuels.map((fuel) =>
    number(
      FUEL_CODE[fuel],
      {
        ro: `${FUEL_NAME[fuel].ro}: ${what.ro}, lei pe litru`,
        en: `${FUEL_NAME[fuel].en}: ${what.en}, RON per litre`,
      },
      (row) => ron(priceOf(row, fuel)),
    ),
  );
}

/** RON per litre, with at most three decimals; equal in every format. */
export function ron(price: MilliPrice | null): number | null {
  return price === null ? null : price / 1000;
}
