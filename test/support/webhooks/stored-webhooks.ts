/** Many verified webhooks and changes, stored by statements: the tests of how they are sent make neither one by one. */
import { sql } from 'kysely';
import type { TestDatabase } from '../database/test-database.ts';

type Many = {
  /** `n` stands for the number of the webhook, from 1 on. */
  readonly url: string;
  /** Webhooks of one key. */
  readonly ofKey?: number;
  /** A city that none is in makes webhooks that nothing passes. */
  readonly city?: string;
};

/** Verified webhooks at the end of the feed; returns their ids. */
export async function storeWebhooks(
  { kysely }: Pick<TestDatabase, 'kysely'>,
  count: number,
  { url, ofKey = 1, city }: Many,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with keys as (
      insert into api_keys (plan, created_at)
      select 'business', now() from generate_series(1, ceil(${count}::numeric / ${ofKey})::int) returning id),
    numbered as (select id, row_number() over (order by id) as number from keys)
    insert into webhooks (key_id, url, city, kinds, secret, epoch, position, created_at, verified_at)
    select numbered.id, replace(${url}, '{n}', n::text), ${city ?? null}::text, array['price'], sha256(n::text::bytea),
      feed.epoch, feed.seq, now(), now()
    from generate_series(1, ${count}::int) n join numbered on numbered.number = 1 + (n - 1) / ${ofKey}::int, change_feed feed
    order by n returning id`.execute(kysely);
  return rows.map(({ id }) => id);
}

/** Tells many changes of one price at a moment, epoch ms, as one state. */
export async function tellMany({ kysely }: Pick<TestDatabase, 'kysely'>, count: number, now = Date.now()) {
  const at = new Date(now);
  await kysely.transaction().execute(async (tx) => {
    await sql`
      insert into served_changes (seq, version, told_at, station_id, fuel, kind, old_price, new_price, county, city, network)
      select seq + n, version + 1, ${at}, '0a1b2c3d4e5f', 0, 'price', 7490, 7440, 'CJ', 'cluj-napoca', 'petrom'
      from change_feed, generate_series(1, ${count}::int) n`.execute(tx);
    await sql`
      insert into served_states (number, seq, version, told_at, until)
      select states + 1, seq + ${count}, version + 1, ${at}, ${at} from change_feed`.execute(tx);
    await sql`
      update change_feed set seq = seq + ${count}, states = states + 1, version = version + 1, told_at = ${at},
        until = ${at}`.execute(tx);
  });
}
