/** What a table of the dumps is: one schema, from which every format and every description of it is made. */
import type { LocalizedText } from '../domain/localized-text.ts';
import type { Point } from '../domain/point.ts';

/** The types of Table Schema that we use. A `datetime` is an instant, a `date` a calendar day in Bucharest. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'date' | 'datetime';

/** A `date` is `YYYY-MM-DD`, a `datetime` epoch ms; `null` = not known. */
export type Cell = string | number | boolean | null;

export type Column<Row> = {
  readonly name: string;
  readonly type: ColumnType;
  readonly meaning: LocalizedText;
  /** Whether every row has a value. */
  readonly required: boolean;
  /** Whether the rows are in the order of this column: Parquet then stores the differences. */
  readonly ascending: boolean;
  readonly cellOf: (row: Row) => Cell;
};

export type Table<Row> = {
  /** Of its files and of its schema; never changes. */
  readonly name: string;
  readonly title: LocalizedText;
  readonly about: LocalizedText;
  /** Columns are only ever added at the end. */
  readonly columns: readonly Column<Row>[];
  /** The columns that together name a row. */
  readonly key: readonly string[];
  /** Where a row lies on the map; `null` = not known. Tables without places have none. */
  readonly pointOf?: (row: Row) => Point | null;
  /** The source whose licence the row depends on; `null` = one of several that are allowed. */
  readonly sourceOf?: (row: Row) => string | null;
};

/** A table whatever its rows are: for what describes it. */
export type AnyTable = Table<never>;

type Options = { readonly required?: true; readonly ascending?: true };

/** Makes the functions that declare the columns of a table. */
export function columnsOf<Row>() {
  const column =
    <Value extends Cell>(type: ColumnType) =>
    (
      name: string,
      meaning: LocalizedText,
      cellOf: (row: Row) => Value | null,
      { required, ascending }: Options = {},
    ): Column<Row> => ({
      name,
      type,
      meaning,
      required: required === true,
      ascending: ascending === true,
      cellOf,
    });
  return {
    text: column<string>('string'),
    number: column<number>('number'),
    flag: column<boolean>('boolean'),
    day: column<string>('date'),
    instant: column<number>('datetime'),
  };
}
