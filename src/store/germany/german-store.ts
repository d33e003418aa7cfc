/**
 * Caches the answers of the German source for all processes, lets one process at a time query it for a cell, and limits
 * the calls per hour. The database and its clock decide.
 */
import type { QueryResultRow } from 'pg';
import type { GermanAnswer, GermanCell, GermanSearch, GermanStation } from '../../domain/german-station.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { type KeyedHasher, withCurrentKey } from '../limits/address-hash.ts';
import { AddressKeySuperseded } from '../limits/address-keys.ts';
import {
  callsOf,
  type GermanBudgetDecision,
  type GermanCaller,
  type GermanCalls,
  germanBudgetAt,
  germanShares,
  TAKE_GERMAN_CALL,
} from './german-budget.ts';

/** How long an answer is good. Source: API contract. */
export const GERMAN_FRESH_MS = 600_000;
/** How long it is served where no call is left: an hour after it a call is free again. */
const STALE_MS = 3_600_000;
/** How long a statement may take unless the caller says otherwise. */
const STATEMENT_TIMEOUT_MS = 800;

/** What is known of a cell. */
export type GermanCellState =
  /** `ageMs` by the database's clock. */
  | { readonly kind: 'fresh'; readonly answer: GermanAnswer; readonly ageMs: number }
  /** A process is querying the source at this moment. */
  | { readonly kind: 'querying'; readonly attempt: number }
  /** None is; `failed` = the latest attempt, number `attempt` (0 = none), ended without an answer. */
  | {
      readonly kind: 'nothing';
      readonly attempt: number;
      readonly failed: boolean;
      readonly budget: GermanBudgetDecision;
      /** The latest answer, at most an hour old. */
      readonly stale: GermanAnswer | null;
    };

/** The right to query the source for a cell. Each lease of a cell has the next number `attempt` (column `asks`). */
export type GermanLease = { readonly cell: GermanCell; readonly attempt: number };

const READ_CELL = `
  select (extract(epoch from m.t) * 1000)::bigint as now, b.recent, ${callsOf('client', '$4, $6')} as of_client,
    ${callsOf('network', '$5, $7')} as of_network, coalesce(a.asks, 0) as attempt,
    coalesce(a.failed, false) as failed, coalesce(a.asking_until > m.t, false) as querying,
    case when a.answered_at > m.t - interval '${STALE_MS} milliseconds' then a.stations end as stations,
    a.answered_at > m.t - interval '${GERMAN_FRESH_MS} milliseconds' as fresh, a.answered_at, a.asked_lat, a.asked_lng
  from (select clock_timestamp() as t) as m, german_budget b
  left join german_answers a on (a.lat, a.lng, a.radius_km) = ($1, $2, $3)`;

type GermanCellRow = GermanCalls & {
  attempt: number;
  failed: boolean;
  querying: boolean;
  stations: GermanStation[] | null;
  fresh: boolean;
  answered_at: number;
  asked_lat: number;
  asked_lng: number;
};

const TAKE_LEASE = `
  insert into german_answers as a (lat, lng, radius_km, asking_until)
  values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')
  on conflict (lat, lng, radius_km) do update
    set asks = a.asks + 1, failed = false, asking_until = clock_timestamp() + $4 * interval '1 millisecond'
    where a.asking_until <= clock_timestamp() and (a.answered_at is null
      or a.answered_at <= clock_timestamp() - interval '${GERMAN_FRESH_MS} milliseconds')
  returning asks as attempt`;

const RELEASE = `
  update german_answers set asking_until = least(asking_until, clock_timestamp()), failed = $5
  where (lat, lng, radius_km) = ($1, $2, $3) and asks = $4`;

const SAVE_ANSWER = `
  update german_answers
  set asking_until = clock_timestamp(), failed = false, answered_at = clock_timestamp(),
    asked_lat = $5, asked_lng = $6, stations = $7
  where (lat, lng, radius_km) = ($1, $2, $3) and asks = $4 and asking_until > clock_timestamp()
  returning answered_at`;

const cellKeyOf = ({ lat, lng, radiusKm }: GermanCell) => [lat, lng, radiusKm];

