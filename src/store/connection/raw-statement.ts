/** Statements as text, within a transaction. */
import { CompiledQuery, type Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Runs a statement with its values for `$1`, `$2` … in a transaction; resolves with the rows. */
export async function runRaw<Row>(tx: Kysely<Schema>, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await tx.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}
