import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { AddressHash } from './address-hash.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

test('an address is kept as the same hash in every process, and as another one where the key is another', async () => {
  const hashes: (string | undefined)[] = [];
  const aProcess = async () => {
    const hash = new AddressHash();
    await hash.readKey(database);
    hashes.push(hash.of('192.0.2.1')?.toString('hex'));
  };
  await aProcess();
  await aProcess();
  await database.pool.query(`update secrets set value = sha256(value) where name = 'address-hash'`);
  await aProcess();
  const [first, same, other] = hashes;
  assert.match(String(first), /^[0-9a-f]{32}$/);
  assert.equal(same, first);
  assert.notEqual(other, first);
});
