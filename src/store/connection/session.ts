/** What a new connection is: a session of the server, which gets settings, or one through a pooler, which gets none. */
import type pg from 'pg';
import { type TimeoutClient, withIdleTimeout } from './idle-timeout.ts';

/**
 * Our pool closes connections that are idle for 10 seconds, so one idle for longer belongs to a client that vanished.
 */
const SETTINGS = [
  ['statement_timeout', '15s'],
  ['idle_in_transaction_session_timeout', '60s'],
  ['idle_session_timeout', '60s'],
] as const;

const SET_UP_TIMEOUT_MS = 2_000;

/**
 * Sets up a new connection, in one round trip; not in its start-up packet, where poolers refuse settings. A pooler
 * gives its clients a process id that is none of the server's; a session is then shared with others, and stays as it
 * is, except for the time zone: poolers keep it for each client. Sets `isPooled` of the client.
 */
export async function setUpSession(client: TimeoutClient): Promise<void> {
  const isOwn = `pg_backend_pid() = ${Number(client.toldProcess)}`;
  const settings = SETTINGS.map(([name, value]) => `set_config('${name}', '${value}', false)`).join();
  const text = `set timezone = 'UTC'; ${detectGoneClient(isOwn)}; select ${settings} where ${isOwn}`;
  const connection: pg.ClientBase = client;
  // One result for each of the statements.
  const results = (await withIdleTimeout(SET_UP_TIMEOUT_MS, () => connection.query(text))) as unknown;
  client.isPooled = (results as pg.QueryResult[]).at(-1)?.rowCount === 0;
}

/** Ends a statement within a second after its client vanished, even while it waits for a lock. Some systems cannot. */
function detectGoneClient(isOwn: string): string {
  return `do $$ begin
    if ${isOwn} then perform set_config('client_connection_check_interval', '1s', false); end if;
  exception when invalid_parameter_value then null; end $$`;
}
