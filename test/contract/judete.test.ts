import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestService } from '../support/service/test-service.ts';

let service: TestService;
before(async () => {
  service = await TestService.start();
});
after(() => service.api.close());
const county = (name: string) => service.ask(`/api/v1/judete/${name}`);

describe('GET /api/v1/judete/{judet} → 200', () => {
  test('the plate code, the number of cities and the means, however the county is named', async () => {
    for (const name of ['MS', 'ms', 'Mures', 'MURE%C8%98', 'Mure%C5%9F', 'jude%C8%9Bul%20mures']) {
      const { json } = await county(name);
      assert.deepEqual([json.judet, json.nr_orase, json.benzina_standard, json.gpl], ['MS', 1, 7.43, null], name);
    }
  });

  test('accepts every name of Bucharest', async () => {
    for (const name of ['B', 'Bucuresti', 'Bucure%C8%99ti', 'Municipiul%20Bucure%C8%99ti']) {
      const { json } = await county(name);
      assert.deepEqual([json.judet, json.nr_orase, json.benzina_standard], ['B', 0, null], name);
    }
  });

  test('the legacy zeros do not affect the number of cities', async () => {
    const { json } = await county('CJ?zeros=yes');
    assert.deepEqual([json.preturi_lipsa, json.gpl, json.nr_orase], ['zero', 0, 1]);
  });
});

describe('GET /api/v1/judete/{judet} → 404', () => {
  test('an unknown county, in the standard envelope', async () => {
    for (const name of ['Atlantida', 'XX', '%20', 'a%2Fb', '..%2F', '%00', 'null']) {
      const { status, json } = await county(name);
      assert.equal(status, 404, name);
      assert.deepEqual(Object.keys(json), ['status', 'message'], name);
    }
  });

  test('an empty name, or a slash after it, is another path', async () => {
    for (const name of ['', 'CJ/', 'CJ/x']) assert.ok((await county(name)).json.docs, name);
  });
});

describe('GET /api/v1/judete/{judet} → 400, 414', () => {
  test('a path that cannot be decoded', async () => {
    for (const name of ['%', '%zz', '%FF', '%C8']) assert.equal((await county(name)).status, 400, name);
  });

  test('a name too long for any county', async () => {
    assert.equal((await county('x'.repeat(600))).status, 414);
  });
});
