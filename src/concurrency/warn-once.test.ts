import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WarnOnce } from './warn-once.ts';

/** Reports in a list, and a clock set by hand. */
function reporter(minIntervalMs?: number) {
  const reported: string[] = [];
  const time = { now: 0 };
  const outage = new WarnOnce({
    warn: (why) => reported.push(why),
    onRecovery: () => reported.push('recovered'),
    ...(minIntervalMs === undefined ? {} : { minIntervalMs }),
    clock: () => time.now,
  });
  return { reported, time, outage };
}

describe('an outage', () => {
  test('is reported when it begins and when it ends', () => {
    const { reported, outage } = reporter(0);
    outage.succeeded();
    outage.failed('first');
    outage.failed('second');
    outage.succeeded();
    outage.succeeded();
    outage.failed('third');
    assert.deepEqual(reported, ['first', 'recovered', 'third']);
  });

  test('that comes and goes is reported once per interval, and its end only with it', () => {
    const { reported, time, outage } = reporter(60);
    outage.failed('first');
    outage.succeeded();
    time.now = 59;
    outage.failed('second');
    outage.succeeded();
    time.now = 60;
    outage.failed('third');
    outage.succeeded();
    assert.deepEqual(reported, ['first', 'recovered', 'third', 'recovered']);
  });

  test('that comes and goes is reported once a minute where no interval is given', () => {
    const { reported, time, outage } = reporter();
    for (time.now = 0; time.now < 180_000; time.now += 1_000) {
      outage.failed('away');
      outage.succeeded();
    }
    assert.deepEqual(reported, Array.from({ length: 3 }, () => ['away', 'recovered']).flat());
  });

  test('may be reported without its end, and with a value other than text', () => {
    const reported: object[] = [];
    const outage = new WarnOnce<{ why: string }>({ warn: (why) => reported.push(why), minIntervalMs: 0 });
    outage.failed({ why: 'away' });
    outage.succeeded();
    outage.failed({ why: 'away again' });
    assert.deepEqual(reported, [{ why: 'away' }, { why: 'away again' }]);
  });
});
