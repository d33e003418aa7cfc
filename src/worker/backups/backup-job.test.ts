/** When backups are made, sent and drilled, by whom, and what each failure leads to. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { at, setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { listGoodBackups, readBackupStatus } from '../../store/backup/backup-runs.ts';
import { takeLease } from '../../store/connection/leases.ts';
import { backupName } from './backup-folder.ts';
import { createBackupRunner } from './backup-job.ts';

const { database, dataDir, bench } = setUpCollector();
const folder = path.join(dataDir, 'backups');
const never = new AbortController().signal;
const clock = () => bench.clock.now;
const fails = (why: string) => () => Promise.reject(new Error(why));

let done: string[];
let make: () => Promise<void>;
let drill: () => Promise<void>;
let send: (() => Promise<void>) | null;
let differences: string[];
let lines: string[];
const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(`WARN ${line}`) };

beforeEach(async () => {
  await sql`truncate backup_runs, restore_drills`.execute(database.kysely);
  mkdirSync(folder, { recursive: true });
  [done, lines, differences] = [[], [], []];
  make = async () => undefined;
  drill = async () => undefined;
  send = null;
});

/** A worker that has just been started does what is due at this time. */
async function runAt(when: string): Promise<string[]> {
  bench.clock.now = at(when);
  done = [];
  const run = createBackupRunner({
    ...{ database, holder: 'a', folder, keep: 2, clock, log },
    make: async () => {
      done.push('backup');
      await make();
      const file = backupName('0a1b2c3d', clock());
      writeFileSync(path.join(folder, file), 'rows');
      const answers = { now: clock(), program: '1', ranges: DEFAULT_RANGES, inService: null, answers: { keys: '1' } };
      return { file, bytes: 4, rows: 1, answers };
    },
    drill: async () => {
      done.push('drill');
      await drill();
      const [{ file } = { file: '' }] = await listGoodBackups(database.kysely);
      return { startedAt: clock(), seconds: 1, file, compared: ['keys'], differences, failure: null };
    },
    send:
      send &&
      (async (file) => {
        done.push(`send ${path.basename(file)}`);
        await send?.();
      }),
  });
  await run(never);
  return done;
}
const status = () => readBackupStatus(database.kysely, clock());
/** As if the time that nobody may try again in had passed. */
const endRest = () => sql`update leases set expires_at = now()`.execute(database.kysely);

