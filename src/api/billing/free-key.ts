/** A free key for an e-mail address: a form, a mail with a link and a code, and the key by another mail. */
import { randomBytes } from 'node:crypto';
import type { FreeKeyProblem, FreeKeyView } from '../../domain/billing/free-key-view.ts';
import { LOGIN_TOKEN_MS } from '../../domain/billing/login-purpose.ts';
import type { Language } from '../../domain/localized-text.ts';
import { parseEmailAddress } from '../../domain/mail/email-address.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { confirmLogin, startLogin } from '../../store/accounts/logins.ts';
import { createFreeKey } from '../../store/billing/free-keys.ts';
import { queueMailTo } from '../../store/billing/mails.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import type { BillingReply, BillingRequest, BillingRoute } from './billing-route.ts';

const BROWSER_BYTES = 32;
const MAX_SHOWN = 254;
const PURPOSE = 'free_key';
const OUTCOMES: Readonly<Record<string, Extract<FreeKeyView, { step: 'done' }>['outcome']>> = {
  sent: 'sent',
  earlier: 'had one',
};

type Giving = BillingDependencies & { readonly quota: number };

/** The routes; none where no free keys are given. */
export function freeKeyRoutes(dependencies: BillingDependencies): BillingRoute[] {
  const quota = dependencies.offer.freeKeyQuota;
  if (quota === null) return [];
  const giving = { ...dependencies, quota };
  const { freeKey: path, freeKeyConfirm: confirmPath } = BILLING_PATHS;
  const { limits } = dependencies;
  return [
    { method: 'GET', path, answer: async ({ language, query }) => ({ view: startView(language, query) }) },
    {
      method: 'POST',
      path,
      async answer(request) {
        const { language, fields, client } = request;
        const typed = (fields.email ?? '').slice(0, MAX_SHOWN);
        const email = parseEmailAddress(fields.email ?? '');
        if (email === null) return { view: formView(language, typed, ['email']) };
        const isAsked = limits.mayAsk(client) ? await askFor(giving, request, email) : null;
        if (isAsked !== null) return isAsked;
        return { view: formView(language, typed, ['too many']), waitMs: limits.waitMs.ask };
      },
    },
    {
      method: 'GET',
      path: confirmPath,
      async answer({ language, query }) {
        const token = query.get('token');
        return { view: token === null ? codeView(language) : { page: 'free key', language, step: 'link', token } };
      },
    },
    {
      method: 'POST',
      path: confirmPath,
      async answer(request) {
        const { client, language, fields } = request;
        if (limits.mayTry(client, fields.token === undefined ? 'code' : 'link')) return confirm(giving, request);
        return { view: codeView(language, ['too many']), waitMs: limits.waitMs.try };
      },
    },
  ];
}

/** Queues the mail; `null` = too many were asked for. */
async function askFor(
  { database }: Giving,
  { language, cookies }: BillingRequest,
  email: string,
): Promise<BillingReply | null> {
  const browser = cookies.login ?? randomBytes(BROWSER_BYTES).toString('base64url');
  const isStarted = await database.transaction(async (tx) => {
    const loginId = await startLogin(tx, { browser, email, purpose: PURPOSE, language, accountId: null });
    if (loginId === null) return false;
    const content = { kind: 'free_key_confirmation', loginId } as const;
    await queueMailTo(tx, { recipient: email, language }, content, String(loginId));
    return true;
  }, BILLING_TIMEOUT);
  if (!isStarted) return null;
  return {
    redirectTo: BILLING_PATHS.freeKeyConfirm[language],
    cookies: [{ name: 'login', value: browser, maxAgeSeconds: LOGIN_TOKEN_MS / 1_000 }],
  };
}

/** The link works in every browser: it logs nobody in, and the key goes to the address that it proves. */
async function confirm(
  { database, quota }: Giving,
  { language, fields, cookies }: BillingRequest,
): Promise<BillingReply> {
  const { token, code = '' } = fields;
  const outcome = await database.transaction(async (tx) => {
    const proved = await confirmLogin(tx, {
      ...{ purpose: PURPOSE, browser: cookies.login ?? null, token: token ?? null },
      code: token === undefined ? code.replaceAll(/\s/g, '') : null,
    });
    if (proved.kind !== 'proved') return null;
    return (await createFreeKey(tx, proved, quota)) ? 'sent' : 'earlier';
  }, BILLING_TIMEOUT);
  if (outcome === null) return { view: codeView(language, ['code']) };
  return {
    redirectTo: `${BILLING_PATHS.freeKey[language]}?done=${outcome}`,
    cookies: [{ name: 'login', value: null, maxAgeSeconds: 0 }],
  };
}

function startView(language: Language, query: URLSearchParams): FreeKeyView {
  const outcome = OUTCOMES[query.get('done') ?? ''];
  return outcome === undefined ? formView(language) : { page: 'free key', language, step: 'done', outcome };
}

function formView(language: Language, email = '', problems: readonly FreeKeyProblem[] = []): FreeKeyView {
  return { page: 'free key', language, step: 'form', email, problems };
}

function codeView(language: Language, problems: readonly FreeKeyProblem[] = []): FreeKeyView {
  return { page: 'free key', language, step: 'code', problems };
}
