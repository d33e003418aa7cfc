import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openingHoursOf } from './opening-hours.ts';

describe('opening hours as schema.org writes them', () => {
  it('have days, and times with leading zeros, whatever spelling of a source they come from', () => {
    for (const [text, hours] of [
      ['Non-Stop', ['Mo-Su 00:00-24:00']],
      ['24/7', ['Mo-Su 00:00-24:00']],
      ['Mo-Su 00:00-24:00', ['Mo-Su 00:00-24:00']],
      ['6:00-22:00', ['Mo-Su 06:00-22:00']],
      ['06:00 - 22:00', ['Mo-Su 06:00-22:00']],
      ['L-V 7.00–20.30', ['Mo-Fr 07:00-20:30']],
      ['luni-vineri 06:00-22:00; sâmbătă 8-14', ['Mo-Fr 06:00-22:00', 'Sa 08:00-14:00']],
      ['Mo-Fr 08:00-12:00, 13:00-17:00', ['Mo-Fr 08:00-12:00', 'Mo-Fr 13:00-17:00']],
    ] as const)
      assert.deepEqual(openingHoursOf(text), hours, text);
  });

  it('are left out where a part of the text is anything else', () => {
    for (const text of [
      ...['', 'vara: luni 06:00-22:00; iarna: luni 07:00-21:00', 'Mo-Fr 06:00-22:00; PH off', '6:00-25:00'],
      ...['06:00-22:70', 'toString 06:00-22:00', 'dimineața', '06:00', '1'.repeat(300)],
    ])
      assert.deepEqual(openingHoursOf(text), [], text);
  });
});
