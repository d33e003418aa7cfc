/** Creates tens of thousands of keys for benchmarks. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { hashApiKey, KEY_BYTES, lastFour, makeApiKey } from '../../../src/domain/access/api-key.ts';

/** `count` well-formed keys that were never issued. */
export function unknownKeys(count: number): string[] {
  return Array.from({ length: count }, () => makeApiKey(randomBytes(KEY_BYTES)));
}

/** Issues `count` keys, by default with an inexhaustible quota; stores each as `keys create` does. */
export async function insertKeys(
  database: Pick<pg.Pool | pg.Client, 'query'>,
  count: number,
  quota = 1_000_000_000,
): Promise<string[]> {
  const keys = unknownKeys(count);
  await database.query(
    `with wanted as (
      select sha256, last4, row_number() over () as number
      from unnest($1::bytea[], $2::text[]) as w (sha256, last4)),
    made as (
      insert into api_keys (plan, quota, created_at)
      select 'dedicat', $3, now() from wanted returning id),
    numbered as (select id, row_number() over (order by id) as number from made),
    used as (insert into key_usage (key_id) select id from made),
    changed as (insert into key_changes (key_id) select id from made)
    insert into key_secrets (sha256, key_id, last4, created_at)
    select sha256, id, last4, now() from wanted join numbered using (number)`,
    [keys.map((key) => Buffer.from(hashApiKey(key), 'hex')), keys.map(lastFour), quota],
  );
  await database.query('vacuum analyze');
  return keys;
}
