/** What the service and the machine lose while the register sends answers designed to exhaust memory and CPU. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startChild } from '../support/processes/child-process.ts';
import { addReport, RUN, selected } from '../support/run-settings.ts';
import { startBombServer } from './upstreams/bomb-server.ts';
import { REGISTER_BOMBS } from './upstreams/register-bombs.ts';
import type { ServingReady, SweepReport } from './upstreams/serving-process.ts';

/** For a whole sweep of them. */
const MOST_GROWTH_MB = 150;
/** Of CPU time in one turn of the event loop. */
const LONGEST_TURN_MS = 200;
const SLOWEST_READ_MS = 200;
const NAMES = selected(Object.keys(REGISTER_BOMBS));

describe('a register that answers every unit with', async () => {
  const bombs = await startBombServer();
  after(() => bombs.close());
  for (const name of NAMES) {
    test(name, async (t) => {
      // A process of its own for each, since the peak of a process never falls.
      const child = startChild('test/hostile/upstreams/serving-process.ts');
      t.after(() => child.end());
      const { url } = await child.next<ServingReady>();
      bombs.arm(REGISTER_BOMBS[name]?.() ?? assert.fail());
      const reading = readUntilStopped(url);
      child.send({ register: bombs.url });
      const { failed, longestTurnMs, growthMb } = await child.next<SweepReport>();
      const { reads, slowestMs } = await reading.stop();
      addReport(t, [`${reads} reads, the slowest ${slowestMs} ms; ${longestTurnMs} ms CPU; ${growthMb} MB`]);
      assert.ok(bombs.sent() >= 20, `${bombs.sent()} were sent`);
      assert.match(failed ?? '', /^(the register [^\n]+)?$/, 'it fails as a source, or not at all');
      assert.ok(reads > 0);
      assert.ok(longestTurnMs < LONGEST_TURN_MS, `${longestTurnMs} ms of CPU in one turn`);
      assert.ok(growthMb < MOST_GROWTH_MB, `${growthMb} MB more`);
      if (RUN.length === 'long') assert.ok(slowestMs < SLOWEST_READ_MS, `a reader waited ${slowestMs} ms`);
    });
  }
});

/** One reader, who asks again as soon as it is answered. */
function readUntilStopped(url: string): { stop(): Promise<{ reads: number; slowestMs: number }> } {
  let stopped = false;
  let [reads, slowestMs] = [0, 0];
  const run = async () => {
    while (!stopped) {
      const begun = performance.now();
      const answer = await fetch(url);
      assert.equal(await answer.text(), 'prices');
      reads += 1;
      slowestMs = Math.max(slowestMs, performance.now() - begun);
    }
    return { reads, slowestMs };
  };
  const running = run();
  return {
    stop() {
      stopped = true;
      return running;
    },
  };
}
