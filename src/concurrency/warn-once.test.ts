import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WarnOnce } from './warn-once.ts';

/** Reports in a list, and a clock set by hand. */
function reporter(minIntervalMs?: number) {
  const said: string[] = [];
  const time = { now: 0 };
  const outage = new WarnOnce({
    warn: (why) => said.push(why),
    onRecovery: () => said.push('recovered'),
    ...(minIntervalMs === undefined ? {} : { minIntervalMs }),
    clock: () => time.now,
  });
  return { said, time, outage };
}

describe('an outage', () => {
  test('is reported when it begins and when it ends', () => {
    const { said, outage } = reporter();
    outage.succeeded();
    outage.failed('first');
    outage.failed('second');
    outage.succeeded();
    outage.succeeded();
    outage.failed('third');
    assert.deepEqual(said, ['first', 'recovered', 'third']);
  });

  test('that comes and goes is reported once per interval, and its end only with it', () => {
    const { said, time, outage } = reporter(60);
    outage.failed('first');
    outage.succeeded();
    time.now = 59;
    outage.failed('second');
    outage.succeeded();
    time.now = 60;
    outage.failed('third');
    outage.succeeded();
    assert.deepEqual(said, ['first', 'recovered', 'third', 'recovered']);
  });

  test('may be reported without its end, and with a value other than text', () => {
    const said: object[] = [];
    const outage = new WarnOnce<{ why: string }>({ warn: (why) => said.push(why) });
    outage.failed({ why: 'away' });
    outage.succeeded();
    outage.failed({ why: 'away again' });
    assert.deepEqual(said, [{ why: 'away' }, { why: 'away again' }]);
  });
});
