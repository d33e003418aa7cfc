import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dayNumber } from '../../domain/days.ts';
import { calendarTicks } from './calendar-ticks.ts';

const until = (length: number) => ({ firstDay: dayNumber('2026-11-22') - length + 1, length });
const labels = (length: number, language: 'ro' | 'en' = 'ro') =>
  calendarTicks(until(length), language).map(({ label }) => label);

describe('the marks of the time axis', () => {
  it('are the months of a quarter, in the language of the page', () => {
    assert.deepEqual(labels(90), ['sept.', 'oct.', 'nov.']);
    assert.deepEqual(labels(90, 'en'), ['Sept', 'Oct', 'Nov']);
    assert.equal(calendarTicks(until(90), 'ro')[0]?.index, 7);
  });

  it('are days or weeks of a short period', () => {
    assert.deepEqual(labels(3), ['20 nov.', '21 nov.', '22 nov.']);
    assert.deepEqual(labels(30), ['1 nov.', '8 nov.', '15 nov.', '22 nov.']);
  });

  it('are months, quarters or years of a long one, with the year in place of January', () => {
    assert.equal(labels(365).join(' '), 'dec. 2026 feb. mar. apr. mai iun. iul. aug. sept. oct. nov.');
    assert.equal(labels(730).join(' '), '2025 apr. iul. oct. 2026 apr. iul. oct.');
    assert.equal(labels(3650).join(' '), '2017 2018 2019 2020 2021 2022 2023 2024 2025 2026');
  });

  it('are labelled at least once and at most six times on a narrow screen, whatever the period', () => {
    const anyPeriod = fc.record({
      firstDay: fc.integer({ min: dayNumber('2014-01-01'), max: dayNumber('2040-01-01') }),
      length: fc.oneof(
        fc.integer({ min: 1, max: 18 }),
        fc.integer({ min: 18, max: 150 }),
        fc.integer({ min: 1, max: 4_380 }),
      ),
    });
    fc.assert(
      fc.property(anyPeriod, (period) => {
        const narrow = calendarTicks(period, 'ro').filter(({ wideOnly }) => !wideOnly);
        assert.ok(narrow.length >= 1 && narrow.length <= 6, `${narrow.length} labels`);
      }),
      { numRuns: 500 },
    );
  });
});
