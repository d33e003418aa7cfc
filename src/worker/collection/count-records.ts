/** How many records the facts of the store give right now. */
import { buildSnapshot } from '../../snapshot/build.ts';
import { History } from '../../snapshot/history.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { atOneMoment, loadFacts } from '../../store/prices/publication.ts';
import type { Rules } from './days.ts';

/** Records that `/statii` would hold without filters. */
export async function currentRecords(database: Database<Schema>, rules: Rules, now: number): Promise<number> {
  const facts = await atOneMoment(database.kysely, loadFacts);
  return buildSnapshot({ ...rules, facts, now, history: new History() }).records.length;
}
