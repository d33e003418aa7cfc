import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { newAddress } from '../support/builders/client-addresses.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { timed } from '../support/stopwatch.ts';

let guarded: GuardedServices;
let key: string;
before(async () => {
  guarded = await GuardedServices.start();
  ({ key } = await guarded.key());
});
after(() => guarded.close());

const ask = (target: string, headers: Record<string, string> = {}) => guarded.service.ask(target, { headers });
const withKey = (target: string) => ask(target, { 'X-Api-Key': key });

/** Closes the database to new connections and terminates the present ones, or opens it again. */
async function allowConnections(open: boolean): Promise<void> {
  const url = new URL(guarded.database.url);
  const name = url.pathname.slice(1);
  const admin = new pg.Client({ connectionString: guarded.database.url.replace(`/${name}`, '/postgres') });
  await admin.connect();
  await admin.query(`alter database ${name} with allow_connections ${open}`);
  if (!open) await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await admin.end();
}

describe('while the database is away', () => {
  test('keys get 503 within a second instead of a refusal, all else works as documented, and everything recovers by itself', async () => {
    const capped = newAddress();
    assert.equal((await ask('/api/v1/retele', { 'X-Forwarded-For': capped })).status, 200);
    await allowConnections(false);
    try {
      const { ms, result } = await timed(() => withKey('/api/v1/retele'));
      assert.ok(ms < 1_000, `${ms} ms`);
      const { status, json, headers } = result;
      assert.equal(status, 503);
      const { message, message_en, ...rest } = json;
      assert.deepEqual(rest, { status: 'error', retry_after_seconds: 30 });
      assert.deepEqual([typeof message, typeof message_en, headers['retry-after']], ['string', 'string', '30']);
      assert.equal((await withKey('/api/v1/statii?raza=x')).status, 503, 'before the parameters');
      assert.equal((await withKey('/api/v1/cheie')).status, 503);
      assert.equal((await ask('/api/v1/retele', { 'X-Api-Key': 'pompa_live_x' })).status, 401, 'not even well-formed');

      await waitFor('its headers to go', 2_000, async () => {
        const open = await withKey('/api/v1/preturi/minime');
        assert.equal(open.status, 200);
        return open.headers['x-ratelimit-limit'] === undefined;
      });
      for (const open of ['/api/v1/preturi', '/api/v1/preturi/minime']) assert.equal((await ask(open)).status, 200);

      const unknownVisitor = newAddress();
      const twice = () => ask('/api/v1/retele', { 'X-Forwarded-For': unknownVisitor });
      assert.deepEqual([(await twice()).status, (await twice()).status], [200, 429]);

      await allowConnections(true);
      await waitFor('the key to be verified', 5_000, async () => (await withKey('/api/v1/cheie')).status === 200);
      assert.equal((await withKey('/api/v1/retele')).status, 200);
      // Requests accepted without the database are counted there afterwards.
      assert.equal((await twice()).status, 429);
      assert.equal((await ask('/api/v1/retele', { 'X-Forwarded-For': capped })).status, 429);
      await waitFor('it to be written', 5_000, async () => {
        const { rows } = await guarded.database.pool.query('select count(*)::int as count from weekly_caps');
        return rows[0].count === 2;
      });
    } finally {
      await allowConnections(true);
    }
  });
});
