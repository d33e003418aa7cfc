/** A free key for an e-mail address: a form, a mail with a link and a code, and the key by another mail. */
import type { FreeKeyProblem, FreeKeyView, GivenFreeKey } from '../../domain/billing/free-key-view.ts';
import type { Language } from '../../domain/localized-text.ts';
import { parseEmailAddress } from '../../domain/mail/email-address.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { confirmLogin } from '../../store/accounts/logins.ts';
import { createFreeKey } from '../../store/billing/free-keys.ts';
import { lockKeyChanges } from '../../store/keys/keys.ts';
import { askedAddress, askForProof } from './ask-for-proof.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import { type BillingReply, type BillingRequest, type BillingRoute, MAX_SHOWN } from './billing-route.ts';

const PURPOSE = 'free_key';
/** What came of asking, as the address of the page says it. */
const DONE: Readonly<Record<GivenFreeKey, string>> = { given: 'sent', 'had one': 'earlier', former: 'changed' };

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
        const { language, fields } = request;
        const typed = (fields.email ?? '').slice(0, MAX_SHOWN);
        const email = parseEmailAddress(fields.email ?? '');
        if (email === null) return { view: formView(language, typed, ['email']) };
        const proof = { email, purpose: PURPOSE, mail: 'free_key_confirmation', accountId: null } as const;
        const asked = await askForProof(giving, request, { ...proof, confirmAt: confirmPath });
        if (typeof asked === 'object') return asked;
        return { view: formView(language, typed, [asked]), waitMs: limits.waitMs.ask };
      },
    },
    {
      method: 'GET',
      path: confirmPath,
      async answer(request) {
        const { language, query } = request;
        const token = query.get('token');
        return { view: token === null ? await codeView(giving, request) : linkView(language, token) };
      },
    },
    {
      method: 'POST',
      path: confirmPath,
      async answer(request) {
        const { client, language } = request;
        return limits.mayTry(client) ? confirm(giving, request) : tooMany(giving, language);
      },
    },
  ];
}

function tooMany({ limits }: Giving, language: Language): BillingReply {
  return { view: viewOfCode(language, null, ['too many']), waitMs: limits.waitMs.try };
}

/** The link works in every browser: it logs nobody in, and the key goes to the address that it proves. */
async function confirm(giving: Giving, request: BillingRequest): Promise<BillingReply> {
  const { database, quota, limits } = giving;
  const { language, fields, cookies } = request;
  const { token, code = '' } = fields;
  const outcome = await database.transaction(async (tx) => {
    // First, as in every transaction that changes keys: a deletion of the account waits for it.
    await lockKeyChanges(tx);
    const proved = await confirmLogin(tx, {
      ...{ purpose: PURPOSE, browser: cookies.login ?? null, token: token ?? null },
      code: token === undefined ? code.replaceAll(/\s/g, '') : null,
    });
    limits.tried(proved);
    if (proved.kind === 'too many') return proved.kind;
    if (proved.kind !== 'proved') return null;
    return createFreeKey(tx, proved, quota);
  }, BILLING_TIMEOUT);
  if (outcome === 'too many') return tooMany(giving, language);
  if (outcome === null) return { view: await codeView(giving, request, ['code']) };
  return {
    redirectTo: `${BILLING_PATHS.freeKey[language]}?done=${DONE[outcome]}`,
    cookies: [{ name: 'login', value: null, maxAgeSeconds: 0 }],
  };
}

function startView(language: Language, query: URLSearchParams): FreeKeyView {
  const done = query.get('done');
  const outcome = (['given', 'had one', 'former'] as const).find((each) => DONE[each] === done);
  return outcome === undefined ? formView(language) : { page: 'free key', language, step: 'done', outcome };
}

function formView(language: Language, email = '', problems: readonly FreeKeyProblem[] = []): FreeKeyView {
  return { page: 'free key', language, step: 'form', email, problems };
}

const linkView = (language: Language, token: string): FreeKeyView => ({
  ...{ page: 'free key', language, step: 'link', token },
});

async function codeView(
  dependencies: BillingDependencies,
  request: BillingRequest,
  problems: readonly FreeKeyProblem[] = [],
): Promise<FreeKeyView> {
  return viewOfCode(request.language, await askedAddress(dependencies, request, PURPOSE), problems);
}

function viewOfCode(language: Language, email: string | null, problems: readonly FreeKeyProblem[]): FreeKeyView {
  return { page: 'free key', language, step: 'code', email, problems };
}
