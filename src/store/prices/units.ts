/** Which units of a source are known, for the next sweep. */
import type { Kysely } from 'kysely';
import type { Schema } from '../connection/schema.ts';

export type KnownUnits = {
  /** The networks of the rows, by unit. */
  readonly unitsWithRows: ReadonlyMap<string, ReadonlySet<string>>;
  readonly extraUnits: readonly number[];
};

/** Units that currently have rows, with their networks, and the administrative units of the source's stations. */
export async function knownUnits(db: Kysely<Schema>, source: string): Promise<KnownUnits> {
  const units = await db
    .selectFrom('price_facts as fact')
    .leftJoin('station_aliases as alias', (join) =>
      join.onRef('alias.source', '=', 'fact.source').onRef('alias.station_id', '=', 'fact.station_id'),
    )
    .select(['fact.unit', 'alias.network'])
    .distinct()
    .where('fact.source', '=', source)
    .where('fact.missing_since', 'is', null)
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
    unitsWithRows: networksByUnit(units),
    extraUnits: codes.flatMap(({ siruta }) => (siruta === null ? [] : [siruta])),
  };
}

/** The networks of rows, by unit; `null` = the network is unknown. */
export function networksByUnit(
  rows: readonly { readonly unit: string; readonly network: string | null }[],
): Map<string, Set<string>> {
  const units = Map.groupBy(rows, ({ unit }) => unit);
  const networks = (list: typeof rows) => list.flatMap(({ network }) => (network === null ? [] : [network]));
  return new Map([...units].map(([unit, list]) => [unit, new Set(networks(list))]));
}
