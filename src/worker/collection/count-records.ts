/** How many records result from the stored facts at a moment. */
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readFacts } from '../../store/prices/packed-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';

/** Records that `/statii` would hold without filters. */
export async function currentRecords(
  database: Database<Schema>,
  settings: CollectionSettings,
  now: number,
): Promise<number> {
  const facts = await inReadSnapshot(database.kysely, readFacts);
  return buildSnapshot({ ...settings, facts, now, history: new PriceHistory() }).records.length;
}
