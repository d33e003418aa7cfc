import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_TITLE_LENGTH, pageTitle } from './page-title.ts';

describe('the title of a page', () => {
  it('is the longest wording that is shown whole, with the name of the service where there is room', () => {
    assert.equal(pageTitle(['Prices in Cluj: 24 stations']), 'Prices in Cluj: 24 stations | Pompa');
    assert.equal(pageTitle(['x'.repeat(67), 'y'.repeat(66), 'z']), 'y'.repeat(66));
    assert.equal(pageTitle(['x'.repeat(59), 'y'.repeat(58)]), `${'y'.repeat(58)} | Pompa`);
  });

  it('is cut if no wording is short enough', () => {
    const title = pageTitle(['x'.repeat(80), 'y'.repeat(70)]);
    assert.equal(title, `${'y'.repeat(MAX_TITLE_LENGTH - 1)}…`);
  });
});
