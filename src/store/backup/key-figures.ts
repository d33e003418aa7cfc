/** What a drill compares of API keys: how many there are, and what they have used. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

export type KeyFigures = {
  readonly keys: number;
  readonly revoked: number;
  readonly used: number;
  readonly total: number;
};

export async function readKeyFigures(tx: Kysely<Schema>): Promise<KeyFigures> {
  const { rows } = await sql<KeyFigures>`
    select (select count(*) from api_keys) as keys,
      (select count(*) from api_keys where revoked_at is not null) as revoked,
      (select coalesce(sum(used), 0)::bigint from key_usage) as used,
      (select coalesce(sum(total), 0)::bigint from key_usage) as total`.execute(tx);
  return rows[0] as KeyFigures;
}
