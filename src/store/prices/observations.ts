/** Price facts: what each source says now, and the append-only record of every change. */
import { type Kysely, sql } from 'kysely';
import { type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import type { KnownPrice, PriceObservation } from '../../domain/prices/apply-collection.ts';
import type { ObservationTime } from '../../domain/reports/observation.ts';
import type { Schema } from '../connection/schema.ts';

/** The current facts of one source. */
export async function loadKnownPrices(db: Kysely<Schema>, source: string): Promise<KnownPrice[]> {
  const rows = await db.selectFrom('price_facts').selectAll().where('source', '=', source).execute();
  return rows.map(toKnownPrice);
}

/** Inserts or replaces current facts. */
export async function saveKnownPrices(db: Kysely<Schema>, facts: readonly KnownPrice[], at: number): Promise<void> {
  const rows = facts.map((fact) => ({
    station_id: fact.station,
    fuel: FUELS.indexOf(fact.fuel),
    source: fact.source,
    unit: fact.unit,
    price: fact.price,
    ...observedColumns(fact.observed),
    since_day: dayText(fact.sinceDay),
    changed: fact.changed,
    missing_since: fact.missingSince === null ? null : new Date(fact.missingSince),
  }));
  await sql`
    insert into price_facts (station_id, fuel, source, unit, price, observed_day, observed_at, observed_text,
      since_day, changed, missing_since, seen_at)
    select station_id, fuel, source, unit, price, observed_day, observed_at, observed_text,
      since_day, changed, missing_since, ${new Date(at)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (station_id text, fuel smallint, source text,
      unit text, price int, observed_day date, observed_at timestamptz, observed_text text, since_day date,
      changed boolean, missing_since timestamptz)
    on conflict (station_id, fuel, source) do update set unit = excluded.unit, price = excluded.price,
      observed_day = excluded.observed_day, observed_at = excluded.observed_at,
      observed_text = excluded.observed_text, since_day = excluded.since_day, changed = excluded.changed,
      missing_since = excluded.missing_since, seen_at = excluded.seen_at`.execute(db);
}

/** Removes current facts that no longer hold; the observations stay. */
export async function removeKnownPrices(
  db: Kysely<Schema>,
  source: string,
  gone: readonly { station: string; fuel: Fuel }[],
): Promise<void> {
  await sql`
    delete from price_facts using unnest(${gone.map(({ station }) => station)}::text[],
      ${gone.map(({ fuel }) => FUELS.indexOf(fuel))}::smallint[]) as gone (station, fuel)
    where source = ${source} and station_id = gone.station and price_facts.fuel = gone.fuel`.execute(db);
}

/** Appends observations, all made at one moment. */
export async function appendObservations(
  db: Kysely<Schema>,
  observations: readonly PriceObservation[],
  at: number,
  runId: number | null,
): Promise<void> {
  const rows = observations.map((row) => ({
    station_id: row.station,
    fuel: FUELS.indexOf(row.fuel),
    source: row.source,
    price: row.price,
    missing: row.missing,
    ...observedColumns(row.observed),
  }));
  await sql`
    insert into observations (station_id, fuel, source, price, missing, observed_day, observed_at, observed_text,
      seen_at, run_id)
    select station_id, fuel, source, price, missing, observed_day, observed_at, observed_text,
      ${new Date(at)}, ${runId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (station_id text, fuel smallint, source text,
      price int, missing boolean, observed_day date, observed_at timestamptz, observed_text text)`.execute(db);
}

type KnownPriceRow = {
  station_id: string;
  fuel: number;
  source: string;
  unit: string;
  price: number | null;
  observed_day: string | null;
  observed_at: number | null;
  observed_text: string | null;
  since_day: string;
  changed: boolean;
  missing_since: number | null;
};

/** Converts a stored row to a fact. */
export function toKnownPrice(row: KnownPriceRow): KnownPrice {
  return {
    station: row.station_id,
    fuel: FUELS[row.fuel] as Fuel,
    source: row.source,
    unit: row.unit,
    price: row.price,
    observed: toObserved(row),
    sinceDay: dayNumber(row.since_day) as DayNumber,
    changed: row.changed,
    missingSince: row.missing_since,
  };
}

function toObserved(
  row: Pick<KnownPriceRow, 'observed_day' | 'observed_at' | 'observed_text'>,
): ObservationTime | null {
  return row.observed_day === null ? null : { day: row.observed_day, at: row.observed_at, text: row.observed_text };
}

function observedColumns(observed: ObservationTime | null) {
  return {
    observed_day: observed?.day ?? null,
    observed_at: observed?.at == null ? null : new Date(observed.at),
    observed_text: observed?.text ?? null,
  };
}
