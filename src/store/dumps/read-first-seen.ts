/** When stations were first named. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

/** When one of these sources first named each station, epoch ms by its id. */
export async function readFirstSeen(tx: Kysely<Schema>, sources: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ station: string; at: number }>`
    select station_id as station, min(first_at) as at from station_aliases
    where source = any(${[...sources]}::text[]) group by station_id`.execute(tx);
  return new Map(rows.map(({ station, at }) => [station, at]));
}
