/** Two months of dumps, made from collections and served as the service serves them. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { publishedDumps } from '../../../src/app/dumps/published-dumps.ts';
import { dumpFolder } from '../../../src/dumps/published/dump-folder.ts';
import { type HeldState, tellChanges } from '../../../src/worker/changes/tell-changes.ts';
import { makeDump } from '../../../src/worker/dumps/make-dump.ts';
import { at, COLLECTION_SETTINGS, collectorFixture, FakeSource } from '../../support/collection/collector-fixture.ts';
import { testDatabase } from '../../support/database/test-database.ts';
import { aWaitingSite } from '../../support/service/site-builders.ts';
import { TestService } from '../../support/service/test-service.ts';

const SOURCES = ['register', 'rompetrol'];
const NOW = '2026-11-20T10:00Z';

export type ServedDumps = {
  /** The address of the service. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** October is final; prices rise, are withdrawn and come back; LPG and AdBlue are sold nowhere. */
export async function serveDumps(): Promise<ServedDumps> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pompa-recipes-'));
  const database = await testDatabase();
  try {
    const [register, rompetrol] = [new FakeSource('register'), new FakeSource('rompetrol')];
    const bench = collectorFixture(database, dataDir, [register, rompetrol]);
    const telling = { db: database.kysely, settings: COLLECTION_SETTINGS, clock: () => bench.clock.now };
    let held: HeldState | null = null;
    const run = async (...collection: Parameters<typeof bench.run>) => {
      await bench.run(...collection);
      held = await tellChanges(telling, held, { force: false });
    };
    const both = { sources: SOURCES };
    rompetrol.respondsWith({ R9: { petrol: 7_900 } });
    register.respondsWith({ R1: { petrol: 7_000, diesel: 7_500 }, R2: { petrol: 7_010 } });
    await run('2026-10-05T08:00Z', both);
    register.respondsWith({ R1: { petrol: 7_111, diesel: 7_500 }, R2: { petrol: 7_010 } });
    await run('2026-10-06T08:00Z', both);
    register.respondsWith({ R1: { petrol: 7_111, diesel: null } }, { units: { '2:petrol': 'empty' } });
    await run('2026-10-31T12:00Z', both);
    rompetrol.respondsWith({ R9: { petrol: 8_000 } });
    register.respondsWith({ R1: { petrol: 7_111, diesel: 7_600 }, R2: { petrol: 7_020 } });
    await run('2026-11-02T08:00Z', both);
    await run(NOW, both);
    await makeDump(database.kysely, {
      ...{ folder: dumpFolder(dataDir), allowed: SOURCES, settings: COLLECTION_SETTINGS, now: at(NOW) },
      ...{ publicUrl: 'https://pompa.example', simulated: false, correction: null },
      signal: new AbortController().signal,
    });
  } finally {
    await database.drop();
  }
  const dumps = await publishedDumps(dataDir, SOURCES);
  // The small tables are made by the site.
  const service = await TestService.start({ dumps, site: aWaitingSite() });
  return {
    url: `http://127.0.0.1:${service.port}`,
    close: async () => {
      dumps?.close();
      await service.api.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
