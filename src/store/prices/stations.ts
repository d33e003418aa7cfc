/** Stations and the names the sources have for them. */
import { type Kysely, sql } from 'kysely';
import type { Alias } from '../../domain/stations/alias.ts';
import type { Schema } from '../connection/schema.ts';

/** The names of one source, or of all. */
export async function loadAliases(db: Kysely<Schema>, source?: string): Promise<Alias[]> {
  let query = db.selectFrom('station_aliases').selectAll().orderBy('source').orderBy('key');
  if (source !== undefined) query = query.where('source', '=', source);
  const rows = await query.execute();
  return rows.map(({ station_id, first_at: _, seen_at, ...row }) => ({ ...row, station: station_id, seenAt: seen_at }));
}

/** The ids of all stations. */
export async function stationIds(db: Kysely<Schema>): Promise<string[]> {
  return (await db.selectFrom('stations').select('id').execute()).map(({ id }) => id);
}

/** The station with a name such as `register:R1009` or `prices:socar:7`; `null` if there is none. */
export async function findStationByAlias(db: Kysely<Schema>, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('station_aliases')
    .select('station_id')
    // Both parts may contain colons, so compare the name as a whole.
    .where(sql`source || ':' || key`, '=', name)
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

/** Stores what a source says about its stations, where it changed; with `onlyNew` it leaves known names unchanged. */
export async function saveAliases(db: Kysely<Schema>, aliases: readonly Alias[], onlyNew: boolean): Promise<void> {
  const rows = aliases.map(({ station, seenAt, ...alias }) => ({
    ...alias,
    station_id: station,
    seen_at: new Date(seenAt),
  }));
  const onConflict = onlyNew
    ? sql`do nothing`
    : sql`do update set station_id = excluded.station_id, network = excluded.network, brand = excluded.brand,
        name = excluded.name, address = excluded.address, lat = excluded.lat, lng = excluded.lng,
        siruta = excluded.siruta, locality = excluded.locality, hours = excluded.hours, services = excluded.services,
        phone = excluded.phone, manual = excluded.manual, seen_at = excluded.seen_at
      where (station_aliases.station_id, station_aliases.network, station_aliases.brand, station_aliases.name,
        station_aliases.address, station_aliases.lat, station_aliases.lng, station_aliases.siruta,
        station_aliases.locality, station_aliases.hours, station_aliases.services, station_aliases.phone,
        station_aliases.manual) is distinct from (excluded.station_id, excluded.network, excluded.brand, excluded.name,
        excluded.address, excluded.lat, excluded.lng, excluded.siruta, excluded.locality, excluded.hours,
        excluded.services, excluded.phone, excluded.manual)`;
  await sql`
    insert into station_aliases (source, key, station_id, network, brand, name, address, lat, lng, siruta, locality,
      hours, services, phone, manual, first_at, seen_at)
    select source, key, station_id, network, brand, name, address, lat, lng, siruta, locality,
      hours, services, phone, manual, seen_at, seen_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (source text, key text, station_id text,
      network text, brand text, name text, address text, lat float8, lng float8, siruta int, locality text,
      hours text, services text[], phone text, manual jsonb, seen_at timestamptz)
    on conflict (source, key) ${onConflict}`.execute(db);
}
