import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bucharestDateTime,
  bucharestDay,
  bucharestInstant,
  dayNumber,
  dayText,
  isoInstant,
  nextBucharestMidnight,
  startOfBucharestDay,
} from './days.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
/** Any instant from 2000 to 2037, to the millisecond. */
const anInstant = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2037-12-31T00:00:00Z') });

describe('a day in Bucharest', () => {
  it('begins at 22:00 UTC in winter and at 21:00 UTC in summer', () => {
    assert.equal(bucharestDay(at('2026-11-20T21:59:59.999Z')), '2026-11-20');
    assert.equal(bucharestDay(at('2026-11-20T22:00:00Z')), '2026-11-21');
    assert.equal(bucharestDay(at('2026-07-01T20:59:59.999Z')), '2026-07-01');
    assert.equal(bucharestDay(at('2026-07-01T21:00:00Z')), '2026-07-02');
  });

  it('has 23 hours on 29 March 2026', () => {
    const start = startOfBucharestDay(dayNumber('2026-03-29'));
    assert.equal(start, at('2026-03-28T22:00:00Z'));
    assert.equal(nextBucharestMidnight(start), start + 23 * HOUR);
    assert.equal(nextBucharestMidnight(start + 22 * HOUR), start + 23 * HOUR);
  });

  it('has 25 hours on 25 October 2026', () => {
    const start = startOfBucharestDay(dayNumber('2026-10-25'));
    assert.equal(start, at('2026-10-24T21:00:00Z'));
    assert.equal(nextBucharestMidnight(start), start + 25 * HOUR);
    assert.equal(bucharestDay(start + 25 * HOUR - 1), '2026-10-25');
    assert.equal(bucharestDay(start + 25 * HOUR), '2026-10-26');
  });

  it('ends at its own midnight before a day with a missing hour', () => {
    // 03:30 does not exist on the next day.
    const halfPastThree = at('2026-03-28T01:30:00Z');
    assert.equal(nextBucharestMidnight(halfPastThree), at('2026-03-28T22:00:00Z'));
  });

  it('contains exactly the instants from its start up to the next midnight', () => {
    fc.assert(
      fc.property(anInstant, (instant) => {
        const day = dayNumber(bucharestDay(instant));
        const next = nextBucharestMidnight(instant);
        assert.ok(startOfBucharestDay(day) <= instant && instant < next);
        assert.equal(startOfBucharestDay(day + 1), next);
        assert.equal(bucharestDay(next), dayText(day + 1));
        assert.equal(bucharestDay(next - 1), dayText(day));
      }),
    );
  });
});

describe('day numbers', () => {
  it('count the days since 1970 and convert back to the same text', () => {
    assert.equal(dayNumber('1970-01-01'), 0);
    assert.equal(dayNumber('2026-03-01') - dayNumber('2026-02-28'), 1);
    fc.assert(fc.property(fc.integer({ min: 0, max: 40_000 }), (day) => dayNumber(dayText(day)) === day));
  });
});

describe('a Bucharest clock reading', () => {
  const reading = (text: string) => isoInstant(bucharestInstant(Temporal.PlainDateTime.from(text)));

  it('is the earlier instant in the hour that occurs twice', () => {
    assert.equal(reading('2026-10-25T03:30'), '2026-10-25T00:30:00+00:00');
  });

  it('is an instant even in the missing hour', () => {
    assert.equal(reading('2026-03-29T03:30'), '2026-03-29T00:30:00+00:00');
  });

  it('is two hours ahead of UTC in winter', () => {
    assert.equal(reading('2026-11-20T10:00'), '2026-11-20T08:00:00+00:00');
  });
});

describe('bucharestDateTime', () => {
  it('is the wall-clock time, rounded down to whole seconds', () => {
    assert.equal(bucharestDateTime(at('2026-11-20T22:05:09.987Z')), '2026-11-21 00:05:09');
    assert.equal(bucharestDateTime(at('2026-07-01T21:00:00Z')), '2026-07-02 00:00:00');
  });
});
