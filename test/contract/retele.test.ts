import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestService } from '../support/service/test-service.ts';

describe('GET /api/v1/retele → 200', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.api.close());

  test('every network by name, including those without prices', async () => {
    const { json } = await service.ask('/api/v1/retele');
    assert.deepEqual(json.retele[0], {
      nume: 'MOL',
      slug: 'mol',
      culoare: '#ff6600',
      logo: '/logo/mol.svg',
      benzina: 7.43,
      benzina_premium: null,
      motorina: 7.85,
      motorina_premium: null,
      gpl: null,
    });
    assert.equal(json.retele[1].benzina, null);
    assert.equal(json.preturi_lipsa, 'null');
  });

  test('the legacy zeros', async () => {
    const { json } = await service.ask('/api/v1/retele?zeros=1');
    assert.deepEqual([json.preturi_lipsa, json.retele[1].benzina], ['zero', 0]);
  });
});
