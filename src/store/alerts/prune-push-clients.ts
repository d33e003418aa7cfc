/** Forgets who subscribed, once the shares of clients no longer need it. */
import type pg from 'pg';
import { PUSH_CLIENT_HOURS } from '../../domain/access/retention.ts';

/** Forgets the addresses and networks of older subscriptions; returns how many. */
export async function prunePushClients(database: Pick<pg.Pool, 'query'>): Promise<number> {
  return (await database.query(FORGET_CLIENTS)).rowCount ?? 0;
}

const FORGET_CLIENTS = `
  update push_subscriptions set client = null, network = null
  where client is not null and created_at < clock_timestamp() - interval '${PUSH_CLIENT_HOURS} hours'`;
