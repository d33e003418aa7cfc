/**
 * How many calls of the German source are left in any hour: for everybody together, and for one client and one network
 * of it. Rule 35.
 */
import { GERMAN_CALLER_HOURS } from '../../domain/access/retention.ts';
import { checkWindow, type WindowDecision } from '../../domain/access/sliding-window.ts';
import { holdCurrentKey } from '../limits/address-keys.ts';

const GERMAN_BUDGET_MS = GERMAN_CALLER_HOURS * 3_600_000;

/** The canonical address of a client, and its network. */
export type GermanCaller = { readonly client: string; readonly network: string };

/** Whether one more call is allowed. */
export type GermanBudgetDecision = WindowDecision & {
  /** Whether only this client or its network has to wait: others may still cause calls. */
  readonly isOwnShare: boolean;
};

/** The accepted calls of the last hour, epoch ms, sorted: all, those of one client, and those of its network. */
export type GermanCalls = {
  readonly now: number;
  readonly recent: readonly number[];
  readonly of_client: readonly number[];
  readonly of_network: readonly number[];
};

/** What a client and a network get of a budget: a quarter and a half, at least one call. */
export function germanShares(perHour: number): { readonly perClient: number; readonly perNetwork: number } {
  return { perClient: Math.max(1, Math.floor(perHour / 4)), perNetwork: Math.max(1, Math.floor(perHour / 2)) };
}

/** Whether the budget allows one more call after these. */
export function germanBudgetAt(perHour: number, calls: GermanCalls): GermanBudgetDecision {
  const { perClient, perNetwork } = germanShares(perHour);
  const check = (maxRequests: number, accepted: readonly number[]) =>
    checkWindow({ maxRequests, ms: GERMAN_BUDGET_MS }, accepted, calls.now);
  const ofAll = check(perHour, calls.recent);
  const waitMs = Math.max(
    ofAll.waitMs,
    check(perClient, calls.of_client).waitMs,
    check(perNetwork, calls.of_network).waitMs,
  );
  return { isAllowed: waitMs <= 0, waitMs, isOwnShare: waitMs > 0 && ofAll.isAllowed };
}

/** Times of a client's or network's calls in the row `b` of `german_budget`; `hashes` = parameters with its hashes. */
export function callsOf(column: 'client' | 'network', hashes: string): string {
  return `array(select c.at from unnest(b.caller_times, b.caller_clients, b.caller_networks) as c(at, client, network)
    where c.${column} in (${hashes}) order by c.at)`;
}

/**
 * Takes one call for a client ($2, under the earlier key $6) of a network ($3 and $7), if everybody together made fewer
 * than $1 in the last hour, the client fewer than $4 and the network fewer than $5. It reads the clock while it holds
 * the row; times ahead of the clock (a clock set back) count as now. No row = the key $8 of the hashes is superseded.
 */
export const TAKE_GERMAN_CALL = `
  with key as materialized (${holdCurrentKey('$8')}),
  held as materialized (select * from german_budget where exists (select from key) for update),
  m as materialized (
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now from (select count(*) from held) as waited),
  calls as materialized (
    select least(c.at, m.now) as at, c.client, c.network
    from held, m, unnest(held.caller_times, held.caller_clients, held.caller_networks) as c(at, client, network)
    where c.at >= m.now - ${GERMAN_BUDGET_MS}),
  known as materialized (
    select m.now,
      array(select least(each, m.now) from unnest(held.recent) as each
        where each >= m.now - ${GERMAN_BUDGET_MS} order by each) as recent,
      array(select at from calls where client in ($2, $6) order by at) as of_client,
      array(select at from calls where network in ($3, $7) order by at) as of_network
    from held, m),
  decided as materialized (
    select *, cardinality(recent) < $1 and cardinality(of_client) < $4 and cardinality(of_network) < $5 as allowed
    from known),
  kept as materialized (
    select at, client, network from calls
    union all select now, $2, $3 from decided where allowed)
  update german_budget
  set recent = case when d.allowed then d.recent || d.now else d.recent end,
    caller_times = array(select at from kept order by at, client, network),
    caller_clients = array(select client from kept order by at, client, network),
    caller_networks = array(select network from kept order by at, client, network)
  from decided d
  returning d.now, d.recent, d.of_client, d.of_network`;

/** Leaves of the callers `c` in the row `b` of `german_budget` only some; `kept` must be the same for each part. */
function keepCallers(kept: string): string {
  const left = (column: 'at' | 'client' | 'network') => `array(select c.${column}
    from unnest(b.caller_times, b.caller_clients, b.caller_networks) as c(at, client, network)
    where ${kept} order by c.at, c.client, c.network)`;
  return `caller_times = ${left('at')}, caller_clients = ${left('client')}, caller_networks = ${left('network')}`;
}

/** By the start of the statement. */
const AN_HOUR_AGO = `(extract(epoch from now()) * 1000)::bigint - ${GERMAN_BUDGET_MS}`;

/** Forgets who caused a call once nothing depends on it: when it is more than an hour old. Rule 43. */
export const FORGET_GERMAN_CALLERS = `
  update german_budget b set ${keepCallers(`c.at >= ${AN_HOUR_AGO}`)} where ${AN_HOUR_AGO} > any (b.caller_times)`;

const eraseCallers = (kept: string) => `
  with held as materialized (select cardinality(caller_times) as calls from german_budget for update)
  update german_budget b set ${keepCallers(kept)} from held returning held.calls - cardinality(b.caller_times) as erased`;

/**
 * Forgets that a client ($1, under the earlier key $2) caused calls, and returns how many; they still count for all.
 */
export const ERASE_GERMAN_CALLER = eraseCallers('(c.client in ($1, $2)) is not true');
/** The same for all clients. */
export const ERASE_GERMAN_CALLERS = eraseCallers('false');
