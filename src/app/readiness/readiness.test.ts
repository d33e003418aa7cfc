import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COMPLETE_WITHIN_MS, createReadiness, isReady, type StartingParts } from './readiness.ts';

const NOTHING = { hasPrices: false, isComplete: false, isFailing: false };
const FROM_DISK = { ...NOTHING, hasPrices: true };
const COMPLETE = { ...FROM_DISK, isComplete: true };
const FAILING = { ...FROM_DISK, isFailing: true };

type State = StartingParts['database']['state'];

/** Of a process that reads the database, or follows a server in that state. */
function parts(
  snapshot: StartingParts['snapshot'],
  {
    database = 'ready',
    followed,
    hasReadChanges = true,
  }: { database?: State; followed?: State; hasReadChanges?: boolean },
): StartingParts {
  const server = followed === undefined ? null : { state: followed };
  return { snapshot, database: { state: database }, followed: server, hasReadChanges };
}

describe('a process that reads the database', () => {
  for (const [title, given, expected] of [
    ['is ready with prices, statistics and the feed of changes', parts(COMPLETE, {}), true],
    ['is not ready without the statistics of past days', parts(FROM_DISK, {}), false],
    ['is not ready before it has read the feed', parts(COMPLETE, { hasReadChanges: false }), false],
    ['is not ready while it connects', parts(FROM_DISK, { database: 'connecting', hasReadChanges: false }), false],
    ['is ready with what it has when readings fail', parts(FAILING, {}), true],
    ['is not ready when readings fail and it knows no prices', parts({ ...NOTHING, isFailing: true }, {}), false],
    ['is ready with nothing when there is no database', parts(NOTHING, { database: 'unavailable' }), true],
  ] as const)
    test(title, () => assert.equal(isReady(given), expected));
});

describe('a process that follows a server', () => {
  const NO_DATABASE = { database: 'unavailable', hasReadChanges: false } as const;
  for (const [title, given, expected] of [
    ['is ready with prices and statistics', parts(COMPLETE, { ...NO_DATABASE, followed: 'ready' }), true],
    ['is not ready before it has the statistics', parts(FROM_DISK, { ...NO_DATABASE, followed: 'ready' }), false],
    ['is not ready before it is answered', parts(FROM_DISK, { ...NO_DATABASE, followed: 'connecting' }), false],
    [
      'is ready with its last prices when the server is away',
      parts(FROM_DISK, { ...NO_DATABASE, followed: 'unavailable' }),
      true,
    ],
    ['is not ready without prices', parts(NOTHING, { ...NO_DATABASE, followed: 'unavailable' }), false],
    ['waits for the feed of its database', parts(COMPLETE, { followed: 'ready', hasReadChanges: false }), false],
    ['does not wait for a database that is away', parts(COMPLETE, { ...NO_DATABASE, followed: 'ready' }), true],
  ] as const)
    test(title, () => assert.equal(isReady(given), expected));
});

test('a process that was ready stays so', () => {
  let given = parts(COMPLETE, {});
  const ready = createReadiness(() => given);
  assert.equal(ready(), true);
  given = parts(FROM_DISK, {});
  assert.equal(ready(), true);
});

test('a process with prices waits for the rest, but not for ever', () => {
  const time = { now: 100 };
  let given = parts(NOTHING, { database: 'connecting' });
  const ready = createReadiness(
    () => given,
    () => time.now,
  );
  assert.equal(ready(), false);
  time.now += COMPLETE_WITHIN_MS;
  assert.equal(ready(), false, 'it has no prices');
  given = parts(FROM_DISK, { followed: 'ready', hasReadChanges: false });
  assert.equal(ready(), false);
  time.now += COMPLETE_WITHIN_MS - 1;
  assert.equal(ready(), false);
  time.now += 1;
  assert.equal(ready(), true);
});
