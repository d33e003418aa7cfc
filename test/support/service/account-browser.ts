/** What the browser of a customer does: asks for a login, reads the mail, keeps cookies. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { makeLoginSecret } from '../../../src/store/accounts/login-secrets.ts';
import type { SellingService } from './selling-service.ts';
import type { Reply } from './test-service.ts';

export const SESSION = '__Host-pompa-session';
export const BROWSER = '__Host-pompa-login';

/** A cookie that an answer sets; `''` = it removes it. */
export function cookieOf({ headers }: Reply, name: string): string | undefined {
  const set = (headers['set-cookie'] ?? []).find((each) => each.startsWith(`${name}=`));
  return set === undefined ? undefined : set.slice(name.length + 1).split(';')[0];
}

/** The header with these cookies; those without a value are left out. */
export const cookies = (values: Readonly<Record<string, string | undefined>>) => ({
  Cookie: Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('; '),
});

/** What the forms of an account's page carry. */
export const formTokenOf = ({ text }: Reply) => /name="form" value="([^"]+)"/.exec(text)?.[1] as string;

export const askForLogin = (selling: SellingService, email: string): Promise<Reply> =>
  selling.post('/cont/intrare', { email });

/** The link's token and the code of the latest login, as its mail has them. */
export async function latestSecrets({ database }: SellingService): Promise<{ token: string; code: string }> {
  const { rows } = await sql<{ id: number }>`select max(id)::int as id from logins`.execute(database.kysely);
  const made = await makeLoginSecret(database.kysely, rows[0]?.id as number);
  assert.ok(made);
  return made;
}

/** Logs in with the code; returns the cookie of the session. */
export async function logInAs(selling: SellingService, email: string): Promise<string> {
  const browser = cookieOf(await askForLogin(selling, email), BROWSER);
  const { code } = await latestSecrets(selling);
  const reply = await selling.post('/cont/confirmare', { code }, cookies({ [BROWSER]: browser }));
  return cookieOf(reply, SESSION) as string;
}
