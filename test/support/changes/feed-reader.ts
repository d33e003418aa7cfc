/** A log that reads the feed of a database when told to, as a serving process does by itself. */
import type { ChangeLog } from '../../../src/api/changes/change-log.ts';
import type { ChangeJson } from '../../../src/api/contract/change-schemas.ts';
import { readFeed } from '../../../src/store/changes/read-feed.ts';
import type { Database } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';

export async function readInto(log: ChangeLog, { kysely }: Pick<Database<Schema>, 'kysely'>): Promise<ChangeLog> {
  log.complete(await readFeed(kysely, log.head, log.window, (epoch, changes) => log.add(epoch, changes)));
  return log;
}

/** The changes after a number, as clients get them. */
export function changesAfter(log: ChangeLog, seq: number): ChangeJson[] {
  const { entries } = log.after(seq, null, 100_000);
  return entries.map(({ text }) => JSON.parse(Buffer.from(text, 'latin1').toString()));
}
