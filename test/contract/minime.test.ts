import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestService } from '../support/service/test-service.ts';

const PATH = '/api/v1/preturi/minime';

describe('GET /api/v1/preturi/minime → 200', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.api.close());

  test('minimum, mean and maximum of the five fuels', async () => {
    const { json } = await service.ask(PATH);
    assert.deepEqual(json.preturi.benzina_standard, { min: 7.429, mediu: 7.44, max: 7.45 });
    assert.deepEqual(json.preturi.gpl, { min: null, mediu: null, max: null });
    assert.deepEqual(Object.keys(json.preturi), [
      'benzina_standard',
      'benzina_premium',
      'motorina_standard',
      'motorina_premium',
      'gpl',
    ]);
  });

  test('the legacy zeros', async () => {
    const { json } = await service.ask(`${PATH}?zeros=da`);
    assert.deepEqual([json.preturi_lipsa, json.preturi.gpl], ['zero', { min: 0, mediu: 0, max: 0 }]);
  });

  test('ignores any key that is sent', async () => {
    for (const key of ['', 'nonsense', ['a', 'b']]) {
      assert.equal((await service.ask(PATH, { headers: { 'X-Api-Key': key } })).status, 200);
    }
  });
});