/** Answers and budget in one database. Every call rejects when the database does not answer within `withinMs`. */
export class GermanStore {
  readonly #database: Queryable;
  readonly #perHour: number;
  readonly #hasher: KeyedHasher;

  /**
   * @param perHour calls of the source in any hour, over all processes.
   * @param hasher makes the keyed hashes under which callers are stored.
   */
  constructor(database: Queryable, perHour: number, hasher: KeyedHasher) {
    this.#database = database;
    this.#perHour = perHour;
    this.#hasher = hasher;
  }

  /** Whether the database is available. */
  get isReady(): boolean {
    return this.#database.state === 'ready';
  }

  /** What is known of a cell, and whether the caller may cause a call, without changing anything. */
  async readCell(cell: GermanCell, caller: GermanCaller, withinMs?: number): Promise<GermanCellState> {
    const { current, earlier } = this.#hashesOf(caller);
    const values = [...cellKeyOf(cell), ...current, ...earlier];
    const [row] = await this.#query<GermanCellRow>(READ_CELL, values, withinMs);
    if (row === undefined) throw new Error('the table "german_budget" has no row');
    const { attempt, failed, querying, stations, fresh, answered_at: answeredAt } = row;
    const search = { lat: row.asked_lat, lng: row.asked_lng, radiusKm: cell.radiusKm };
    const answer = stations === null ? null : { search, stations, answeredAt };
    if (answer !== null && fresh) return { kind: 'fresh', answer, ageMs: Math.max(0, row.now - answeredAt) };
    if (querying) return { kind: 'querying', attempt };
    return { kind: 'nothing', attempt, failed, budget: germanBudgetAt(this.#perHour, row), stale: answer };
  }

  /** Takes the lease for that time; `null` = another process has it, or there is an answer. */
  async takeLease(cell: GermanCell, ms: number, withinMs?: number): Promise<GermanLease | null> {
    const [row] = await this.#query<{ attempt: number }>(TAKE_LEASE, [...cellKeyOf(cell), ms], withinMs);
    return row === undefined ? null : { cell, attempt: row.attempt };
  }

  /** Takes one call out of the budget and the caller's share, or returns when the next is free. Never gives it back. */
  async takeCall(caller: GermanCaller, withinMs?: number): Promise<GermanBudgetDecision> {
    const { perClient, perNetwork } = germanShares(this.#perHour);
    return withCurrentKey(this.#hasher, async () => {
      const { key, current, earlier } = this.#hashesOf(caller);
      const values = [this.#perHour, ...current, perClient, perNetwork, ...earlier, key];
      const [calls] = await this.#query<GermanCalls>(TAKE_GERMAN_CALL, values, withinMs);
      if (calls === undefined) throw new AddressKeySuperseded();
      return germanBudgetAt(this.#perHour, calls);
    });
  }

  /**
   * Stores the source's answer. Resolves with its time, epoch ms; `null` = the lease was lost, so nothing is stored.
   */
  async saveAnswer(
    { cell, attempt }: GermanLease,
    search: GermanSearch,
    stations: readonly GermanStation[],
    withinMs?: number,
  ): Promise<number | null> {
    const values = [...cellKeyOf(cell), attempt, search.lat, search.lng, JSON.stringify(stations)];
    const [row] = await this.#query<{ answered_at: number }>(SAVE_ANSWER, values, withinMs);
    return row?.answered_at ?? null;
  }

  /** Releases the lease. `failed` = the source gave no answer; waiting requests then fail, too. */
  async release({ cell, attempt }: GermanLease, failed: boolean, withinMs?: number): Promise<void> {
    await this.#query(RELEASE, [...cellKeyOf(cell), attempt, failed], withinMs);
  }

  /** The hashes of a client and its network. */
  #hashesOf({ client, network }: GermanCaller) {
    const hashes = [this.#hasher.hash(client), this.#hasher.hash(network)];
    const current = hashes.map((hash) => hash.current);
    return { key: hashes[0]?.key, current, earlier: hashes.map((hash) => hash.earlier) };
  }

  #query<Row extends QueryResultRow>(text: string, values: unknown[], withinMs = STATEMENT_TIMEOUT_MS): Promise<Row[]> {
    return this.#database.query<Row>({ text, values }, { withinMs });
  }
}
