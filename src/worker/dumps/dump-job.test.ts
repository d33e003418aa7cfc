/** When dumps are made, by whom, and what a failure leads to. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { at, setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { dataPackage } from '../../dumps/description/data-package.ts';
import { type DumpManifest, MANIFEST_FILE } from '../../dumps/manifest.ts';
import { createDumpRunner, isDumpDue } from './dump-job.ts';
import { underDumpLease } from './dump-lease.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();
const folder = path.join(dataDir, 'dumps');
const never = new AbortController().signal;

const aManifest = (madeAt: string, allowed = ['register']): DumpManifest => ({
  ...{
    madeAt: at(madeAt),
    updatedAt: null,
    cursor: null,
    simulated: false,
    allowed,
    files: [],
    emptyMonths: [],
    errata: [],
  },
});

describe('dumps are due', () => {
  test('where there are none, and once a night from three o’clock in Bucharest', () => {
    const made = (madeAt: string, now: string) => isDumpDue(aManifest(madeAt), ['register'], at(now));
    assert.ok(isDumpDue(null, ['register'], 0));
    assert.ok(!made('2026-11-19T01:00:00Z', '2026-11-20T00:59:59Z'));
    assert.ok(made('2026-11-19T01:00:00Z', '2026-11-20T01:00:00Z'));
    assert.ok(!made('2026-11-20T01:00:00Z', '2026-11-20T23:00:00Z'));
    assert.ok(made('2026-11-18T12:00:00Z', '2026-11-20T00:30:00Z'));
  });

  test('at once where other sources may be dumped, in whatever order they are named', () => {
    const now = at('2026-11-20T02:00:00Z');
    const manifest = aManifest('2026-11-20T01:30:00Z', ['manual', 'register']);
    assert.ok(!isDumpDue(manifest, ['register', 'manual'], now));
    assert.ok(isDumpDue(manifest, ['register'], now));
  });
});

describe('the job', () => {
  let made: number;
  let outcome: () => Promise<void>;
  const run = createDumpRunner({
    ...{ database, folder, allowed: ['register'], holder: 'a', log: { info: () => undefined } },
    clock: () => bench.clock.now,
    make: async () => {
      made += 1;
      await outcome();
      mkdirSync(folder, { recursive: true });
      const text = dataPackage(
        { ...aManifest('2026-11-20T00:00Z'), madeAt: bench.clock.now },
        'https://pompa.example/date/v1/',
      );
      writeFileSync(path.join(folder, MANIFEST_FILE), JSON.stringify(text));
      return { folder, files: 1, written: 1, rows: 1, bytes: 1 };
    },
  });
  beforeEach(async () => {
    made = 0;
    outcome = async () => undefined;
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
  });

  test('waits for the first publication, makes the dumps once, and again the next night', async () => {
    bench.clock.now = at('2026-11-20T08:00Z');
    await run(never);
    assert.equal(made, 0);
    await bench.run('2026-11-20T08:00Z');
    await run(never);
    await run(never);
    assert.equal(made, 1);
    bench.clock.now = at('2026-11-21T01:00Z');
    await run(never);
    assert.equal(made, 2);
  });

  test('leaves the dumps to another process that makes them', async () => {
    await bench.run('2026-11-20T08:00Z');
    const asked = await underDumpLease(database.kysely, { holder: 'b', restAfterFailure: false, signal: never }, () =>
      run(never),
    );
    assert.equal(asked, undefined);
    assert.equal(made, 0);
  });

  test('fails with the reason, and nobody tries again at once', async () => {
    await bench.run('2026-11-20T08:00Z');
    outcome = () => Promise.reject(new Error('the disk is full'));
    await assert.rejects(run(never), /the disk is full/);
    outcome = async () => undefined;
    await run(never);
    assert.equal(made, 1);
  });
});
