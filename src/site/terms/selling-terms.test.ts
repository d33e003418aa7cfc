import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { termsAgreedTo } from '../../domain/billing/terms-version.ts';
import { contractTerms } from './selling-terms.ts';

const SELLER = { name: 'Seller', address: 'Street', taxId: 'RO1', contact: 'seller@pompa.example', termsUrl: null };

it('the terms of a contract have a new version whenever their words change', () => {
  const words = JSON.stringify([contractTerms(SELLER, 'own'), contractTerms(SELLER, 'mor')]);
  const digest = createHash('sha256').update(words).digest('hex').slice(0, 16);
  // Orders name the version that they agreed to: new words need a new version, and both belong here.
  assert.deepEqual({ version: termsAgreedTo(null), digest }, { version: '2026-11', digest: 'f84d60cd407b1b4f' });
});
