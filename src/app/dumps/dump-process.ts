/**
 * The process that makes dumps for a worker. It reads its task, one line of JSON, from standard input, and writes its
 * report to standard output. Memory that the work takes ends with it, and a failure ends nothing else.
 */
import { once } from 'node:events';
import os from 'node:os';
import { createInterface } from 'node:readline';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { openDatabase } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { makeDump } from '../../worker/dumps/make-dump.ts';
import type { DumpTask } from './dump-task.ts';

/** Below whoever answers requests on the same cores. */
const PRIORITY = 10;

const lines = createInterface({ input: process.stdin });
const [line] = (await once(lines, 'line')) as [string];
// The worker has gone.
lines.once('close', () => process.exit(1));
os.setPriority(PRIORITY);
const log = { info: () => undefined, warn: (text: string) => void process.stderr.write(`${text}\n`) };
const task = JSON.parse(line) as DumpTask;
try {
  process.stdout.write(`${JSON.stringify(await make(task))}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`, () => process.exit(1));
}

async function make({ databaseUrl, dataDir, inService, ranges, ...what }: DumpTask) {
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
}
