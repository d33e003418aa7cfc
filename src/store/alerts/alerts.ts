/** The state that alerts are evaluated on, and the results. An evaluation and its deliveries are one transaction. */
import { type Kysely, sql } from 'kysely';
import type { AlertRule, PastDay, SentAlert, TrustedPrice } from '../../domain/alerts/alert.ts';
import { type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import { FUELS, type MilliPrice, type RoadFuel } from '../../domain/fuel.ts';
import { fetchBatches } from '../connection/fetch-batches.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { inReadSnapshot } from '../prices/publication.ts';

/** A place and fuel that alerts are evaluated for; `city` is a slug, `null` = the whole country. */
export type AlertSubject = { readonly city: string | null; readonly fuel: RoadFuel };

export type AlertDetails = {
  readonly rule: AlertRule;
  readonly change: MilliPrice;
  /** For the rule `day`: the day that the price is compared with, `YYYY-MM-DD`. */
  readonly since: string | null;
  readonly station: string;
  readonly network: string;
  readonly address: string;
  /** ASCII name of the city that the station is in. */
  readonly stationCity: string;
  /** ASCII name of the city of the alert; `null` = the whole country. */
  readonly city: string | null;
  /** Whether the price is simulated by the demo. */
  readonly simulated: boolean;
};

export type NewAlert = AlertSubject & {
  readonly version: number;
  /** Epoch ms. */
  readonly at: number;
  readonly price: MilliPrice;
  readonly details: AlertDetails;
};

const indexOf = (fuel: RoadFuel) => FUELS.indexOf(fuel);
const fuelOf = (index: number) => FUELS[index] as RoadFuel;
/** The fuels of a subscription without a fuel. */
const DEFAULT_FUELS = [indexOf('petrol'), indexOf('diesel')];

export type AlertsDue = { readonly published: boolean; readonly waiting: boolean };

/** Whether there is a publication that was not evaluated, and whether an alert waits for the morning. */
export async function alertsDue(db: Kysely<Schema>): Promise<AlertsDue> {
  const { rows } = await sql<AlertsDue>`
    select publication.version > alert_state.version as published, exists (select from alerts_waiting) as waiting
    from publication, alert_state`.execute(db);
  return rows[0] as AlertsDue;
}

/**
 * Runs `work` alone, with a transaction to write in and the state of one moment to read; `null` = another process is
 * evaluating. Subscriptions that come and go meanwhile do not make the writes fail, as they would at the isolation
 * level of the reads: a client that subscribes endlessly must not keep alerts from all others.
 */
export async function withJudgingLock<T>(
  db: Kysely<Schema>,
  work: (tx: Kysely<Schema>, read: Kysely<Schema>) => Promise<T>,
): Promise<T | null> {
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      const lockedRow = await sql`select from alert_state for update skip locked`.execute(tx);
      return lockedRow.rows.length === 0 ? null : inReadSnapshot(db, (read) => work(tx, read));
    });
}

/** Every place and fuel with a subscriber. */
export async function subscribedSubjects(tx: Kysely<Schema>): Promise<AlertSubject[]> {
  const { rows } = await sql<{ city: string | null; fuel: number }>`
    select distinct city, wanted as fuel from push_subscriptions,
      unnest(case when fuel is null then ${DEFAULT_FUELS}::int[] else array[fuel::int] end) as wanted
    order by wanted, city`.execute(tx);
  return rows.map(({ city, fuel }) => ({ city, fuel: fuelOf(fuel) }));
}

/** The alerts sent since a moment, with place and fuel. */
export async function alertsSince(tx: Kysely<Schema>, since: number): Promise<(AlertSubject & SentAlert)[]> {
  const rows = await tx
    .selectFrom('alerts')
    .select(['city', 'fuel', 'at', 'price'])
    .where('at', '>=', instant(since))
    .where('version', '>', 0)
    .execute();
  return rows.map(({ city, fuel, at, price }) => ({ city, fuel: fuelOf(fuel), at, price }));
}

/** The alerts that wait for the morning, with the day they were found on. */
export async function waitingAlerts(tx: Kysely<Schema>): Promise<(AlertSubject & { day: DayNumber })[]> {
  const rows = await tx.selectFrom('alerts_waiting').selectAll().execute();
  return rows.map(({ city, fuel, day }) => ({ city, fuel: fuelOf(fuel), day: dayNumber(day) }));
}

/** Ends an evaluation: stores the publication it covers, and all alerts that wait now. */
export async function saveJudgingState(
  tx: Kysely<Schema>,
  version: number,
  waiting: readonly (AlertSubject & { day: DayNumber })[],
): Promise<void> {
  await tx.updateTable('alert_state').set({ version }).execute();
  await tx.deleteFrom('alerts_waiting').execute();
  if (waiting.length === 0) return;
  const rows = waiting.map(({ city, fuel, day }) => ({ city, fuel: indexOf(fuel), day: dayText(day) }));
  await tx.insertInto('alerts_waiting').values(rows).execute();
}

/**
 * Stores an alert with a delivery to each of its subscribers, or to one of them; returns their number. Leaves out
 * subscriptions that are being deleted.
 */
export async function addAlert(tx: Kysely<Schema>, alert: NewAlert, only: number | null = null): Promise<number> {
  const fuel = indexOf(alert.fuel);
  const { rows } = await sql<{ id: number }>`
    insert into alerts (version, city, fuel, at, price, facts)
    values (${alert.version}, ${alert.city}, ${fuel}, ${new Date(alert.at)}, ${alert.price}, ${JSON.stringify(alert.details)})
    returning id`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into alert_deliveries (alert_id, subscription_id, origin, due_at)
    select ${rows[0]?.id}::bigint, id, origin, ${new Date(alert.at)} from push_subscriptions
    where city is not distinct from ${alert.city}
      and (fuel = ${fuel} or (fuel is null and ${fuel} = any (${DEFAULT_FUELS}::int[])))
      and (${only}::int is null or id = ${only})
    for key share skip locked`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * The trusted prices of one fuel at the given stations, day by day from `from` up to the day before `to`. An imported
 * value counts as trusted, of any source, and so does a value from before this was recorded. Call it in a transaction.
 */
export async function loadPastPrices(
  tx: Kysely<Schema>,
  fuel: RoadFuel,
  stations: readonly string[],
  { from, to }: { from: DayNumber; to: DayNumber },
): Promise<PastDay[]> {
  const column = sql.ref(fuel);
  const query = sql<{ day: string; station: string; price: MilliPrice; source: string | null }>`
    select d.day, d.station_id as station, d.${column} as price, r.${column} as source
    from daily_prices d left join daily_reliance r on r.day = d.day and r.station_id = d.station_id
    where d.day >= ${dayText(from)}::date and d.day < ${dayText(to)}::date
      and d.station_id = any (${[...stations]}::text[]) and d.${column} is not null
      and (r.station_id is null or r.${column} is not null or d.facts & ${1 << indexOf(fuel)} = 0)
    order by d.day`;
  const days: PastDay[] = [];
  let prices = new Map<string, TrustedPrice>();
  let dayOfPrices: string | undefined;
  for await (const rows of fetchBatches(tx, query)) {
    for (const { day, station, price, source } of rows) {
      if (day !== dayOfPrices) {
        prices = new Map();
        days.push({ day: dayNumber(day), prices });
        dayOfPrices = day;
      }
      prices.set(station, { price, source });
    }
  }
  return days;
}
