import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bucharestDay, bucharestInstant, dayNumber, dayText } from '../days.ts';
import { findDrop, isNight, judgeAlert, judgeAlertInSlices, type PastDay, type TrustedPrices } from './alert.ts';
import { type JudgedMoment, replayAlerts } from './alert-replay.ts';

type PricesByStation = Readonly<Record<string, number | readonly [price: number, source: string]>>;

/** Prices by station; from the register unless another source is named. */
function prices(given: PricesByStation): TrustedPrices {
  return new Map(
    Object.entries(given).map(([station, word]) =>
      typeof word === 'number'
        ? [station, { price: word, source: 'register' }]
        : [station, { price: word[0], source: word[1] }],
    ),
  );
}

const at = (wall: string) => bucharestInstant(Temporal.PlainDateTime.from(wall));
const wall = (instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO('Europe/Bucharest')
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
const others = { B: 7_600, C: 7_700 };
const list = (price: number) => ({ A: [price, 'list'] as const, ...others });

/** The prices from each publication on; they are published again every day at 10:00. */
const CHANGES: readonly [wall: string, given: PricesByStation][] = [
  ['2026-01-10T10:00', { A: 7_500, ...others }],
  // Not enough below yesterday, the mean, or known for seven days.
  ['2026-01-13T10:00', { A: 7_360, ...others }],
  ['2026-01-14T10:00', { A: 7_340, ...others }],
  ['2026-01-15T10:00', { A: 7_500, ...others }],
  ['2026-01-20T10:00', { A: 7_440, ...others }],
  // The lowest in 30 days; later that day 4 bani lower, 5 lower, and much lower.
  ['2026-01-21T10:00', { A: 7_280, ...others }],
  ['2026-01-21T16:00', { A: 7_240, ...others }],
  ['2026-01-21T18:00', { A: 7_230, ...others }],
  ['2026-01-21T20:00', { A: 7_100, ...others }],
  // B and C fall silent, come back when A does, and A returns cheaper than anything known.
  ['2026-01-28T10:00', { A: 7_100 }],
  ['2026-01-30T10:00', others],
  ['2026-02-02T10:00', { A: 7_000, ...others }],
  // Another source reports A; two days later its price is lower.
  ['2026-02-05T10:00', list(6_500)],
  ['2026-02-07T10:00', list(6_340)],
  // A day of doubt, then a trusted price again: reported on the day after.
  ['2026-02-10T10:00', others],
  ['2026-02-11T10:00', list(6_100)],
  // Nights: still true in the morning; no longer true; before 22:00; from 22:00 on.
  ['2026-02-20T23:00', list(5_900)],
  ['2026-02-25T23:30', list(5_700)],
  ['2026-02-26T02:00', list(5_860)],
  ['2026-03-03T21:59', list(5_640)],
  ['2026-03-04T22:00', list(5_580)],
  // The night in which clocks go forward.
  ['2026-03-28T22:30', list(5_500)],
  // A station seen for the first time; then two days without a publication.
  ['2026-04-02T10:00', { ...list(5_500), D: 5_000 }],
  ['2026-04-04T10:00', { ...list(5_500), D: 4_840 }],
  ['2026-04-08T10:00', { ...list(5_500), D: 4_680 }],
];
const WITHOUT_PUBLICATION = ['2026-04-06', '2026-04-07'];

/** 90 days, from 10 January to 9 April 2026. */
function ninetyDays(): JudgedMoment[] {
  const first = dayNumber('2026-01-10');
  const daily = Array.from({ length: 90 }, (_, index) => dayText(first + index))
    .filter((day) => !WITHOUT_PUBLICATION.includes(day))
    .map((day) => `${day}T10:00`);
  const moments = [...new Set([...daily, ...CHANGES.map(([when]) => when)])].sort();
  return replayAlerts(
    moments.map((when) => {
      const [, given] = CHANGES.findLast(([since]) => since <= when) as (typeof CHANGES)[number];
      return { at: at(when), prices: prices(given) };
    }),
  );
}

/** Derived by hand from docs/ALERTS.md. */
const EXPECTED_SENT = `
2026-01-21T10:00 lowest 7280 A 60
2026-01-21T18:00 lowest 7230 A 110
2026-01-22T10:00 mean 7100 A 334
2026-01-23T10:00 mean 7100 A 277
2026-01-24T10:00 mean 7100 A 220
2026-02-07T10:00 day 6340 A 160
2026-02-12T10:00 mean 6100 A 253
2026-02-21T07:00 lowest 5900 A 200
2026-03-03T21:59 lowest 5640 A 60
2026-03-05T07:00 mean 5580 A 209
2026-03-29T07:00 lowest 5500 A 80
2026-04-04T10:00 day 4840 D 160
2026-04-08T10:00 day 4680 D 160`;

const EXPECTED_NOT_SENT = `
2026-01-21T16:00 suppress sent recently
2026-01-21T20:00 suppress daily limit
2026-02-20T23:00 defer
2026-02-25T23:30 defer
2026-03-04T22:00 defer
2026-03-05T10:00 suppress sent recently
2026-03-28T22:30 defer`;

describe('90 simulated days', () => {
  const judged = ninetyDays();

  test('send exactly the alerts of the table derived by hand', () => {
    const sent = judged.flatMap(({ at: instant, verdict }) => {
      if (verdict.kind !== 'send') return [];
      const { rule, price, station, change } = verdict.drop;
      return [`${wall(instant)} ${rule} ${price} ${station} ${change}`];
    });
    assert.deepEqual(sent, EXPECTED_SENT.trim().split('\n'));
  });

  test('defer and suppress the alerts of that table', () => {
    const kept = judged.flatMap(({ at: instant, verdict }) => {
      if (verdict.kind === 'suppress') return [`${wall(instant)} suppress ${verdict.why}`];
      return verdict.kind === 'defer' ? [`${wall(instant)} defer`] : [];
    });
    assert.deepEqual(kept, EXPECTED_NOT_SENT.trim().split('\n'));
  });
});

const TODAY = dayNumber('2026-03-20');
/** Ten known days with these prices. */
const flat = (given: PricesByStation, days = 10): PastDay[] =>
  Array.from({ length: days }, (_, index) => ({ day: TODAY - 1 - index, prices: prices(given) }));
const drop = (given: PricesByStation, past = flat({ A: 7_500, B: 7_600 })) => findDrop(prices(given), past, TODAY);

describe('each rule fires from its threshold on', () => {
  const bumpy = flat({ A: 7_500 }).map((each, index) =>
    index === 4 ? { ...each, prices: prices({ A: 7_000 }) } : each,
  );
  test('the lowest of 30 days: 0.05, with seven days known', () => {
    assert.equal(drop({ A: 7_451, B: 7_600 }), null);
    assert.deepEqual(drop({ A: 7_450, B: 7_600 }), {
      rule: 'lowest',
      station: 'A',
      price: 7_450,
      change: 50,
      since: null,
    });
    assert.equal(findDrop(prices({ A: 7_450 }), flat({ A: 7_500 }, 6), TODAY), null);
    assert.equal(findDrop(prices({ A: 7_450 }), flat({ A: 7_500 }, 7), TODAY)?.rule, 'lowest');
    const older = [...flat({ A: 7_500 }), { day: TODAY - 31, prices: prices({ A: 7_000 }) }];
    assert.equal(drop({ A: 7_450 }, older)?.rule, 'lowest', 'days older than 30 days are ignored');
    assert.equal(drop({ A: 7_450 }, [...older, { day: TODAY - 30, prices: prices({ A: 7_499 }) }]), null);
  });

  test('a drop since the previous publication day: 0.15', () => {
    assert.equal(drop({ A: 7_351 }, bumpy), null);
    assert.deepEqual(drop({ A: 7_350 }, bumpy), {
      rule: 'day',
      station: 'A',
      price: 7_350,
      change: 150,
      since: TODAY - 1,
    });
  });

  test('below the mean of 7 days: 0.20', () => {
    const step = flat({ A: 7_500 }).map((each) =>
      each.day === TODAY - 1 ? { ...each, prices: prices({ A: 7_300 }) } : each,
    );
    const low = [...step, { day: TODAY - 12, prices: prices({ A: 7_000 }) }];
    const even = flat({ A: 7_510 }).map((each) =>
      each.day === TODAY - 1 ? { ...each, prices: prices({ A: 7_440 }) } : each,
    );
    const exact = [...even, { day: TODAY - 12, prices: prices({ A: 7_000 }) }];
    assert.deepEqual([drop({ A: 7_300 }, exact)?.rule, drop({ A: 7_301 }, exact)], ['mean', null]);
    assert.equal(drop({ A: 7_272 }, low), null);
    assert.deepEqual(drop({ A: 7_271 }, low), { rule: 'mean', station: 'A', price: 7_271, change: 200, since: null });
  });
});

describe('a station that returned today', () => {
  const past = flat({ A: 7_500, B: 7_600 });
  const returned = (first: PricesByStation, now: PricesByStation) =>
    findDrop(prices(now), [{ day: TODAY, prices: new Map(), first: prices(first) }, ...past], TODAY);
  const others = { A: 7_500, B: 7_600 };

  test('is compared with its first price of the day', () => {
    const expected = { rule: 'day', station: 'R', price: 7_000, change: 150, since: TODAY };
    assert.deepEqual(returned({ R: 7_150, ...others }, { R: 7_000, ...others }), expected);
    assert.equal(returned({ R: 7_149, ...others }, { R: 7_000, ...others }), null);
    assert.equal(returned({ R: 7_000, ...others }, { R: 7_000, ...others }), null);
    assert.equal(returned({}, { R: 7_000, ...others }), null);
  });

  test('sends nothing when another source supplies the price, or when another station is cheaper', () => {
    assert.equal(returned({ R: [7_200, 'list'], ...others }, { R: 7_000, ...others }), null);
    assert.equal(returned({ R: 7_900, ...others }, { R: 7_600, ...others }), null);
  });

  test('leaves the drops of other stations as they are', () => {
    const dropped = { A: 7_350, B: 7_600 };
    assert.deepEqual(returned({ R: 7_000 }, { R: 7_000, ...dropped }), drop(dropped));
    assert.equal(returned({ A: 7_900, B: 7_600 }, { A: 7_490, B: 7_600 }), null, 'a rise and fall within the day');
  });
});

describe('a judgement in slices', () => {
  test('has one for each past day at least, and the verdict of one at once', () => {
    const past = flat({ A: 7_500, B: 7_600 }, 30);
    const given = [
      at('2026-03-20T12:00'),
      prices({ A: 7_200, B: 7_600 }),
      past,
      { sent: [], deferredFrom: null },
    ] as const;
    const steps = judgeAlertInSlices(...given);
    let slices = 1;
    let step = steps.next();
    for (; !step.done; step = steps.next()) slices += 1;
    assert.ok(slices > past.length, `${slices} slices`);
    assert.deepEqual(step.value, judgeAlert(...given));
    assert.equal(step.value.kind, 'send');
  });
});

describe('no alert is sent', () => {
  test('on a first observation, on a rise, and without any price', () => {
    assert.equal(drop({ A: 5_000 }, []), null);
    assert.equal(drop({ N: 5_000, A: 7_500, B: 7_600 }), null);
    assert.equal(drop({ A: 8_000 }), null);
    assert.equal(drop({}), null);
  });

  test('because a source comes or goes', () => {
    assert.equal(drop({ A: [7_000, 'list'], B: 7_600 }), null);
    assert.equal(drop({ A: 7_500 }, flat({ A: 7_500, B: 7_700, C: 9_000 })), null);
    assert.equal(drop({ B: 7_600 }, flat({ A: 7_900, B: 7_600 })), null);
    const imported = flat({ A: 7_500 }).map(({ day }) => ({
      day,
      prices: new Map([['A', { price: 7_500, source: null }]]),
    }));
    assert.equal(drop({ A: [7_000, 'list'] }, imported)?.rule, 'lowest', 'imported days compare with any source');
  });

  test('at night in Bucharest', () => {
    const hours = ['21:59:59', '22:00', '00:00', '06:59:59', '07:00'].map((time) => isNight(at(`2026-07-01T${time}`)));
    assert.deepEqual(hours, [false, true, true, true, false]);
  });

  test('for 24 hours after the last, to the millisecond', () => {
    const noon = at('2026-03-20T12:00');
    const verdict = (ago: number, price: number) =>
      judgeAlert(noon, prices({ A: 7_000 }), flat({ A: 7_500 }), {
        sent: [{ at: noon - ago, price }],
        deferredFrom: null,
      }).kind;
    const day = 86_400_000;
    assert.deepEqual([verdict(day - 1, 7_049), verdict(day, 7_049), verdict(1, 7_050)], ['suppress', 'send', 'send']);
  });

  test('about a drop found two nights ago', () => {
    const morning = at('2026-03-20T08:00');
    const yesterday = [
      { day: TODAY - 1, prices: prices({ A: 7_300 }) },
      { day: TODAY - 2, prices: prices({ A: 7_500 }) },
      { day: TODAY - 3, prices: prices({ A: 7_500 }) },
    ];
    const waited = (deferredFrom: number) =>
      judgeAlert(morning, prices({ A: 7_300 }), yesterday, { sent: [], deferredFrom }).kind;
    assert.deepEqual([waited(TODAY - 1), waited(TODAY - 2), bucharestDay(morning)], ['send', 'none', '2026-03-20']);
  });
});

describe('for any prices', () => {
  const station = fc.constantFrom<string>('A', 'B', 'C', 'D', 'E');
  const given = fc
    .array(fc.tuple(station, fc.integer({ min: 5_500, max: 9_000 }), fc.constantFrom('register', 'list')), {
      maxLength: 5,
    })
    .map((rows) => new Map(rows.map(([id, price, source]) => [id, { price, source }])));
  const past = fc
    .array(given, { maxLength: 12 })
    .map((days) => days.map((each, i) => ({ day: TODAY - 1 - i, prices: each })));

  test('stations absent on the previous publication day have no effect', () => {
    fc.assert(
      fc.property(given, past, fc.integer({ min: 1_000, max: 9_000 }), (now, before, price) => {
        const more = new Map([...now, ['new', { price, source: 'register' }]]);
        assert.deepEqual(findDrop(more, before, TODAY), findDrop(now, before, TODAY));
      }),
    );
  });

  test('an alert reports a real drop at a current station, by at least the threshold of a rule', () => {
    fc.assert(
      fc.property(given, past, (now, before) => {
        const found = findDrop(now, before, TODAY);
        if (found === null) return;
        assert.equal(now.get(found.station)?.price, found.price);
        assert.ok(found.change >= { lowest: 50, day: 150, mean: 200 }[found.rule]);
        assert.ok(before.some(({ prices: then }) => (then.get(found.station)?.price ?? 0) > found.price));
      }),
    );
  });

  test('unchanged prices cause no alert, whichever stations are missing', () => {
    fc.assert(
      fc.property(given, fc.array(fc.array(station), { maxLength: 12 }), (now, missing) => {
        const before = missing.map((gone, i) => ({
          day: TODAY - 1 - i,
          prices: new Map([...now].filter(([id]) => !gone.includes(id))),
        }));
        assert.equal(findDrop(now, before, TODAY), null);
      }),
    );
  });
});
