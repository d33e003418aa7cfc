import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAddress } from '../support/builders/client-addresses.ts';
import { anEmptySnapshot, aSnapshot } from '../support/builders/snapshot-builders.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';

const OF_PRICES = ['/api/v1/judete/CJ', '/api/v1/retele', '/api/v1/statii', '/api/v1/statii?tip=gpl'];
const QUOTA = 10_000;

let guarded: GuardedServices;
before(async () => {
  guarded = await GuardedServices.start(1, null, () => ({ snapshot: anEmptySnapshot() }));
});
after(() => guarded.close());

const ask = (target: string, headers: Record<string, string>) => guarded.service.ask(target, { headers });
const askAs = async (target: string, from: string) => (await ask(target, { 'X-Forwarded-For': from })).status;

describe('before the first publication', () => {
  test('an empty answer consumes no weekly cap; the first one after the publication does', async () => {
    const from = newAddress();
    for (const target of OF_PRICES)
      for (const time of [1, 2, 3]) assert.equal(await askAs(target, from), 200, `${target}, time ${time}`);
    await guarded.service.api.refresh(aSnapshot());
    for (const target of OF_PRICES.slice(0, 3))
      assert.deepEqual([await askAs(target, from), await askAs(target, from)], [200, 429], target);
    await guarded.service.api.refresh(anEmptySnapshot());
  });

  test('a search for places, which needs no prices, consumes the cap as usual', async () => {
    const from = newAddress();
    assert.deepEqual(
      [await askAs('/api/v1/geocode?q=cluj', from), await askAs('/api/v1/geocode?q=iasi', from)],
      [200, 429],
    );
  });

  test('an empty answer consumes no quota', async () => {
    const { key } = await guarded.key();
    for (const target of ['/api/v1/preturi', '/api/v1/statii', '/api/v1/retele']) {
      const { status, headers } = await ask(target, { 'X-Api-Key': key });
      assert.deepEqual([status, headers['x-ratelimit-remaining']], [200, String(QUOTA)], target);
    }
    await guarded.service.api.refresh(aSnapshot());
    const { headers } = await ask('/api/v1/statii', { 'X-Api-Key': key });
    assert.equal(headers['x-ratelimit-remaining'], String(QUOTA - 1));
    await guarded.service.api.refresh(anEmptySnapshot());
  });
});
