import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Registry } from 'prom-client';
import { settled, supervise } from '../../../test/support/processes/supervised-processes.ts';
import { CommandError } from '../command.ts';
import type { ProcessMetrics } from './supervisor-messages.ts';

async function seen(value: number): Promise<ProcessMetrics> {
  const registry = new Registry();
  new Counter({ name: 'seen_total', help: 'Seen.', registers: [registry] }).inc(value);
  return registry.getMetricsAsJSON();
}

test('the address is told once, when the first process serves', async (t) => {
  const { child, addresses, supervisor } = supervise(t, 2);
  await settled();
  assert.deepEqual(addresses, []);
  child(1).serve();
  await settled();
  child(0).serve();
  await settled();
  assert.deepEqual(addresses, ['http://127.0.0.1:8080']);
  assert.equal(supervisor.counts.serving, 2);
});

test('a process that dies is replaced at once by one with its number', async (t) => {
  const { child, children, pauses, lines, supervisor, time } = supervise(t, 2);
  child(0).serve();
  child(1).serve();
  await settled();
  time.now = 60_000;
  child(1).end('SIGKILL');
  await settled();
  assert.equal(children.length, 3);
  assert.deepEqual([child(2).number, child(2).takesOver], [2, false]);
  assert.deepEqual(pauses, []);
  assert.match(lines.join('\n'), /process 2, pid 1, ended: SIGKILL; another is started now/);
  assert.deepEqual(supervisor.counts, { configured: 2, serving: 1, replaced: 1 });
});

test('processes that end at once again and again are replaced ever more slowly, until one lives', async (t) => {
  const { child, children, pauses, time } = supervise(t, 1);
  const last = () => child(children.length - 1);
  for (let round = 0; round < 10; round += 1) {
    last().serve();
    await settled();
    last().end('SIGSEGV');
    await settled();
  }
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  last().serve();
  await settled();
  time.now += 60_000;
  last().end('SIGSEGV');
  await settled();
  assert.equal(pauses.length, 9, 'one that lived is replaced without a pause');
});

test('the supervisor fails with the reason once no process can start', async (t) => {
  const { child, run, children } = supervise(t, 2);
  child(0).end('exit code 1', 'DATABASE_URL must be a postgres:// address');
  await settled();
  assert.equal(children.length, 3, 'the other one may serve');
  child(2).end('exit code 1', 'DATABASE_URL must be a postgres:// address');
  child(1).end('exit code 1', 'DATABASE_URL must be a postgres:// address');
  await settled();
  for (const each of children) each.end('exit code 0');
  await assert.rejects(run, (error) => {
    return error instanceof CommandError && error.message === 'DATABASE_URL must be a postgres:// address';
  });
});

test('the supervisor fails when processes end three times before any serves, even without a reason', async (t) => {
  const { child, run, children } = supervise(t, 1);
  for (let start = 0; start < 3; start += 1) {
    child(start).end('exit code 134');
    await settled();
  }
  assert.equal(children.length, 3);
  await assert.rejects(run, /serving processes end before they serve, the last one with exit code 134/);
});

test('a reload exchanges one process at a time, and stops the old one only when the new one serves', async (t) => {
  const { child, children, supervisor } = supervise(t, 2);
  child(0).serve();
  child(1).serve();
  await settled();
  const reload = supervisor.reload();
  await settled();
  assert.equal(children.length, 3);
  assert.deepEqual([child(2).number, child(2).takesOver], [1, true]);
  assert.deepEqual(child(0).stops, []);
  child(2).serve();
  await settled();
  assert.deepEqual(child(0).stops, [true], 'without losing a request');
  assert.deepEqual([child(3).number, child(3).takesOver, children.length], [2, true, 4]);
  child(3).serve();
  await reload;
  assert.deepEqual(child(1).stops, [true]);
  assert.deepEqual(supervisor.counts, { configured: 2, serving: 2, replaced: 0 });
});

test('a reload stops at the first new process that cannot serve, and the others go on', async (t) => {
  const { child, children, supervisor, lines } = supervise(t, 2);
  child(0).serve();
  child(1).serve();
  await settled();
  const reload = supervisor.reload();
  await settled();
  child(2).end('exit code 1', 'unknown setting PROT in .env');
  await reload;
  assert.equal(children.length, 3);
  assert.deepEqual([child(0).stops, child(1).stops], [[], []]);
  assert.match(
    lines.join('\n'),
    /the reload stops, since a new process 1 does not serve: unknown setting PROT in \.env/,
  );
  assert.equal(supervisor.counts.serving, 2);
});

test('a process that dies while its successor starts is not replaced twice', async (t) => {
  const { child, children, supervisor } = supervise(t, 1);
  child(0).serve();
  await settled();
  const reload = supervisor.reload();
  await settled();
  child(0).end('SIGKILL');
  await settled();
  assert.equal(children.length, 2);
  child(1).serve();
  await reload;
  assert.deepEqual([children.length, supervisor.counts.serving], [2, 1]);
});

test('a process that died while its successor could not start is replaced', async (t) => {
  const { child, children, supervisor } = supervise(t, 1);
  child(0).serve();
  await settled();
  const reload = supervisor.reload();
  await settled();
  child(0).end('SIGKILL');
  child(1).end('SIGKILL');
  await reload;
  await settled();
  assert.deepEqual([children.length, child(2).takesOver], [3, false]);
});

test('a reload asked for during one runs after it, once', async (t) => {
  const { child, children, supervisor } = supervise(t, 1);
  child(0).serve();
  await settled();
  const reloads = [supervisor.reload(), supervisor.reload(), supervisor.reload()];
  await settled();
  child(1).serve();
  await settled();
  child(2).serve();
  await Promise.all(reloads);
  assert.equal(children.length, 3);
});

