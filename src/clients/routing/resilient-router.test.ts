import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createResilientRouter } from './resilient-router.ts';
import type { RoadRouter } from './road-router.ts';
import type { EngineRoute } from './routing-engine.ts';

type Answer = Awaited<ReturnType<RoadRouter['way']>>;

const CLUJ = { lat: 46.76667, lng: 23.6 };
const TURDA = { lat: 46.56667, lng: 23.78333 };
const WAY: EngineRoute = {
  km: 33.6,
  minutes: 31,
  line: [
    [46.76667, 23.6],
    [46.56667, 23.78333],
  ],
};
const DOWN: Answer = { failed: 'the connection was refused', isDown: true };
const ODD: Answer = { failed: 'its line cannot be read', isDown: false };

/** A router with scripted answers, its wrapper, and the operator's warnings. */
function resilientRouterFixture() {
  const heard: string[] = [];
  const clock = { now: 0, failures: 0, asked: 0 };
  const answers: (Answer | Promise<Answer>)[] = [];
  const router = createResilientRouter(
    {
      name: 'osrm at 127.0.0.1:5000',
      kind: 'osrm',
      way: async () => {
        clock.asked += 1;
        const answer = answers.shift();
        assert.ok(answer, 'asked once too often');
        return answer;
      },
      close: async () => undefined,
    },
    {
      clock: () => clock.now,
      onFailure: () => {
        clock.failures += 1;
      },
      warn: (message) => heard.push(message),
    },
  );
  return { router, answers, heard, clock };
}

describe('a watched engine', () => {
  test('passes on its way, and that there is none', async () => {
    const { router, answers, heard, clock } = resilientRouterFixture();
    answers.push(WAY, 'impossible');
    assert.equal(await router.way(CLUJ, TURDA), WAY);
    assert.equal(await router.way(CLUJ, TURDA), 'impossible');
    assert.deepEqual({ heard, failures: clock.failures }, { heard: [], failures: 0 });
  });

  test('that is down is told of once, asked rarely, and told of when it is back', async () => {
    const { router, answers, heard, clock } = resilientRouterFixture();
    answers.push(DOWN);
    for (let asked = 0; asked < 50; asked += 1) assert.equal(await router.way(CLUJ, TURDA), null);
    assert.equal(clock.asked, 1);
    answers.push(DOWN, WAY, WAY);
    clock.now = 1_000;
    assert.equal(await router.way(CLUJ, TURDA), null);
    clock.now = 3_000;
    assert.equal(await router.way(CLUJ, TURDA), WAY);
    assert.equal(await router.way(CLUJ, TURDA), WAY);
    assert.equal(clock.failures, 2);
    assert.deepEqual(heard, [
      'the routing engine (osrm at 127.0.0.1:5000) failed, the built-in roads take its place: the connection was refused',
      'the routing engine (osrm at 127.0.0.1:5000) answers again',
    ]);
  });

  test('is asked on by everybody after an answer of no use: that says nothing of other questions', async () => {
    const { router, answers, clock } = resilientRouterFixture();
    answers.push(ODD, WAY);
    assert.equal(await router.way(CLUJ, TURDA), null);
    assert.equal(await router.way(TURDA, CLUJ), WAY);
    assert.equal(clock.failures, 1);
  });

  test('whose good and bad answers take turns is told of once a minute', async () => {
    const { router, answers, heard, clock } = resilientRouterFixture();
    for (clock.now = 0; clock.now < 60_000; clock.now += 1_000) {
      answers.push(ODD, WAY);
      await router.way(CLUJ, TURDA);
      await router.way(TURDA, CLUJ);
    }
    assert.equal(heard.length, 2);
    answers.push(ODD);
    await router.way(CLUJ, TURDA);
    assert.equal(heard.length, 3);
  });

  test('an outage that begins within that minute is told of after it', async () => {
    const { router, answers, heard, clock } = resilientRouterFixture();
    answers.push(ODD, WAY, DOWN, DOWN);
    await router.way(CLUJ, TURDA);
    await router.way(CLUJ, TURDA);
    await router.way(CLUJ, TURDA);
    assert.equal(heard.length, 2);
    clock.now = 60_000;
    await router.way(CLUJ, TURDA);
    assert.equal(heard.length, 3);
    answers.push(DOWN);
    clock.now = 180_000;
    await router.way(CLUJ, TURDA);
    assert.equal(heard.length, 3, 'once, however long it lasts');
  });

  test('gets one question of any number of equal ones at once, and each of different ones', async () => {
    const { router, answers, clock } = resilientRouterFixture();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answers.push(promise, promise);
    const equal = Array.from({ length: 100 }, () => router.way(CLUJ, TURDA));
    const other = router.way(TURDA, CLUJ);
    resolve(WAY);
    assert.ok((await Promise.all([...equal, other])).every((way) => way === WAY));
    assert.equal(clock.asked, 2);
    answers.push(WAY);
    await router.way(CLUJ, TURDA);
    assert.equal(clock.asked, 3);
  });

  test('while one tries whether it is back, nobody waits for that', async () => {
    const { router, answers, clock } = resilientRouterFixture();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answers.push(DOWN, promise);
    await router.way(CLUJ, TURDA);
    clock.now = 1_000;
    const trial = router.way(CLUJ, TURDA);
    assert.equal(await router.way(CLUJ, TURDA), null);
    resolve(WAY);
    assert.equal(await trial, WAY);
  });
});
