import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { aWebhook } from '../../../test/support/webhooks/a-webhook.ts';
import { deleteAccount } from './erase-accounts.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

describe('a free key', () => {
  test('that stays, closed, after its account was deleted has no webhooks any more', async () => {
    const { kysely } = database;
    const created_at = new Date();
    const account = { email: 'ana@exemplu.ro', language: 'ro', created_at } as const;
    const { id: accountId } = await kysely
      .insertInto('accounts')
      .values(account)
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: key } = await kysely
      .insertInto('api_keys')
      .values({ plan: 'gratuit', account_id: accountId, email: 'ana@exemplu.ro', created_at })
      .returning('id')
      .executeTakeFirstOrThrow();
    await aWebhook(database, key);
    await deleteAccount(database, { accountId, email: 'ana@exemplu.ro', ended: [] }, { withinMs: 5_000 });
    assert.notEqual(
      await kysely.selectFrom('api_keys').select('id').where('id', '=', key).executeTakeFirst(),
      undefined,
    );
    assert.equal(await kysely.selectFrom('webhooks').select('id').executeTakeFirst(), undefined);
  });
});
