import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsAgreedTo } from './terms-version.ts';

test('an order keeps the version of our terms, or the address of the seller’s own', () => {
  const seller = { name: 'Pompa SRL', address: 'Cluj-Napoca', taxId: 'RO1', contact: 'ops@example.org' };
  assert.match(termsAgreedTo({ ...seller, termsUrl: null }), /^\d{4}-\d\d$/);
  assert.equal(termsAgreedTo({ ...seller, termsUrl: 'https://pompa.example/terms' }), 'https://pompa.example/terms');
});
