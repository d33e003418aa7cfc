/** The process that makes dumps ends at any moment: what is published is whole, and the next one completes it. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { addReport, roundsOf } from '../../../test/support/run-settings.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { readManifest } from '../../dumps/published/dump-folder.ts';
import { runDumpProcess } from './run-dump-process.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();
const folder = path.join(dataDir, 'dumps');
const task = {
  get databaseUrl() {
    return database.url;
  },
  ...{ dataDir, folder, allowed: ['register'], inService: null },
  ...{ ranges: DEFAULT_RANGES, publicUrl: 'https://pompa.example', simulated: true },
};
const KILLS = roundsOf({ medium: 15, long: 200 });
const bytesOf = (name: string) => readFileSync(path.join(folder, name));

/** Each file that is published is a whole one; those of past months are the ones that the manifest names. */
function assertWhole(): void {
  for (const { path: name, sha256, isFinal, format } of readManifest(folder)?.files ?? []) {
    if (isFinal) assert.equal(hash('sha256', bytesOf(name)), sha256, name);
    else if (format === 'csv.gz') gunzipSync(bytesOf(name));
    else if (format === 'geojson') JSON.parse(bytesOf(name).toString());
    else assert.match(bytesOf(name).toString('latin1'), /^PAR1.*PAR1$/s, name);
  }
}

test('a process that is killed leaves whole files, and the next one makes all of them', async (t) => {
  for (const day of ['2026-08-05', '2026-09-05', '2026-10-05', '2026-11-05']) {
    fakeSource.respondsWith({ R1: { petrol: 7_000 + Number(day.slice(5, 7)) }, R2: { diesel: 7_500 } });
    await bench.run(`${day}T08:00Z`);
  }
  const begun = performance.now();
  await runDumpProcess(task, new AbortController().signal);
  const wholeMs = performance.now() - begun;
  let cut = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sql`update price_facts set price = price + 1`.execute(database.kysely);
    await sql`delete from packed_facts`.execute(database.kysely);
    const stop = new AbortController();
    const making = runDumpProcess(task, stop.signal).catch(() => {
      cut += 1;
    });
    // Evenly over the time that a whole run takes, and somewhat beyond.
    await Promise.race([making, sleep((wholeMs * 1.2 * kill) / KILLS)]);
    stop.abort(new Error('killed'));
    await making;
    assertWhole();
  }
  await runDumpProcess(task, new AbortController().signal);
  for (const { path: name, sha256 } of readManifest(folder)?.files ?? [])
    assert.equal(hash('sha256', bytesOf(name)), sha256, name);
  assert.ok(existsSync(path.join(folder, 'SHA256SUMS')));
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('.')));
  addReport(t, [`${cut} of ${KILLS} runs were cut off; a whole one took ${wholeMs.toFixed(0)} ms`]);
  assert.ok(cut > KILLS / 3);
});