describe('the job', () => {
  test('makes the first backup at once, then one a night from two o’clock in Bucharest, and keeps the newest', async () => {
    assert.deepEqual(await runAt('2026-11-20T08:00:00Z'), ['backup', 'drill']);
    assert.deepEqual(await runAt('2026-11-20T23:59:59Z'), []);
    assert.deepEqual(await runAt('2026-11-21T00:00:00Z'), ['backup']);
    assert.deepEqual(await runAt('2026-11-21T00:00:40Z'), []);
    assert.deepEqual(await runAt('2026-11-22T07:00:00Z'), ['backup']);
    assert.deepEqual(readdirSync(folder), [
      'pompa-0a1b2c3d-20261121T000000Z.backup',
      'pompa-0a1b2c3d-20261122T070000Z.backup',
    ]);
    const { last } = await status();
    assert.deepEqual(
      [last?.file, last?.bytes, last?.rows, last?.startedAt],
      [...['pompa-0a1b2c3d-20261122T070000Z.backup', 4, 1], at('2026-11-22T07:00:00Z')],
    );
  });

  test('leaves older ones where no newer one is good, records why, and nobody tries again at once', async () => {
    for (const day of ['20', '21']) await runAt(`2026-11-${day}T08:00:00Z`);
    make = fails('the disk is full');
    await assert.rejects(runAt('2026-11-22T08:00:00Z'), /the disk is full/);
    assert.equal(readdirSync(folder).length, 2);
    assert.deepEqual((await status()).failure, { at: clock(), why: 'the disk is full' });
    assert.deepEqual(await runAt('2026-11-22T08:01:00Z'), []);
    await endRest();
    make = async () => undefined;
    assert.deepEqual(await runAt('2026-11-22T08:10:00Z'), ['backup']);
    assert.equal((await status()).failure, null);
  });

  test('leaves the work to another process that does it', async () => {
    await takeLease(database.kysely, 'backup', 'b', 60_000);
    assert.deepEqual(await runAt('2026-11-20T08:00:00Z'), []);
  });

  test('sends each backup once, and tries an hour later where that failed', async () => {
    send = fails('no space at the provider');
    const name = 'pompa-0a1b2c3d-20261120T080000Z.backup';
    assert.deepEqual(await runAt('2026-11-20T08:00:00Z'), ['backup', `send ${name}`, 'drill']);
    assert.match(lines.join(), /WARN backup: BACKUP_COMMAND did not take .*: no space at the provider/);
    assert.deepEqual((await status()).last?.sendFailure, 'no space at the provider');
    assert.deepEqual(await runAt('2026-11-20T08:59:59Z'), []);
    send = async () => undefined;
    assert.deepEqual(await runAt('2026-11-20T09:00:00Z'), [`send ${name}`]);
    const { last } = await status();
    assert.deepEqual([last?.sendFailure, last?.sentAt], [null, clock()]);
    assert.deepEqual(await runAt('2026-11-20T12:00:00Z'), []);
    send = fails('no space at the provider');
    await runAt('2026-11-21T08:00:00Z');
    const next = await status();
    assert.deepEqual([next.last?.sentAt, next.lastSentAt], [null, last?.sentAt], 'the copy of the day before');
  });

  test('neither sends nor drills what is not on this machine', async () => {
    await runAt('2026-11-20T08:00:00Z');
    rmSync(path.join(folder, 'pompa-0a1b2c3d-20261120T080000Z.backup'));
    send = async () => undefined;
    assert.deepEqual(await runAt('2026-11-20T20:00:00Z'), []);
  });

  test('drills a nightly backup every week, and says what differs', async () => {
    await runAt('2026-11-20T00:30:00Z');
    await runAt('2026-11-26T07:05:00Z');
    assert.deepEqual(await runAt('2026-11-26T14:05:00Z'), [], 'on day 6, in the afternoon');
    differences = ['/statii', 'keys'];
    const drilled: string[] = [];
    const told: (string[] | undefined)[] = [];
    for (let day = 27; day <= 30; day += 1) {
      if (day === 28) differences = [];
      if ((await runAt(`2026-11-${day}T00:00:05Z`)).includes('drill')) drilled.push(`${day}`);
      told.push([...((await status()).drill?.differences ?? [])]);
    }
    assert.deepEqual(drilled, ['27', '28'], 'one that failed is followed by one of the next backup');
    assert.deepEqual(told, [['/statii', 'keys'], [], [], []]);
    assert.match(lines.join(), /WARN the drill of .* found other answers: \/statii, keys/);
    assert.equal((await status()).drillPassedAt, at('2026-11-28T00:00:05Z'));
  });

  test('records no drill that could not be tried, and tries it again after a rest', async () => {
    drill = fails('there is no room');
    await assert.rejects(runAt('2026-11-20T08:00:00Z'), /there is no room/);
    assert.equal((await status()).drill, null);
    drill = async () => undefined;
    await endRest();
    assert.deepEqual(await runAt('2026-11-20T08:10:00Z'), ['drill']);
  });

  test('does what is due where a clock was ahead before, and once', async () => {
    await runAt('2028-01-01T08:00:00Z');
    assert.deepEqual(await runAt('2026-11-20T08:00:00Z'), ['backup', 'drill']);
    assert.deepEqual(await runAt('2026-11-20T08:01:00Z'), []);
    const { last, ahead } = await status();
    assert.deepEqual([last?.startedAt, ahead], [at('2026-11-20T08:00:00Z'), at('2028-01-01T08:00:00Z')]);
  });
});
