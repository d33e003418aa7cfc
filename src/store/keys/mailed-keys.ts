/** Keys that are made while their mail is sent, so that nothing but the mail has them. */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { KEY_BYTES, makeApiKey } from '../../domain/access/api-key.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { Schema } from '../connection/schema.ts';
import { changeLiveKey, insertSecret } from './keys.ts';

/**
 * Makes the secret of a key for one attempt to mail it. What an earlier attempt made may have arrived: it stays valid
 * for another `overlapMs`, never longer than before. `null` = the key is gone, or its holder has made another since.
 */
export async function makeMailedKey(
  database: Pick<DatabaseConnection, 'transaction'>,
  id: number,
  overlapMs: number,
): Promise<string | null> {
  const key = makeApiKey(randomBytes(KEY_BYTES));
  const made = await changeLiveKey(database, id, async (tx) => {
    if (await hasSecretOfHolder(tx, id)) return false;
    await sql`
      update key_secrets set expires_at = least(expires_at, clock_timestamp() + ${overlapMs} * interval '1 millisecond')
      where key_id = ${id} and is_mailed`.execute(tx);
    await insertSecret(tx, id, key, 1, true);
    return true;
  });
  return made === true ? key : null;
}

async function hasSecretOfHolder(tx: Kysely<Schema>, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('key_secrets')
    .select('slot')
    .where('key_id', '=', id)
    .where('slot', '=', 1)
    .where('expires_at', 'is', null)
    .where('is_mailed', '=', false)
    .executeTakeFirst();
  return row !== undefined;
}
