/** Which captcha tokens were used: each is good for one form, whichever process it reaches. */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';

/** Marks tokens as used; returns those that no form has used before. */
export async function markTokensUsed(tx: Kysely<Schema>, tokens: readonly string[]): Promise<Set<string>> {
  const byHash = new Map(tokens.map((token) => [hashOf(token), token]));
  if (byHash.size === 0) return new Set();
  const rows = await runRaw<{ hash: string }>(tx, MARK, [[...byHash.keys()]]);
  return new Set(rows.map(({ hash }) => byHash.get(hash) as string));
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** In a fixed order, so that two processes never deadlock. */
const MARK = `
  insert into captcha_tokens (sha256, used_at)
  select decode(hash, 'hex'), clock_timestamp() from unnest($1::text[]) as hash order by hash
  on conflict do nothing returning encode(sha256, 'hex') as hash`;
