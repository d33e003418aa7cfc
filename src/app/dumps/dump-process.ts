/** The process that makes dumps for a worker. */
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { openDatabase } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { makeDump } from '../../worker/dumps/make-dump.ts';
import { runChildTask } from '../child/child-task.ts';
import type { DumpTask } from './dump-task.ts';

await runChildTask(async ({ databaseUrl, dataDir, inService, ranges, ...what }: DumpTask, log) => {
  const database = await openDatabase<Schema>({
    databaseUrl: databaseUrl ?? undefined,
    ...{ dataDir, log, connections: 1 },
  });
  try {
    return await makeDump(database.kysely, {
      ...{ ...what, now: Date.now(), correction: null },
      settings: { ranges, gazetteer: loadGazetteer(), inService },
      signal: new AbortController().signal,
    });
  } finally {
    await database.close();
  }
});
