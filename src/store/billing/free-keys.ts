/** Free keys: one for a mailbox, for whoever has proved that it is theirs. */
import type { Kysely } from 'kysely';
import { FREE_PLAN } from '../../domain/access/plans.ts';
import { mailboxKey } from '../../domain/mail/email-address.ts';
import { findOrCreateAccount } from '../accounts/accounts.ts';
import type { ProvedAddress } from '../accounts/logins.ts';
import type { Schema } from '../connection/schema.ts';
import { announceKeyChange, insertKey, lockKeyChanges } from '../keys/keys.ts';
import { queueMail } from './mails.ts';

/**
 * Creates the key of an address and queues its mail. False = the mailbox has had one, with or without a tag, in this
 * account or another.
 *
 * @param quota requests a month.
 */
export async function createFreeKey(
  tx: Kysely<Schema>,
  { email, language }: Pick<ProvedAddress, 'email' | 'language'>,
  quota: number,
): Promise<boolean> {
  await lockKeyChanges(tx);
  const mailbox = mailboxKey(email);
  const known = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('plan', '=', FREE_PLAN)
    .where('email', '=', mailbox)
    .executeTakeFirst();
  if (known !== undefined) return false;
  const accountId = await findOrCreateAccount(tx, email, language);
  const keyId = await insertKey(tx, { plan: FREE_PLAN, quota, email: mailbox, subscription: null, accountId });
  await queueMail(tx, { accountId, language }, { kind: 'free_key', keyId, quota }, { occasion: String(keyId) });
  await announceKeyChange(tx, keyId);
  return true;
}
