/**
 * Stations, and source stations: each source's description of a station under its own key. The table of source stations
 * is called `station_aliases`.
 */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SourceStation } from '../../domain/stations/source-station.ts';
import { fetchBatches } from '../connection/fetch-batches.ts';
import type { Schema } from '../connection/schema.ts';

/** The source stations of one source, or of all. */
export async function loadSourceStations(db: Kysely<Schema>, source?: string): Promise<SourceStation[]> {
  const all = sourceStations(db);
  const rows = await (source === undefined ? all : all.where('source', '=', source)).execute();
  return rows.map(toSourceStation);
}

/** All source stations, some at a time. Call it in a transaction that does nothing else meanwhile. */
export async function fetchSourceStations(tx: Kysely<Schema>, batchRows: number): Promise<SourceStation[]> {
  const all: SourceStation[] = [];
  const query = sql<SourceStationRecord>`${sourceStations(tx)}`;
  for await (const rows of fetchBatches(tx, query, batchRows)) all.push(...rows.map(toSourceStation));
  return all;
}

const sourceStations = (db: Kysely<Schema>) =>
  db.selectFrom('station_aliases').selectAll().orderBy('source').orderBy('key');

type SourceStationRecord = Selectable<Schema['station_aliases']>;

function toSourceStation({ station_id, first_at: _, seen_at, ...row }: SourceStationRecord): SourceStation {
  return { ...row, station: station_id, seenAt: seen_at };
}

/** The ids of all stations. */
export async function stationIds(db: Kysely<Schema>): Promise<string[]> {
  return (await db.selectFrom('stations').select('id').execute()).map(({ id }) => id);
}

/** The station with a key such as `register:R1009` or `prices:socar:7`; `null` if there is none. */
export async function findStationBySourceKey(db: Kysely<Schema>, sourceKey: string): Promise<string | null> {
  const row = await db
    .selectFrom('station_aliases')
    .select('station_id')
    // Both parts may contain colons, so compare the key as a whole.
    .where(sql`source || ':' || key`, '=', sourceKey)
    .orderBy('source')
    .limit(1)
    .executeTakeFirst();
  return row?.station_id ?? null;
}

/** Creates the stations that do not exist yet. */
export async function createStations(db: Kysely<Schema>, ids: readonly string[], at: number): Promise<void> {
  await sql`
    insert into stations (id, created_at) select unnest(${ids}::text[]), ${new Date(at)}
    on conflict do nothing`.execute(db);
}

/** The columns of what a source says about a station, without its key and times, and their types in the statement. */
const DESCRIPTION_COLUMNS = {
  station_id: 'text',
  network: 'text',
  brand: 'text',
  name: 'text',
  address: 'text',
  lat: 'float8',
  lng: 'float8',
  siruta: 'int',
  locality: 'text',
  hours: 'text',
  services: 'text[]',
  phone: 'text',
  manual: 'jsonb',
} satisfies Record<Exclude<keyof Schema['station_aliases'], 'source' | 'key' | 'first_at' | 'seen_at'>, string>;

/** Has a value for every column: a field whose column has another name must be mapped, or `tsc` fails. */
type SourceStationRow = Record<keyof typeof DESCRIPTION_COLUMNS | 'source' | 'key' | 'seen_at', unknown>;

const columnList = (prefix = '') =>
  sql.raw(
    Object.keys(DESCRIPTION_COLUMNS)
      .map((name) => prefix + name)
      .join(', '),
  );
const TYPED_COLUMNS = sql.raw(
  Object.entries(DESCRIPTION_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
);

/** Stores what a source says about its stations, where it changed; `onlyNew` leaves known source stations unchanged. */
export async function saveSourceStations(
  db: Kysely<Schema>,
  sourceStations: readonly SourceStation[],
  onlyNew: boolean,
): Promise<void> {
  const rows = sourceStations.map(
    ({ station, seenAt, ...sourceStation }): SourceStationRow => ({
      ...sourceStation,
      station_id: station,
      seen_at: new Date(seenAt),
    }),
  );
  const onConflict = onlyNew
    ? sql`do nothing`
    : sql`do update set (${columnList()}, seen_at) = row(${columnList('excluded.')}, excluded.seen_at)
      where (${columnList('station_aliases.')}) is distinct from (${columnList('excluded.')})`;
  await sql`
    insert into station_aliases (source, key, ${columnList()}, first_at, seen_at)
    select source, key, ${columnList()}, seen_at, seen_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (source text, key text, ${TYPED_COLUMNS}, seen_at timestamptz)
    on conflict (source, key) ${onConflict}`.execute(db);
}
