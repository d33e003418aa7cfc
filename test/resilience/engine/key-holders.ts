/** Holders of keys, and what the database has counted for them. */
import pg from 'pg';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import type { Connection } from '../../../src/store/embedded/client-sockets.ts';
import { insertKeys } from '../../support/builders/key-fixture.ts';
import { query } from '../../support/database/embedded-database.ts';
import type { KeyHolder } from './clients.ts';

/** Issues a key with each of these monthly quotas. */
export async function insertKeyHolders(connection: Connection, quotas: readonly number[]): Promise<KeyHolder[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const holders: KeyHolder[] = [];
  for (const [quota, same] of Map.groupBy(quotas, (each) => each)) {
    const keys = await insertKeys(client, same.length, quota);
    holders.push(...keys.map((key) => ({ key, quota, accepted: 0, lost: 0, unavailable: 0, used: new Set<number>() })));
  }
  await client.end();
  return holders;
}

/** How many requests were ever counted, by the hash of the key. */
export async function readKeyTotals(connection: Connection): Promise<Map<string, number>> {
  const rows = await query(
    connection,
    `select encode(sha256, 'hex') as hash, total::int from key_usage join key_secrets using (key_id)`,
  );
  return new Map(rows.map(({ hash, total }) => [hash as string, total as number]));
}

/**
 * Compares the counts of the database with the answers that the holders received: each accepted request is counted, no
 * other one but those that nobody answered, and none beyond a quota.
 */
export async function compareCounts(
  connection: Connection,
  holders: readonly KeyHolder[],
): Promise<{ readonly unanswered: number; readonly violations: string[] }> {
  const totals = await readKeyTotals(connection);
  const violations: string[] = [];
  let unanswered = 0;
  for (const { key, quota, accepted, lost, unavailable } of holders) {
    const total = totals.get(hashApiKey(key)) ?? -1;
    unanswered += total - accepted;
    const most = Math.min(quota, accepted + lost + unavailable);
    if (total >= accepted && total <= most) continue;
    violations.push(
      `${total} counted, ${accepted} answered, at most ${most} expected (${lost} lost, ${unavailable} answered 503)`,
    );
  }
  return { unanswered, violations };
}
