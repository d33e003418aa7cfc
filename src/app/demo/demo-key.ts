/** The demo's own key: the same at every start, so that commands typed once can be repeated. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { isLiveKey } from '../../store/keys/key-queries.ts';
import { createKey } from '../../store/keys/keys.ts';

/** The key stored in the demo's folder, readable only by its owner; a new one if it is missing or no longer valid. */
export async function loadOrCreateDemoKey(database: Database<Schema>, folder: string): Promise<string> {
  const file = path.join(folder, 'key');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (kept !== '' && (await isLiveKey(database, kept))) return kept;
  const { key } = await createKey(database, { plan: 'pro', quota: null, email: null, subscription: 'demo' });
  await rm(file, { force: true });
  await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}
