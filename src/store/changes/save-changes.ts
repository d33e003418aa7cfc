/** Stores a told state: its changes, what is served now, and how far the feed has come. */
import { type Kysely, sql } from 'kysely';
import type { ServedChange, ServedState } from '../../domain/changes/served-change.ts';
import type { ServedPrice } from '../../domain/changes/served-price.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { CHANGES_CHANNEL, type FeedHead } from './feed-head.ts';

/** The state told last. */
export async function loadServedState(db: Kysely<Schema>): Promise<Map<string, Map<Fuel, ServedPrice>>> {
  const rows = await db.selectFrom('served_prices').selectAll().execute();
  const state = new Map<string, Map<Fuel, ServedPrice>>();
  for (const { station_id: station, fuel, price, reason } of rows) {
    const known = state.get(station) ?? new Map<Fuel, ServedPrice>();
    state.set(station, known.set(FUELS[fuel] as Fuel, { price, reason }));
  }
  return state;
}

/** Replaces the stored state without telling a change. */
export async function replaceServedState(tx: Kysely<Schema>, state: ServedState): Promise<void> {
  await tx.deleteFrom('served_prices').execute();
  const rows = [...state].flatMap(([station_id, prices]) =>
    [...prices].map(([fuel, { price, reason }]) => ({ station_id, fuel: FUELS.indexOf(fuel), price, reason })),
  );
  await savePrices(tx, rows);
}

/** Appends changes, numbered from `head.seq - changes.length + 1` on, and applies them to the stored state. */
export async function appendChanges(
  tx: Kysely<Schema>,
  changes: readonly ServedChange[],
  head: FeedHead,
): Promise<void> {
  if (changes.length === 0) return;
  const first = head.seq - changes.length + 1;
  const rows = changes.map((change, index) => ({
    seq: first + index,
    station_id: change.station,
    fuel: change.fuel === null ? null : FUELS.indexOf(change.fuel),
    kind: change.kind,
    old_price: change.before.price,
    old_reason: change.before.reason,
    new_price: change.after.price,
    new_reason: change.after.reason,
    source: change.source,
    observed_day: change.observed?.day ?? null,
    observed_at: change.observed?.at == null ? null : new Date(change.observed.at),
    ...{ county: change.county, city: change.city, network: change.network },
  }));
  await sql`
    insert into served_changes (seq, version, told_at, station_id, fuel, kind, old_price, old_reason, new_price,
      new_reason, source, observed_day, observed_at, county, city, network)
    select seq, ${head.version}, ${instant(head.from)}, station_id, fuel, kind, old_price, old_reason, new_price,
      new_reason, source, observed_day, observed_at, county, city, network
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (seq bigint, station_id text, fuel smallint,
      kind text, old_price int, old_reason text, new_price int, new_reason text, source text, observed_day date,
      observed_at timestamptz, county text, city text, network text)`.execute(tx);
  const priced = rows.filter(({ fuel }) => fuel !== null);
  await savePrices(
    tx,
    priced.flatMap(({ station_id, fuel, new_price: price, new_reason: reason }) =>
      reason === 'unsold' ? [] : [{ station_id, fuel, price, reason }],
    ),
  );
  const gone = priced.filter(({ new_reason }) => new_reason === 'unsold');
  await sql`
    delete from served_prices using unnest(${gone.map((row) => row.station_id)}::text[],
      ${gone.map(({ fuel }) => fuel)}::smallint[]) as gone (station_id, fuel)
    where served_prices.station_id = gone.station_id and served_prices.fuel = gone.fuel`.execute(tx);
}

/** Ends the telling of a state: it becomes the last one, and is announced at commit. */
export async function completeState(tx: Kysely<Schema>, head: FeedHead): Promise<void> {
  const { epoch, seq, states, version, from, until } = head;
  const times = { told_at: new Date(from), until: new Date(until) };
  await tx
    .insertInto('served_states')
    .values({ number: states, seq, version, ...times })
    .execute();
  await tx
    .updateTable('change_feed')
    .set({ epoch, seq, states, version, ...times })
    .execute();
  await sql`select pg_notify(${CHANGES_CHANNEL}, ${String(states)})`.execute(tx);
}

type PriceRow = { station_id: string; fuel: number | null; price: number | null; reason: string | null };

async function savePrices(tx: Kysely<Schema>, rows: readonly PriceRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into served_prices (station_id, fuel, price, reason)
    select station_id, fuel, price, reason from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (station_id text, fuel smallint, price int, reason text)
    on conflict (station_id, fuel) do update set price = excluded.price, reason = excluded.reason`.execute(tx);
}
