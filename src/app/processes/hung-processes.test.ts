import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled, supervise } from '../../../test/support/processes/supervised-processes.ts';

test('a new process that hangs is ended, and the reload stops', async (t) => {
  const { child, supervisor, lines, late } = supervise(t, 1);
  child(0).serve();
  await settled();
  const reload = supervisor.reload();
  await settled();
  late.resolve();
  await reload;
  assert.match(lines.join('\n'), /the reload stops, since a new process 1 does not serve: SIGKILL/);
  assert.deepEqual(child(0).stops, []);
});

test('a process that hangs is killed and replaced, and the log says why', async (t) => {
  const { child, children, supervisor, lines, nextQuestion } = supervise(t, 2);
  for (const index of [0, 1]) child(index).serve();
  await settled();
  child(1).isHung = true;
  for (let asked = 0; asked < 9; asked += 1) await nextQuestion();
  assert.equal(children.length, 2, 'a process may be busy');
  for (let asked = 0; asked < 2; asked += 1) await nextQuestion();
  assert.deepEqual([children.length, child(2).number], [3, 2]);
  assert.match(lines.join('\n'), /process 2, pid 1, has answered nothing for 30 s: it is killed/);
  assert.deepEqual(supervisor.counts, { configured: 2, serving: 1, replaced: 1 });
});

test('a process that hangs while it drains is killed, too', async (t) => {
  const { child, children, lines, nextQuestion, replaceFirst } = supervise(t, 1);
  await replaceFirst();
  child(0).isHung = true;
  for (let asked = 0; asked < 11; asked += 1) await nextQuestion();
  assert.match(lines.join('\n'), /process 1, pid 1, has answered nothing for 30 s: it is killed/);
  assert.equal(child(0).kills, 1);
  assert.equal(children.length, 2);
});

test('a process that does not serve in time is killed and started again', async (t) => {
  const { children, lines, late } = supervise(t, 1);
  late.resolve();
  await settled();
  assert.match(lines.join('\n'), /process 1, pid 1, does not serve after 60 s: it is killed/);
  assert.ok(children.length > 1);
});

test('a stop kills a process that hangs, and lets one that is busy finish', async (t) => {
  const { child, stop, run, nextQuestion } = supervise(t, 2);
  for (const index of [0, 1]) {
    child(index).isBusy = true;
    child(index).serve();
  }
  await settled();
  child(1).isHung = true;
  stop.abort();
  for (let asked = 0; asked < 11; asked += 1) await nextQuestion();
  assert.deepEqual([child(0).kills, child(1).kills], [0, 1]);
  child(0).end('exit code 0');
  await run;
});

test('a stop is bounded: it kills what has not ended in time', async (t) => {
  const { child, stop, run, lines, stopsLate } = supervise(t, 1);
  child(0).isBusy = true;
  child(0).serve();
  await settled();
  stop.abort();
  await settled();
  stopsLate.resolve();
  await settled();
  assert.equal(child(0).kills, 1);
  await run;
  assert.match(lines.join('\n'), /not every process has ended after 110 s: killed are pid 1/);
});