test('processes that drain hold up neither the rest of a reload nor the next one', async (t) => {
  const { child, children, supervisor, lines } = supervise(t, 2);
  const serveNext = async () => {
    const next = child(children.length - 1);
    next.isDraining = true;
    next.serve();
    await settled();
  };
  const reload = async () => {
    const reloaded = supervisor.reload();
    await settled();
    await serveNext();
    await serveNext();
    await reloaded;
  };
  child(0).isDraining = true;
  child(0).serve();
  await serveNext();
  await reload();
  assert.deepEqual([child(0).stops, child(1).stops], [[true], [true]]);
  assert.match(lines.join('\n'), /reloaded: every process is a new one/);
  child(0).end('exit code 0');
  child(1).end('exit code 0');
  await settled();
  await reload();
  assert.deepEqual([child(2).stops, child(3).stops, children.length], [[true], [true], 6]);
});

test('of too many that drain the oldest ends, after it has drained for some time', async (t) => {
  const { child, children, supervisor, drainedLong, lines } = supervise(t, 2, 1);
  for (const index of [0, 1]) {
    child(index).isDraining = true;
    child(index).serve();
  }
  await settled();
  const reload = supervisor.reload();
  await settled();
  child(2).serve();
  await settled();
  assert.deepEqual([child(0).stops, children.length], [[true], 3]);
  drainedLong.resolve();
  await settled();
  assert.deepEqual([child(0).stops, children.length], [[true, false], 4]);
  assert.match(lines.join('\n'), /no room for more replaced processes: the oldest ends/);
  child(3).serve();
  await reload;
  assert.deepEqual(child(1).stops, [true], 'it drains on');
});

test('a stop ends those that drain, too', async (t) => {
  const { child, stop, run, replaceFirst } = supervise(t, 1);
  await replaceFirst();
  stop.abort();
  await run;
  assert.deepEqual(child(0).stops, [true, false]);
});

test('a stop lets every process end, those of a reload included, and waits for them', async (t) => {
  const { child, supervisor, stop, run, children } = supervise(t, 2);
  child(0).serve();
  child(1).serve();
  await settled();
  const reload = supervisor.reload();
  await settled();
  stop.abort();
  await run;
  await reload;
  assert.deepEqual(
    children.map(({ stops }) => stops),
    [[false], [false], [false]],
  );
});

test('what processes had counted when they ended is kept', async (t) => {
  const { child, supervisor } = supervise(t, 1);
  child(0).end('SIGKILL', null, await seen(2));
  await settled();
  child(1).end('SIGKILL', null, await seen(3));
  await settled();
  assert.equal((await supervisor.metrics()).ended[0]?.values[0]?.value, 5);
});

test('what a process counts is there once, also while it ends after its successor serves', async (t) => {
  const { child, supervisor, replaceFirst } = supervise(t, 1);
  child(0).counted = await seen(2);
  await replaceFirst();
  const ended = async () => (await supervisor.metrics()).ended[0]?.values[0]?.value;
  assert.equal(await ended(), 2);
  child(0).end('exit code 0', null, child(0).counted);
  await settled();
  assert.equal(await ended(), 2);
});

test('what a process counts is there once when it ends while another one is asked', async (t) => {
  const { child, supervisor } = supervise(t, 2);
  child(0).counted = await seen(2);
  const slow = Promise.withResolvers<ProcessMetrics>();
  child(1).metrics = () => slow.promise;
  for (const index of [0, 1]) child(index).serve();
  const asked = supervisor.metrics();
  await settled();
  child(0).end('SIGKILL', null, child(0).counted);
  await settled();
  slow.resolve(await seen(3));
  const { running, ended } = await asked;
  assert.deepEqual([...running.keys()], [2]);
  assert.equal(ended[0]?.values[0]?.value, 2);
});

test('a supervisor that has served goes on, whatever its next processes end with', async (t) => {
  const { child, children, run } = supervise(t, 1);
  child(0).serve();
  await settled();
  child(0).end('SIGKILL');
  await settled();
  child(1).end('exit code 1', 'unknown setting PROT in .env');
  await settled();
  child(2).serve();
  assert.equal(children.length, 3);
  assert.equal(
    await Promise.race([
      run.then(
        () => 'ended',
        () => 'failed',
      ),
      settled(),
    ]),
    undefined,
  );
});

test('processes let load balancers know once a stop is requested, one that is started then, too, and serve on', async (t) => {
  const { child, stopRequest, stop, run, time } = supervise(t, 2);
  child(0).serve();
  child(1).serve();
  await settled();
  stopRequest.abort();
  await settled();
  time.now = 60_000;
  child(1).end('SIGKILL');
  await settled();
  assert.deepEqual([child(0).announcements, child(2).announcements], [1, 1]);
  assert.deepEqual([child(0).stops, child(2).stops], [[], []]);
  stop.abort();
  await run;
  assert.deepEqual([child(0).stops, child(2).stops], [[false], [false]]);
});

test('a process that ends is not replaced by one of another release: all end, and the reason is told', async (t) => {
  const { child, children, program, run, time } = supervise(t, 2);
  child(0).serve();
  child(1).serve();
  await settled();
  time.now = 60_000;
  program.obstacle = 'another release';
  child(1).end('SIGKILL');
  await assert.rejects(run, (error) => error instanceof CommandError && error.message === 'another release');
  assert.deepEqual([children.length, child(0).stops], [2, [false]]);
});
