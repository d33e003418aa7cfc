import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aSite } from '../../../test/support/service/site-builders.ts';

describe('the address to which a page leads', () => {
  it('is encoded as a header may have it', () => {
    const { status, headers } = aSite()('/preturi-carburanti/București%2F');
    assert.deepEqual([status, headers.Location], [301, '/preturi-carburanti/bucure%C8%99ti%2f']);
  });

  it('is none if it would be long', () => {
    const { status, headers } = aSite()(`/Cautare?q=${'a'.repeat(3_000)}`);
    assert.deepEqual([status, headers.Location], [404, undefined]);
  });
});
