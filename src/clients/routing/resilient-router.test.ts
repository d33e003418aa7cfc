import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createResilientRouter } from './resilient-router.ts';
import type { RoadRouter } from './road-router.ts';
import type { EngineRoute } from './routing-engine.ts';

type Answer = Awaited<ReturnType<RoadRouter['findRoute']>>;

const CLUJ = { lat: 46.76667, lng: 23.6 };
const TURDA = { lat: 46.56667, lng: 23.78333 };
const WHO = { client: '192.0.2.1', network: '192.0.2.0/24' };
const ROUTE: EngineRoute = {
  km: 33.6,
  minutes: 31,
  line: [
    [46.76667, 23.6],
    [46.56667, 23.78333],
  ],
};
const DOWN: Answer = { failed: 'the connection was refused', isDown: true };
const INVALID: Answer = { failed: 'its line cannot be read', isDown: false };

/** A router with scripted answers, its wrapper, and the operator's warnings. */
function resilientRouterFixture() {
  const warnings: string[] = [];
  const clock = { now: 0, failures: 0, asked: 0 };
  const answers: (Answer | Promise<Answer>)[] = [];
  const router = createResilientRouter(
    {
      name: 'osrm at 127.0.0.1:5000',
      kind: 'osrm',
      findRoute: async () => {
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
      warn: (message) => warnings.push(message),
    },
  );
  return { router, answers, warnings, clock };
}

describe('the resilient router', () => {
  test('passes on the route, or that there is none', async () => {
    const { router, answers, warnings, clock } = resilientRouterFixture();
    answers.push(ROUTE, 'no_route');
    assert.equal(await router.findRoute(CLUJ, TURDA, WHO), ROUTE);
    assert.equal(await router.findRoute(CLUJ, TURDA, WHO), 'no_route');
    assert.deepEqual({ warnings, failures: clock.failures }, { warnings: [], failures: 0 });
  });

  test('warns once that the engine is down, rarely calls it, and reports its recovery', async () => {
    const { router, answers, warnings, clock } = resilientRouterFixture();
    answers.push(DOWN);
    for (let asked = 0; asked < 50; asked += 1) assert.equal(await router.findRoute(CLUJ, TURDA, WHO), null);
    assert.equal(clock.asked, 1);
    answers.push(DOWN, ROUTE, ROUTE);
    clock.now = 1_000;
    assert.equal(await router.findRoute(CLUJ, TURDA, WHO), null);
    clock.now = 3_000;
    assert.equal(await router.findRoute(CLUJ, TURDA, WHO), ROUTE);
    assert.equal(await router.findRoute(CLUJ, TURDA, WHO), ROUTE);
    assert.equal(clock.failures, 2);
    assert.deepEqual(warnings, [
      'the routing engine (osrm at 127.0.0.1:5000) failed, the built-in roads take its place: the connection was refused',
      'the routing engine (osrm at 127.0.0.1:5000) answers again',
    ]);
  });

  test('continues to call the engine after an invalid answer, which says nothing about other requests', async () => {
    const { router, answers, clock } = resilientRouterFixture();
    answers.push(INVALID, ROUTE);
    assert.equal(await router.findRoute(CLUJ, TURDA, WHO), null);
    assert.equal(await router.findRoute(TURDA, CLUJ, WHO), ROUTE);
    assert.equal(clock.failures, 1);
  });

  test('warns once a minute when good and bad answers alternate', async () => {
    const { router, answers, warnings, clock } = resilientRouterFixture();
    for (clock.now = 0; clock.now < 60_000; clock.now += 1_000) {
      answers.push(INVALID, ROUTE);
      await router.findRoute(CLUJ, TURDA, WHO);
      await router.findRoute(TURDA, CLUJ, WHO);
    }
    assert.equal(warnings.length, 2);
    answers.push(INVALID);
    await router.findRoute(CLUJ, TURDA, WHO);
    assert.equal(warnings.length, 3);
  });

  test('warns after that minute of an outage that began within it', async () => {
    const { router, answers, warnings, clock } = resilientRouterFixture();
    answers.push(INVALID, ROUTE, DOWN, DOWN);
    await router.findRoute(CLUJ, TURDA, WHO);
    await router.findRoute(CLUJ, TURDA, WHO);
    await router.findRoute(CLUJ, TURDA, WHO);
    assert.equal(warnings.length, 2);
    clock.now = 60_000;
    await router.findRoute(CLUJ, TURDA, WHO);
    assert.equal(warnings.length, 3);
    answers.push(DOWN);
    clock.now = 180_000;
    await router.findRoute(CLUJ, TURDA, WHO);
    assert.equal(warnings.length, 3, 'once, however long it lasts');
  });

  test('sends one request for concurrent equal ones, and each of different ones', async () => {
    const { router, answers, clock } = resilientRouterFixture();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answers.push(promise, promise);
    const equal = Array.from({ length: 100 }, () => router.findRoute(CLUJ, TURDA, WHO));
    const other = router.findRoute(TURDA, CLUJ, WHO);
    resolve(ROUTE);
    assert.ok((await Promise.all([...equal, other])).every((route) => route === ROUTE));
    assert.equal(clock.asked, 2);
    answers.push(ROUTE);
    await router.findRoute(CLUJ, TURDA, WHO);
    assert.equal(clock.asked, 3);
  });

  test('makes no caller wait for the trial request to an engine that was down', async () => {
    const { router, answers, clock } = resilientRouterFixture();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answers.push(DOWN, promise);
    await router.findRoute(CLUJ, TURDA, WHO);
    clock.now = 1_000;
    const trial = router.findRoute(CLUJ, TURDA, WHO);
    assert.equal(await router.findRoute(CLUJ, TURDA, WHO), null);
    resolve(ROUTE);
    assert.equal(await trial, ROUTE);
  });

  test('lets one network neither occupy the engine nor open its circuit', async () => {
    const { router, answers, clock, warnings } = resilientRouterFixture();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answers.push(...Array<Promise<Answer>>(60).fill(promise));
    const network = '2001:db8:1::/48';
    const flood = Array.from({ length: 50 }, (_, at) =>
      router.findRoute({ lat: 45 + at / 100, lng: 25 }, TURDA, { client: `2001:db8:1:${at}::/64`, network }),
    );
    await setImmediate();
    assert.equal(clock.asked, 4, 'of one network at once');
    const other = router.findRoute(CLUJ, TURDA, WHO);
    await setImmediate();
    assert.equal(clock.asked, 5, 'another network need not wait');
    resolve(ROUTE);
    assert.deepEqual(await Promise.all([...flood, other]), Array(51).fill(ROUTE));
    assert.deepEqual([clock.failures, warnings], [0, []]);
  });

  test('does not count a caller that gets no slot in time as a failure of the engine', async (t) => {
    const { router, answers, clock, warnings } = resilientRouterFixture();
    const waitOver = new AbortController();
    t.mock.method(AbortSignal, 'timeout', () => waitOver.signal);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answers.push(promise, promise, ROUTE);
    const flood = [1, 2, 3].map((at) => router.findRoute({ lat: 45 + at / 100, lng: 25 }, TURDA, WHO));
    await setImmediate();
    waitOver.abort();
    assert.equal(await flood[2], null);
    assert.deepEqual([clock.asked, clock.failures, warnings], [2, 0, []]);
    resolve(ROUTE);
    assert.deepEqual(await Promise.all(flood), [ROUTE, ROUTE, null]);
  });
});
