import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEmptySnapshot } from '../../../test/support/builders/snapshot-builders.ts';
import { testDatabase } from '../../../test/support/database/test-database.ts';
import { world } from '../../../test/support/worlds/contract-world.ts';
import { openReports } from '../../store/driver-reports/driver-report-moderation.ts';
import { readAcceptedReports } from '../../store/driver-reports/driver-reports.ts';
import { seedDemoReports } from './demo-reports.ts';

test('the demo inserts an accepted report and an open one, once', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  await seedDemoReports(database, anEmptySnapshot());
  assert.deepEqual(await openReports(database.kysely), []);
  for (let start = 0; start < 2; start += 1) {
    await seedDemoReports(database, world());
    const open = await openReports(database.kysely);
    assert.deepEqual(
      open.map(({ kind, comment }) => [kind, comment]),
      [['other', '[simulat] Pompa 3 nu funcționează.']],
    );
    const [accepted] = await readAcceptedReports(database, [open[0]?.slug.slice(-12) ?? '']);
    assert.deepEqual(
      accepted?.map(({ kind, shownPrice, seenPrice }) => [kind, (seenPrice ?? 0) - (shownPrice ?? 0)]),
      [['price', 100]],
    );
  }
});
