import assert from 'node:assert/strict';
import { it } from 'node:test';
import { durationInWords } from './duration.ts';

const MINUTE = 60_000;

it('durations are rounded down to minutes, hours up to two days, then days', () => {
  for (const [minutes, romanian, english] of [
    [0.5, 'mai puțin de un minut', 'less than a minute'],
    [1, '1 minut', '1 minute'],
    [25.9, '25 de minute', '25 minutes'],
    [60, '1 oră', '1 hour'],
    [47 * 60, '47 de ore', '47 hours'],
    [48 * 60, '2 zile', '2 days'],
  ] as const) {
    assert.equal(durationInWords(minutes * MINUTE, 'ro'), romanian);
    assert.equal(durationInWords(minutes * MINUTE, 'en'), english);
  }
});
