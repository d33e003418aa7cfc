/**
 * Another address for an account. A recent login proves the old one, a mail the new one; then the old one is told, and
 * may take the account back for a day.
 */
import type { AddressProblem, AddressView } from '../../domain/billing/address-view.ts';
import { SESSION_MS } from '../../domain/billing/login-purpose.ts';
import type { LoginProblem, LoginView } from '../../domain/billing/login-view.ts';
import type { Language } from '../../domain/localized-text.ts';
import { parseEmailAddress } from '../../domain/mail/email-address.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { changeAddress, undoAddressChange } from '../../store/accounts/address-change.ts';
import { startSession } from '../../store/accounts/login-sessions.ts';
import { confirmLogin } from '../../store/accounts/logins.ts';
import { queueMailTo } from '../../store/billing/mails.ts';
import { type AccountRequest, accountForm, accountPage } from './account-session.ts';
import { askedAddress, askForProof } from './ask-for-proof.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import { type BillingReply, type BillingRequest, type BillingRoute, MAX_SHOWN } from './billing-route.ts';
import { formTokenOf } from './form-token.ts';
import { loginForm } from './login-form.ts';

/** The routes. */
export function addressRoutes(dependencies: BillingDependencies): BillingRoute[] {
  const { limits } = dependencies;
  const { accountAddress, addressConfirm, addressUndo } = BILLING_PATHS;
  return [
    accountPage(
      dependencies,
      accountAddress,
      // Asked for before anything is typed.
      async (request) => ({ view: request.holder.isFresh ? formOf(request) : loginFirst(request) }),
      'address',
    ),
    accountForm(dependencies, accountAddress, async (request) => {
      const { fields } = request;
      if (!request.holder.isFresh) return { view: loginFirst(request, ['again']) };
      const email = parseEmailAddress(fields.email ?? '');
      if (email === null) return { view: formOf(request, ['email']) };
      // Whether an account has that address already learns only whoever reads its mails.
      const proof = {
        email,
        purpose: 'new_address',
        mail: 'new_address',
        accountId: request.holder.accountId,
      } as const;
      const asked = await askForProof(dependencies, request, { ...proof, confirmAt: addressConfirm });
      if (typeof asked === 'object') return asked;
      return { view: formOf(request, ['too many']), waitMs: limits.waitMs.ask };
    }),
    {
      ...{ method: 'GET', path: addressConfirm },
      async answer(request) {
        const { language, query } = request;
        const token = query.get('token');
        return { view: token === null ? await codeView(dependencies, request) : linkView(language, token) };
      },
    },
    {
      ...{ method: 'POST', path: addressConfirm },
      answer: async (request) =>
        limits.mayTry(request.client) ? confirm(dependencies, request) : tooMany(dependencies, request.language),
    },
    {
      ...{ method: 'GET', path: addressUndo },
      answer: async ({ language, query }) => ({
        view: { page: 'address', language, problems: [], step: 'undo', token: query.get('token') ?? '' },
      }),
    },
    { ...{ method: 'POST', path: addressUndo }, answer: (request) => takeBack(dependencies, request) },
  ];
}

function formOf(
  { language, fields, holder, session }: AccountRequest,
  problems: readonly AddressProblem[] = [],
): AddressView {
  const email = (fields.email ?? '').slice(0, MAX_SHOWN);
  return {
    ...{ page: 'address', language, problems, step: 'form' },
    ...{ formToken: formTokenOf(session), current: holder.email, email },
  };
}

/** The change needs a login of the last minutes, which leads back to its form. */
function loginFirst({ language, holder }: AccountRequest, problems: readonly LoginProblem[] = []): LoginView {
  return loginForm(language, holder.email, problems, 'address');
}

async function codeView(
  dependencies: BillingDependencies,
  request: BillingRequest,
  problems: readonly AddressProblem[] = [],
): Promise<AddressView> {
  return viewOfCode(request.language, await askedAddress(dependencies, request, 'new_address'), problems);
}

function viewOfCode(language: Language, email: string | null, problems: readonly AddressProblem[]): AddressView {
  return { page: 'address', language, problems, step: 'code', email };
}

function linkView(
  language: Language,
  token: string,
  asksForCode = false,
  problems: readonly AddressProblem[] = [],
): AddressView {
  return { page: 'address', language, problems, step: 'link', token, asksForCode };
}

const endedView = (language: Language, problem: AddressProblem): AddressView => ({
  ...{ page: 'address', language, problems: [problem], step: 'ended' },
});

function tooMany({ limits }: BillingDependencies, language: Language): BillingReply {
  return { view: viewOfCode(language, null, ['too many']), waitMs: limits.waitMs.try };
}

/** Changes the address, tells the former one, and starts a session in place of all that there were. */
async function confirm(dependencies: BillingDependencies, request: BillingRequest): Promise<BillingReply> {
  const { database } = dependencies;
  const { language, fields, cookies } = request;
  const token = fields.token ?? null;
  const code = fields.code === undefined ? null : fields.code.replaceAll(/\s/g, '');
  const result = await database.transaction(async (tx) => {
    const proved = await confirmLogin(tx, { purpose: 'new_address', browser: cookies.login ?? null, token, code });
    dependencies.limits.tried(proved);
    if (proved.kind !== 'proved') return proved;
    const { accountId, email } = proved;
    const changed = accountId === null ? 'unchanged' : await changeAddress(tx, accountId, email);
    if (typeof changed === 'string' || accountId === null) return { kind: changed as 'taken' | 'unchanged' } as const;
    const { formerEmail, loginId, undoUntil } = changed;
    const to = { recipient: formerEmail, language: changed.language };
    const occasion = String(loginId ?? proved.loginId);
    await queueMailTo(tx, to, { kind: 'address_changed', loginId, undoUntil }, occasion);
    return { kind: 'changed', session: await startSession(tx, accountId) } as const;
  }, BILLING_TIMEOUT);
  switch (result.kind) {
    case 'changed':
      return {
        redirectTo: `${BILLING_PATHS.account[language]}?done=address`,
        cookies: [
          { name: 'session', value: result.session, maxAgeSeconds: SESSION_MS / 1_000 },
          { name: 'login', value: null, maxAgeSeconds: 0 },
        ],
      };
    case 'unchanged':
      return { redirectTo: BILLING_PATHS.account[language] };
    case 'taken':
      return { view: endedView(language, 'taken') };
    case 'too many':
      return tooMany(dependencies, language);
    case 'expired':
      return { view: endedView(language, 'ended') };
    case 'another browser':
      return { view: linkView(language, token ?? '', true) };
    case 'wrong':
      if (token === null) return { view: await codeView(dependencies, request, ['code']) };
      return { view: linkView(language, token, true, ['code']) };
  }
}

/** The former address proves itself by its link, logs everybody out, learns that, and logs in anew by itself. */
async function takeBack({ database }: BillingDependencies, request: BillingRequest): Promise<BillingReply> {
  const { language, fields } = request;
  const email = await database.transaction(async (tx) => {
    const proof = { purpose: 'old_address', browser: null, token: fields.token ?? '', code: null } as const;
    const proved = await confirmLogin(tx, proof);
    if (proved.kind !== 'proved' || proved.accountId === null) return null;
    return (await undoAddressChange(tx, proved.accountId, proved.email)) ? proved.email : null;
  }, BILLING_TIMEOUT);
  if (email === null) return { view: endedView(language, 'undo ended') };
  return {
    view: { page: 'address', language, problems: [], step: 'undone', email },
    cookies: [{ name: 'session', value: null, maxAgeSeconds: 0 }],
  };
}
