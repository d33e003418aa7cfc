import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPage } from '../../../../test/support/service/site-builders.ts';

it('the page of the plans names whom to ask for the one without a price', () => {
  const plans = (contact: string | null) => readPage('/planuri', { contact });
  assert.match(plans('ops@example.org'), /planul Dedicat[^<]* <a href="mailto:ops@example\.org">/);
  assert.match(plans(null), /planul Dedicat[\s\S]*setarea <code>CONTACT<\/code>/);
});
