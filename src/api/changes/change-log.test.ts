import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NOON } from '../../../test/support/builders/snapshot-builders.ts';
import { aToldChange, EPOCH } from '../../../test/support/changes/told-changes.ts';
import type { FeedHead } from '../../store/changes/feed-head.ts';
import type { ToldChange } from '../../store/changes/read-feed.ts';
import { ChangeLog } from './change-log.ts';

const MAX_BYTES = 10_000;

const changes = (from: number, to: number, change: Partial<ToldChange> = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => aToldChange(from + index, change));

/** One reading, passed on in parts of seven changes, as the store does in parts of a thousand. */
function read(log: ChangeLog, told: readonly ToldChange[], { isWhole }: { isWhole: boolean }): void {
  for (let first = 0; first < told.length; first += 7) log.add(EPOCH, told.slice(first, first + 7));
  const seq = told.at(-1)?.seq as number;
  const head = { epoch: EPOCH, seq, states: seq, version: 1, from: NOON, until: NOON + 60_000 };
  log.complete({ head, isWhole, states: [] });
}

/** As a process that runs reads it. */
function readInSteps(told: readonly ToldChange[], step = 10): ChangeLog {
  const log = new ChangeLog(MAX_BYTES);
  for (let first = 0; first < told.length; first += step)
    read(log, told.slice(first, first + step), { isWhole: first === 0 });
  return log;
}

/** As a process that starts reads it. */
function readAtOnce(told: readonly ToldChange[]): ChangeLog {
  const log = new ChangeLog(MAX_BYTES);
  read(log, told, { isWhole: true });
  return log;
}

const held = (log: ChangeLog) => log.after(0, null, 100_000).entries;
const bytesHeld = (log: ChangeLog) => held(log).reduce((sum, { text }) => sum + text.length, 0);

/** Long ones first, so that a half of the changes is not a half of the bytes. */
const UNEVEN = [...changes(1, 60, { source: 'x'.repeat(600) }), ...changes(61, 90)];

describe('the newest changes of a place', () => {
  const CITIES = ['iasi', 'cluj-napoca', ''];
  const told = Array.from({ length: 200 }, (_, index) =>
    aToldChange(index + 1, { city: CITIES[index % 3] as string, station: `station${index % 7}` }),
  );
  const numbers = (entries: readonly { readonly seq: number }[]) => entries.map(({ seq }) => seq);

  test('are those that a look at all changes finds, read at once or as they are told, also when old ones went', () => {
    for (const log of [readAtOnce(told.slice(0, 20)), readAtOnce(told), readInSteps(told), readInSteps(told, 100)])
      for (const most of [2, 50]) {
        for (const city of ['iasi', 'cluj-napoca', 'nowhere'])
          assert.deepEqual(
            numbers(log.newestAt({ city }, most)),
            numbers(log.newest((change) => change.city === city, most)),
          );
        assert.deepEqual(
          numbers(log.newestAt({ station: 'station3' }, most)),
          numbers(log.newest(({ station }) => station === 'station3', most)),
        );
      }
  });

  test('are none once nothing is told any more', () => {
    const log = readAtOnce(told);
    log.complete(null);
    assert.deepEqual(log.newestAt({ city: 'iasi' }, 5), []);
  });
});

describe('a feed of more bytes than may be held', () => {
  test('gives up its oldest changes: what is left fits, and leads up to the end', () => {
    for (const log of [readInSteps(changes(1, 200)), readAtOnce(changes(1, 200)), readAtOnce(UNEVEN)]) {
      const bytes = bytesHeld(log);
      assert.ok(bytes <= MAX_BYTES && bytes > MAX_BYTES - 1_000, `${bytes} bytes`);
      assert.equal(held(log)[0]?.seq, log.base + 1);
      assert.equal(held(log).at(-1)?.seq, log.head?.seq);
    }
  });

  test('gives no place to a cursor before them, but to the oldest one kept', () => {
    const log = readInSteps(changes(1, 200));
    const cursor = { epoch: EPOCH, seq: log.base, ahead: null };
    assert.equal(log.oldestCursor(), `${EPOCH}.${log.base.toString(36)}`);
    assert.deepEqual(log.placeOf(cursor), { seq: log.base, ahead: null });
    assert.equal(log.placeOf({ ...cursor, seq: log.base - 1 }), null);
    const { seq } = log.head as FeedHead;
    assert.deepEqual(log.placeOf({ ...cursor, seq: seq + 1 }), { seq: seq + 1, ahead: null }, 'another process');
    assert.equal(log.placeOf({ ...cursor, seq: seq + 200_001 }), null, 'no process');
  });

  test('begins at the same change in every process, read at once or as it is told, in small steps or large ones', () => {
    for (const told of [changes(1, 200), UNEVEN]) {
      const atOnce = readAtOnce(told);
      for (const step of [1, 10, 100]) {
        const log = readInSteps(told, step);
        assert.equal(log.base, atOnce.base, `steps of ${step}`);
        assert.deepEqual(held(log), held(atOnce));
      }
    }
  });

  test('has no gap after one reading of more than that, though an earlier change would still fit', () => {
    const log = new ChangeLog(MAX_BYTES);
    read(log, changes(1, 1), { isWhole: true });
    read(log, changes(2, 8, { source: 'x'.repeat(2_800) }), { isWhole: false });
    assert.deepEqual(
      held(log).map(({ seq }) => seq),
      [6, 7, 8],
    );
    assert.equal(log.base, 5);
  });
});
