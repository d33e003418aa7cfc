/** Which units of a source are known, for the next sweep. */
import type { Kysely } from 'kysely';
import type { Schema } from '../connection/schema.ts';

export type KnownUnits = { readonly unitsWithRows: ReadonlySet<string>; readonly extraUnits: readonly number[] };

/** Units that currently have rows, and the administrative units of the source's stations. */
export async function knownUnits(db: Kysely<Schema>, source: string): Promise<KnownUnits> {
  const units = await db
    .selectFrom('price_facts')
    .select('unit')
    .distinct()
    .where('source', '=', source)
    .where('missing_since', 'is', null)
    .execute();
  const codes = await db
    .selectFrom('station_aliases')
    .select('siruta')
    .distinct()
    .where('source', '=', source)
    .where('siruta', 'is not', null)
    .orderBy('siruta')
    .execute();
  return {
    unitsWithRows: new Set(units.map(({ unit }) => unit)),
    extraUnits: codes.flatMap(({ siruta }) => (siruta === null ? [] : [siruta])),
  };
}
