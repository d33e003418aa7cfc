/**
 * What the German source said, kept for all processes, and how often it is asked: one asker at a time for each cell, so
 * many calls in any hour. Both are decided by the database and its clock.
 */
import type { Pool, QueryResultRow } from 'pg';
import { checkWindow, type WindowDecision } from '../../domain/access/sliding-window.ts';
import type { GermanAnswer, GermanCell, GermanSearch, GermanStation } from '../../domain/german-station.ts';
import type { Queryable } from '../connection/database-connection.ts';

/** How long an answer is good. Source: API contract. */
export const GERMAN_FRESH_MS = 600_000;
const HOUR_MS = 3_600_000;
/** What a statement may take unless it is told. */
const STATEMENT_MS = 800;

/** What is known of a cell. */
export type GermanCellState =
  /** `ageMs` by the database's clock. */
  | { readonly kind: 'fresh'; readonly answer: GermanAnswer; readonly ageMs: number }
  /** Somebody is asking the source at this moment. */
  | { readonly kind: 'asking'; readonly asks: number }
  /** Nobody is; `failed` = the latest asking, number `asks` (0 = none), ended without an answer. */
  | { readonly kind: 'nothing'; readonly asks: number; readonly failed: boolean; readonly budget: WindowDecision };

/** The right to ask the source about a cell. */
export type GermanLease = { readonly cell: GermanCell; readonly asks: number };

const READ_CELL = `
  select (extract(epoch from m.t) * 1000)::bigint as now, b.recent, coalesce(a.asks, 0) as asks,
    coalesce(a.failed, false) as failed, coalesce(a.asking_until > m.t, false) as asking,
    case when a.answered_at > m.t - interval '${GERMAN_FRESH_MS} milliseconds' then a.stations end as stations,
    a.answered_at, a.asked_lat, a.asked_lng
  from (select clock_timestamp() as t) as m, german_budget b
  left join german_answers a on (a.lat, a.lng, a.radius_km) = ($1, $2, $3)`;

type GermanCellRow = {
  now: number;
  recent: number[];
  asks: number;
  failed: boolean;
  asking: boolean;
  stations: GermanStation[] | null;
  answered_at: number;
  asked_lat: number;
  asked_lng: number;
};

const CLAIM = `
  insert into german_answers as a (lat, lng, radius_km, asking_until)
  values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')
  on conflict (lat, lng, radius_km) do update
    set asks = a.asks + 1, failed = false, asking_until = clock_timestamp() + $4 * interval '1 millisecond'
    where a.asking_until <= clock_timestamp() and (a.answered_at is null
      or a.answered_at <= clock_timestamp() - interval '${GERMAN_FRESH_MS} milliseconds')
  returning asks`;

/** The clock is read when the row is held; times ahead of it (a clock set back) count as now. */
const SPEND = `
  with held as materialized (select recent from german_budget for update),
  m as materialized (
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now from (select count(*) from held) as waited),
  known as materialized (
    select m.now, array(
      select least(each, m.now) from unnest(held.recent) as each where each >= m.now - ${HOUR_MS} order by each) as recent
    from held, m)
  update german_budget
  set recent = case when cardinality(k.recent) < $1 then k.recent || k.now else k.recent end
  from known k
  returning k.now, k.recent`;

const RELEASE = `
  update german_answers set asking_until = least(asking_until, clock_timestamp()), failed = $5
  where (lat, lng, radius_km) = ($1, $2, $3) and asks = $4`;

const SAVE_ANSWER = `
  update german_answers
  set asking_until = clock_timestamp(), failed = false, answered_at = clock_timestamp(),
    asked_lat = $5, asked_lng = $6, stations = $7
  where (lat, lng, radius_km) = ($1, $2, $3) and asks = $4 and asking_until > clock_timestamp()
  returning answered_at`;

const PRUNE = `delete from german_answers where asking_until < clock_timestamp() - interval '1 hour'`;

const cellKeyOf = ({ lat, lng, radiusKm }: GermanCell) => [lat, lng, radiusKm];

/** Answers and budget in one database. Every call rejects when the database does not answer within `withinMs`. */
export class GermanStore {
  readonly #database: Queryable;
  readonly #perHour: number;

  /** @param perHour calls of the source in any hour, over all processes. */
  constructor(database: Queryable, perHour: number) {
    this.#database = database;
    this.#perHour = perHour;
  }

  /** Whether the database is there. */
  get isReady(): boolean {
    return this.#database.state === 'ready';
  }

  /** What is known of a cell, without changing anything. */
  async readCell(cell: GermanCell, withinMs?: number): Promise<GermanCellState> {
    const [row] = await this.#query<GermanCellRow>(READ_CELL, cellKeyOf(cell), withinMs);
    if (row === undefined) throw new Error('the table "german_budget" has no row');
    const { now, recent, asks, failed, asking, stations, answered_at: answeredAt } = row;
    if (stations !== null) {
      const search = { lat: row.asked_lat, lng: row.asked_lng, radiusKm: cell.radiusKm };
      return { kind: 'fresh', answer: { search, stations, answeredAt }, ageMs: Math.max(0, now - answeredAt) };
    }
    if (asking) return { kind: 'asking', asks };
    return { kind: 'nothing', asks, failed, budget: this.#budgetAt(recent, now) };
  }

  /** Takes the right to ask for so long; `null` = another has it, or an answer is there. */
  async claim(cell: GermanCell, ms: number, withinMs?: number): Promise<GermanLease | null> {
    const [row] = await this.#query<{ asks: number }>(CLAIM, [...cellKeyOf(cell), ms], withinMs);
    return row === undefined ? null : { cell, asks: row.asks };
  }

  /** Takes one call out of the budget, or tells when the next is free. It is never given back. */
  async spend(withinMs?: number): Promise<WindowDecision> {
    const [row] = await this.#query<{ now: number; recent: number[] }>(SPEND, [this.#perHour], withinMs);
    if (row === undefined) throw new Error('the table "german_budget" has no row');
    return this.#budgetAt(row.recent, row.now);
  }

  /** Keeps what the source said. Gives when that was, epoch ms; `null` = the lease was lost, and nothing is kept. */
  async saveAnswer(
    { cell, asks }: GermanLease,
    search: GermanSearch,
    stations: readonly GermanStation[],
    withinMs?: number,
  ): Promise<number | null> {
    const values = [...cellKeyOf(cell), asks, search.lat, search.lng, JSON.stringify(stations)];
    const [row] = await this.#query<{ answered_at: number }>(SAVE_ANSWER, values, withinMs);
    return row?.answered_at ?? null;
  }

  /** Gives the right back. `failed` = the source was asked in vain, which those who waited are told. */
  async release({ cell, asks }: GermanLease, failed: boolean, withinMs?: number): Promise<void> {
    await this.#query(RELEASE, [...cellKeyOf(cell), asks, failed], withinMs);
  }

  #budgetAt(recent: readonly number[], now: number): WindowDecision {
    return checkWindow({ maxRequests: this.#perHour, ms: HOUR_MS }, recent, now);
  }

  #query<Row extends QueryResultRow>(text: string, values: unknown[], withinMs = STATEMENT_MS): Promise<Row[]> {
    return this.#database.query<Row>({ text, values }, { withinMs });
  }
}

/** Removes answers that no longer matter; returns how many rows went. */
export async function pruneGermanAnswers(pool: Pick<Pool, 'query'>): Promise<number> {
  return (await pool.query(PRUNE)).rowCount ?? 0;
}
