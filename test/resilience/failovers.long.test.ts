/**
 * A real cluster of PostgreSQL loses its leader under load: Patroni, etcd and HAProxy with the files of
 * docs/HIGH-AVAILABILITY.md.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { runPompa } from '../support/processes/pompa-process.ts';
import { addReport, printProgress, RUN, roundsOf, seedOf, selected } from '../support/run-settings.ts';
import type { FailoverKind } from './cluster/leader-loss.ts';
import { FailoverRounds, type FailoverTimes } from './rounds/failover-rounds.ts';

const LOSSES: readonly FailoverKind[] = ['kill', 'freeze', 'cut'];
/** What the service promises, from the moment at which the new leader accepts writes. */
const ANSWERED_WITHIN_MS = 5_000;
/** On a machine that other tests keep busy, one round in ten may take this long; the long form runs alone. */
const BUSY = RUN.length === 'long' ? { withinMs: ANSWERED_WITHIN_MS, share: 0 } : { withinMs: 10_000, share: 0.1 };
/** A planned change of leader has no such promise, and nothing of ours adds to it. */
const SWITCHED_WITHIN_MS = 20_000;

let rounds: FailoverRounds;
before(async () => {
  rounds = await FailoverRounds.open(seedOf(1));
});
after(() => rounds?.close());

const KINDS = selected<FailoverKind>([...LOSSES, 'switchover']);
const kinds = LOSSES.filter((kind) => KINDS.includes(kind));

if (kinds.length > 0)
  test('when the leader is lost, no accepted request is lost, no quota exceeded, no read fails, and keys are answered within 5 s of the next leader', async (t) => {
    await runRounds(t, kinds, roundsOf({ medium: 9, long: 50 }));
  });

if (KINDS.includes('switchover'))
  test('a switchover on purpose costs no read and no accepted request, and what needs the database is 503 meanwhile', async (t) => {
    await runRounds(t, ['switchover'], roundsOf({ medium: 1, long: 5 }));
  });

if (RUN.only === undefined)
  test('doctor tells a leader with a synchronous standby from a standby, and from commits that do not wait for one', async () => {
    const { leading, standby } = await rounds.databaseUrls();
    const local = `${leading}?options=${encodeURIComponent('-c synchronous_commit=local')}`;
    assert.match(
      await doctor(leading),
      /^ok +commits: .* survive a crash, and a fail-over to the synchronous standby$/m,
    );
    assert.match(await doctor(local), /^BAD +commits: synchronous_commit is local: a fail-over to a standby loses/m);
    assert.match(await doctor(standby), /^BAD +database: .*; it is a standby, which stores nothing$/m);
  });

/** What it prints of the database at this address. */
async function doctor(databaseUrl: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-failover-doctor-'));
  const { out } = await runPompa(folder, ['doctor'], { DATABASE_URL: databaseUrl });
  rmSync(folder, { recursive: true });
  return out;
}

async function runRounds(t: TestContext, all: readonly FailoverKind[], count: number): Promise<void> {
  const measured: FailoverTimes[] = [];
  for (let round = 0; round < count && rounds.violations.length === 0; round += 1) {
    const times = await rounds.run(all[round % all.length] as FailoverKind);
    measured.push(times);
    printProgress(`${String(round + 1).padStart(4)} ${lineOf(times)}`);
  }
  const { accepted, unavailable, countedUnanswered, quotasUsedUp, reads, slowestReadMs, collections } = rounds.report();
  addReport(t, [
    `load ${os.loadavg()[0]?.toFixed(1)} at the end`,
    ...measured.map(lineOf),
    `accepted with a key: ${accepted}; answered 503: ${unavailable}, of which ${countedUnanswered} were counted`,
    `small quotas used up to the last request: ${quotasUsedUp}`,
    `reads without a key: ${reads}, each answered; the slowest took ${seconds(slowestReadMs)}`,
    `collections under way: ${collections.done} done, ${collections.cutOff} cut off`,
  ]);
  assert.deepEqual(rounds.violations, []);
  const late = measured.filter((times) => waitOf(times) >= limitOf(times));
  assert.ok(late.length <= Math.ceil(BUSY.share * count), late.map(lineOf).join('\n'));
  for (const times of late) assert.ok(waitOf(times) < Math.max(BUSY.withinMs, limitOf(times)), lineOf(times));
  assert.ok(accepted > 50 * count, 'keys were hardly answered');
}

/** From the next leader until keys are answered by all servers, and refused by none. */
const waitOf = ({ refusedMs, answeredMs }: FailoverTimes) => Math.max(refusedMs, answeredMs);

const limitOf = ({ kind }: FailoverTimes) => (kind === 'switchover' ? SWITCHED_WITHIN_MS : ANSWERED_WITHIN_MS);

function lineOf(times: FailoverTimes): string {
  const { kind, writableMs, proxyMs, refusedMs, answeredMs, allAnsweredMs, refusals } = times;
  return (
    `${kind.padEnd(10)} next leader after ${seconds(writableMs)}, through HAProxy ${seconds(proxyMs)} later, ` +
    `keys refused until ${seconds(refusedMs)} later and answered by all after ${seconds(answeredMs)}, ` +
    `everything after ${seconds(allAnsweredMs)}; ${refusals} refusals`
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
