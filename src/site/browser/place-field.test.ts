import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionAfter, placesUrl } from './place-field.ts';

test('the address of suggested places asks for places only', () => {
  assert.equal(placesUrl('en', 'Târgu & Jiu'), '/sugestii?fel=locuri&limba=en&q=T%C3%A2rgu+%26+Jiu');
});

test('the arrow keys go round through the options and the field', () => {
  const walk = (key: string) => [-1, 0, 1, 2].map((active) => optionAfter(key, active, 3));
  assert.deepEqual(walk('ArrowDown'), [0, 1, 2, -1]);
  assert.deepEqual(walk('ArrowUp'), [2, -1, 0, 1]);
  assert.equal(optionAfter('ArrowDown', -1, 0), -1);
});
