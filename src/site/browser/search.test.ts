import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestionsUrl } from './search.ts';

test('the address of suggestions encodes what was typed', () => {
  assert.equal(suggestionsUrl('ro', 'Târgu & Jiu'), '/sugestii?limba=ro&q=T%C3%A2rgu+%26+Jiu');
});
