/** Mails a link and a code to an address, so that whoever reads them can prove that it is theirs. */
import { randomBytes } from 'node:crypto';
import { clientNetwork } from '../../domain/access/client-network.ts';
import { LOGIN_TOKEN_MS, type LoginPurpose } from '../../domain/billing/login-purpose.ts';
import type { LoginReturn } from '../../domain/billing/login-return.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import { addressAskedFor, startLogin } from '../../store/accounts/logins.ts';
import { queueMailTo } from '../../store/billing/mails.ts';
import { withCurrentKey } from '../../store/limits/address-hash.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import type { BillingReply, BillingRequest } from './billing-route.ts';

const BROWSER_BYTES = 32;

export type Proof = {
  /** As `parseEmailAddress` returns it. */
  readonly email: string;
  readonly purpose: LoginPurpose;
  readonly mail: 'login' | 'free_key_confirmation' | 'new_address';
  /** Whose address it is to become: they have logged in. `null` = a stranger asks. */
  readonly accountId: number | null;
  /** Where the code is typed. */
  readonly confirmAt: LocalizedText;
  /** Where a login leads back to, if not to the account. */
  readonly returnTo?: LoginReturn | null;
};

/** The address for which this browser asked last; `null` = for none, or too long ago. */
export async function askedAddress(
  { database }: BillingDependencies,
  { cookies: { login: browser } }: BillingRequest,
  purpose: LoginPurpose,
): Promise<string | null> {
  if (browser === undefined) return null;
  return database.transaction((tx) => addressAskedFor(tx, { browser, purpose }), BILLING_TIMEOUT);
}

/**
 * Queues the mail and leads to where its code is typed. The work and the answer are the same whatever is known of the
 * address. `too many`: mails were asked for. `unchecked`: so many by all that the browser must be checked first.
 */
export async function askForProof(
  { database, hashes, limits, captcha }: BillingDependencies,
  { language, cookies, client, fields }: BillingRequest,
  { email, purpose, mail, accountId, confirmAt, returnTo = null }: Proof,
): Promise<BillingReply | 'too many' | 'unchecked'> {
  if (!limits.mayAsk(client)) return 'too many';
  const browser = cookies.login ?? randomBytes(BROWSER_BYTES).toString('base64url');
  const sent = fields.recaptcha_token ?? '';
  const isAccepted = captcha !== null && sent !== '' && (await captcha.isAccepted(sent, client));
  const token = isAccepted ? captcha.identityOf(sent) : null;
  const isUnneeded = captcha === null || accountId !== null;
  const hasher = hashes.for('logins');
  const started = await withCurrentKey(hasher, () =>
    database.transaction(async (tx) => {
      const login = { browser, email, purpose, language, accountId, network: hasher.hash(clientNetwork(client)) };
      const loginId = await startLogin(tx, login, isUnneeded ? 'unneeded' : token);
      if (typeof loginId === 'number')
        await queueMailTo(tx, { recipient: email, language }, contentOf(mail, loginId, returnTo), String(loginId));
      return loginId;
    }, BILLING_TIMEOUT),
  );
  limits.asked(started);
  if (typeof started === 'string') return started === 'unchecked' ? 'unchecked' : 'too many';
  return {
    redirectTo: `${confirmAt[language]}${returnTo === null ? '' : `?next=${returnTo}`}`,
    cookies: [{ name: 'login', value: browser, maxAgeSeconds: LOGIN_TOKEN_MS / 1_000 }],
  };
}

function contentOf(kind: Proof['mail'], loginId: number, next: LoginReturn | null): MailContent {
  return kind === 'login' && next !== null ? { kind, loginId, next } : { kind, loginId };
}
