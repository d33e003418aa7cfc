/** A nightly backup in a process of its own: restored before it counts, whole when killed, and drilled. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { addReport, roundsOf } from '../../../test/support/run-settings.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { recordBackup } from '../../store/backup/backup-runs.ts';
import { openBackup } from '../../store/backup/open-backup.ts';
import { removeTrialLeftovers, TRIAL_PREFIX } from '../../store/backup/trial-leftovers.ts';
import { pruneBackups } from '../../worker/backups/backup-folder.ts';
import { drillNewest } from './drill.ts';
import { runBackupProcess, runDrillProcess } from './run-backup-process.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();
const folder = path.join(dataDir, 'backups');
const never = new AbortController().signal;
const KILLS = roundsOf({ medium: 6, long: 60 });
const log = { info: () => undefined, warn: () => undefined };
const task = (now: number) => ({
  ...{
    databaseUrl: database.url,
    directUrl: null,
    dataDir,
    folder,
    program: '1.0.0',
    now,
    ranges: DEFAULT_RANGES,
    inService: null,
  },
});
const trials = () => readdirSync(os.tmpdir()).filter((name) => name.startsWith(TRIAL_PREFIX));

beforeEach(async () => {
  await sql`truncate backup_runs, restore_drills`.execute(database.kysely);
  await mkdir(folder);
  fakeSource.respondsWith({ R1: { petrol: 7_000, diesel: 7_300 }, R2: { petrol: 7_100 } });
  await bench.run('2026-11-18T08:00Z');
  fakeSource.respondsWith({ R1: { petrol: 7_050, diesel: 7_300 }, R2: { petrol: 7_110 } });
  await bench.run('2026-11-20T08:00Z');
});

/** Makes one as the job does. */
async function backUp() {
  const startedAt = bench.clock.now + 1_000;
  const made = await runBackupProcess(task(startedAt), never);
  await recordBackup(database.kysely, { startedAt, finishedAt: startedAt + 1_000 }, made);
  return made;
}
const drill = () =>
  drillNewest(database.kysely, { folder, program: '1.0.0', now: bench.clock.now, log, signal: never });

describe('a nightly backup', () => {
  test('can be restored, is for its owner alone, and records what was answered', { timeout: 120_000 }, async () => {
    const before = trials();
    const made = await backUp();
    assert.match(made.file, /^pompa-[0-9a-f]{8}-20261120T080001Z\.backup$/);
    assert.deepEqual(readdirSync(folder), [made.file]);
    assert.equal(statSync(path.join(folder, made.file)).mode & 0o777, 0o600);
    assert.ok(made.rows > 10 && made.bytes > 1_000);
    const names = Object.keys(made.answers.answers);
    assert.deepEqual(names.slice(0, 3), ['/health', '/preturi/minime', '/statii']);
    assert.equal(names.filter((name) => name.endsWith('/istoric')).length, 2);
    assert.deepEqual(names.slice(-2), ['keys', 'usage']);
    assert.deepEqual(trials(), before);
  });

  test('deletes and replaces nothing of another installation that has the same folder', async () => {
    const first = await backUp();
    const bytes = readFileSync(path.join(folder, first.file));
    const now = bench.clock.now + 1_000;
    const other = { ...task(now), dataDir: path.join(dataDir, 'other') };
    const unfinished = path.join(folder, `${first.file}.unverified`);
    writeFileSync(unfinished, '');
    const second = await runBackupProcess(other, never);
    assert.equal(await pruneBackups(folder, second.file, 1), 0);
    assert.deepEqual(readdirSync(folder).sort(), [first.file, path.basename(unfinished), second.file].sort());
    assert.deepEqual(readFileSync(path.join(folder, first.file)), bytes);
    await assert.rejects(runBackupProcess(task(now), never), /is there already, and no backup is replaced$/);
  });

  test('answers as at its moment after the service has moved on, and a drill finds what differs', {
    timeout: 180_000,
  }, async () => {
    const { file } = await backUp();
    fakeSource.respondsWith({ R1: { petrol: 8_000 }, R3: { petrol: 7_900 } });
    await bench.run('2026-11-20T10:00Z');
    const good = await runDrillProcess(task(bench.clock.now), file, never);
    assert.deepEqual([good.differences, good.failure, good.compared.length], [[], null, 7]);
    await sql`update backup_runs set answers = jsonb_set(answers, '{answers,keys}', '"4, 0 of them revoked"')`.execute(
      database.kysely,
    );
    assert.deepEqual((await drill()).differences, ['keys']);
    await sql`update backup_runs set answers = jsonb_set(answers, '{program}', '"0.9.0"')`.execute(database.kysely);
    assert.match((await drill()).failure ?? '', /^Pompa 0\.9\.0 answered then, and this is 1\.0\.0/);
  });

  test('that is damaged fails its drill, and one that is not here is not drilled', async () => {
    const { file } = await backUp();
    const bytes = readFileSync(path.join(folder, file));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    writeFileSync(path.join(folder, file), bytes);
    assert.match((await drill()).failure ?? '', /is damaged and nothing of it was used/);
    await sql`update backup_runs set file = 'pompa-20260101T000000Z.backup'`.execute(database.kysely);
    await assert.rejects(drill(), /cannot be read: there is no such file$/);
  });

  test('whose process is killed is no file under a final name, and the next one removes what is left', {
    timeout: 600_000,
  }, async (t) => {
    const begun = performance.now();
    await backUp();
    const wholeMs = performance.now() - begun;
    let cut = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const stop = new AbortController();
      const making = runBackupProcess(task(bench.clock.now + 60_000 * (kill + 1)), stop.signal).catch(() => {
        cut += 1;
      });
      // Evenly over the time that a whole run takes.
      await Promise.race([making, sleep((wholeMs * kill) / KILLS)]);
      stop.abort(new Error('killed'));
      await making;
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.backup')))
        await (await openBackup(path.join(folder, name))).close();
    }
    addReport(t, [`${cut} of ${KILLS} runs were cut off; a whole one took ${wholeMs.toFixed(0)} ms`]);
    assert.ok(cut > KILLS / 3);
    bench.clock.now += 86_400_000;
    await backUp();
    assert.ok(readdirSync(folder).every((name) => name.endsWith('.backup')));
    // Those of databases that have ended by then.
    await removeTrialLeftovers(Date.now() + 600_000);
  });
});
