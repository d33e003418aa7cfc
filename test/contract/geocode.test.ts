import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAddress } from '../support/builders/client-addresses.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { TestService } from '../support/service/test-service.ts';

let service: TestService;
before(async () => {
  service = await TestService.start();
});
after(() => service.api.close());
const results = async (query: string): Promise<string[]> => (await service.ask(`/api/v1/geocode${query}`)).json.results;

describe('GET /api/v1/geocode → 200', () => {
  test('at most 10 places whose names contain the text, ignoring diacritics but showing them, most populous first', async () => {
    assert.ok((await results('?q=cluj')).includes('Cluj-Napoca'));
    assert.equal((await results('?q=TIMIS'))[0], 'Timișoara');
    assert.equal((await results('?q=timi%C8%99oa'))[0], 'Timișoara');
    assert.equal((await results('?q=an')).length, 10);
    assert.deepEqual(await results('?q=zzzz'), []);
  });

  test('only `results`, without a status', async () => {
    assert.deepEqual(Object.keys((await service.ask('/api/v1/geocode?q=cluj')).json), ['results']);
  });

  test('ignores spaces at the ends', async () => {
    assert.deepEqual(await results('?q=+cluj%20'), await results('?q=cluj'));
  });

  test('an empty list for fewer than two characters, or none at all', async () => {
    for (const query of ['', '?q', '?q=', '?q=c', '?q=++c++', '?q=%F0%9F%9A%97']) {
      assert.deepEqual(await results(query), [], query);
    }
  });

  test('what has less than two letters to search for takes nothing of the week', async (t) => {
    const guarded = await GuardedServices.during(t);
    const headers = { 'X-Forwarded-For': newAddress() };
    const ask = (q: string) => guarded.service.ask(`/api/v1/geocode?q=${encodeURIComponent(q)}`, { headers });
    for (const q of ['s\u0326', '--', '\u200ba', '\ufdfa', 'a'.repeat(201)]) {
      const { status, json } = await ask(q);
      assert.deepEqual([status, json.results], [200, []], q);
    }
    assert.equal((await ask('clu')).status, 200);
    assert.equal((await ask('clu')).status, 429);
  });
});

describe('GET /api/v1/geocode → 400', () => {
  test('`q` twice', async () => {
    assert.equal((await service.ask('/api/v1/geocode?q=cluj&q=iasi')).status, 400);
  });
});
