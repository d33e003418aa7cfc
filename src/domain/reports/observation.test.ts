import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rejections } from './observation.ts';

describe('refused rows', () => {
  it('are counted by reason, in alphabetical order', () => {
    const rejections = new Rejections();
    rejections.add('no_price', { id: 1 });
    rejections.add('bad_date', 'azi', 4);
    rejections.add('no_price', { id: 2 });
    assert.deepEqual(Object.entries(rejections.counts()), [
      ['bad_date', 4],
      ['no_price', 2],
    ]);
  });

  it('keep the first three samples of each reason, at most 200 characters each', () => {
    const rejections = new Rejections();
    for (const sample of ['x'.repeat(300), { price: '7,25' }, undefined, 'the fourth']) rejections.add('odd', sample);
    assert.deepEqual(rejections.samples(), { odd: ['x'.repeat(200), '{"price":"7,25"}', 'undefined'] });
  });
});
