import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayNumber, dayText } from '../../../domain/days.ts';
import { parseUpdateTime } from './updated.ts';

const TODAY = dayNumber('2026-11-20');

for (const [sent, day] of [
  ['11/06/2026 00:19 ', '2026-06-11'],
  ['11.06.2026 00:19', '2026-06-11'],
  ['11/06/2026 00:19:59', '2026-06-11'],
  ['1/6/2026 9:05', '2026-06-01'],
  ['20/11/2026', '2026-11-20'],
  ['25/10/2026 03:30 ', '2026-10-25'],
  ['29/02/2024 12:00', '2024-02-29'],
  ['21/11/2026 08:00 ', '2026-11-21'],
] as const) {
  test(`"${sent}" was observed on ${day}, at no invented time, in the register's own spelling`, () => {
    assert.deepEqual(parseUpdateTime(sent, TODAY), { observed: { day, at: null, text: sent } });
  });
}

for (const [sent, reason] of [
  ['22/11/2026 00:00 ', 'future_date'],
  ['01/01/2099 00:00', 'future_date'],
  ['01/01/0001 00:00 ', 'bad_date'],
  ['31/12/2018 23:59', 'bad_date'],
  ['29/02/2026 12:00', 'bad_date'],
  ['31/04/2026 12:00', 'bad_date'],
  ['06/13/2026 12:00', 'bad_date'],
  ['11/06.2026 12:00', 'bad_date'],
  ['11/06/2026 24:00', 'bad_date'],
  ['11/06/2026 12:60', 'bad_date'],
  ['2026-06-11T12:00:00', 'bad_date'],
  ['11/06/2026 00:19 UTC', 'bad_date'],
  [`11/06/2026${' '.repeat(500)}`, 'bad_date'],
  ['', 'bad_date'],
  [20261120, 'bad_date'],
  [null, 'bad_date'],
  [undefined, 'bad_date'],
] as const) {
  test(`${JSON.stringify(sent)?.slice(0, 40)} is rejected as ${reason}`, () => {
    assert.deepEqual(parseUpdateTime(sent, TODAY), { rejected: reason });
  });
}

test('every day since 2019 in the register’s spelling is that day', () => {
  fc.assert(
    fc.property(fc.integer({ min: dayNumber('2019-01-01'), max: TODAY }), (number) => {
      const iso = dayText(number);
      const [year, month, day] = iso.split('-');
      const read = parseUpdateTime(`${day}/${month}/${year} 00:00 `, TODAY);
      assert.equal('observed' in read && read.observed.day, iso);
    }),
  );
});
