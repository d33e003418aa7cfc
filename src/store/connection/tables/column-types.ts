/** Instants as columns have them: read as epoch milliseconds, written as `Date`. */
import type { ColumnType } from 'kysely';

export type Instant = ColumnType<number, Date, Date>;
export type MaybeInstant = ColumnType<number | null, Date | null, Date | null>;
