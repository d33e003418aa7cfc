/** Logging in to an account: by the link or the code of a mail, in the browser that asked for it. */
import { SESSION_MS } from '../../domain/billing/login-purpose.ts';
import { LOGIN_RETURNS, loginReturnOf } from '../../domain/billing/login-return.ts';
import type { LoginView } from '../../domain/billing/login-view.ts';
import type { Language } from '../../domain/localized-text.ts';
import { maskedAddress, parseEmailAddress } from '../../domain/mail/email-address.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { endSession, startSession } from '../../store/accounts/login-sessions.ts';
import { confirmLogin, type LoginOutcome } from '../../store/accounts/logins.ts';
import { askedAddress, askForProof } from './ask-for-proof.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import { type BillingReply, type BillingRequest, type BillingRoute, MAX_SHOWN } from './billing-route.ts';
import { loginForm } from './login-form.ts';

/** The routes of logging in and out. */
export function loginRoutes(dependencies: BillingDependencies): BillingRoute[] {
  const { limits } = dependencies;
  return [
    {
      method: 'POST',
      path: BILLING_PATHS.logIn,
      async answer(request) {
        const { language, fields } = request;
        const typed = (fields.email ?? '').slice(0, MAX_SHOWN);
        const email = parseEmailAddress(fields.email ?? '');
        const returnTo = loginReturnOf(fields.next);
        if (email === null) return { view: loginForm(language, typed, ['email'], returnTo) };
        // Whether the address has an account is looked up when the mail is to be sent.
        const proof = { email, purpose: 'login', mail: 'login', accountId: null, returnTo } as const;
        const asked = await askForProof(dependencies, request, { ...proof, confirmAt: BILLING_PATHS.confirm });
        if (typeof asked === 'object') return asked;
        return { view: loginForm(language, typed, [asked], returnTo), waitMs: limits.waitMs.ask };
      },
    },
    {
      method: 'GET',
      path: BILLING_PATHS.confirm,
      async answer(request) {
        const { language, query } = request;
        const token = query.get('token');
        const page = { page: 'log in', language, problems: [], returnTo: loginReturnOf(query.get('next')) } as const;
        if (token !== null) return { view: { ...page, step: 'link', token } };
        return { view: { ...page, step: 'code', email: await askedAddress(dependencies, request, 'login') } };
      },
    },
    {
      method: 'POST',
      path: BILLING_PATHS.confirm,
      async answer(request) {
        const { client, language, fields } = request;
        if (limits.mayTry(client)) return confirm(dependencies, request);
        return tooMany(dependencies, language, loginReturnOf(fields.next));
      },
    },
    {
      method: 'POST',
      path: BILLING_PATHS.logOut,
      async answer({ language, cookies: { session } }) {
        if (session !== undefined)
          await dependencies.database.transaction((tx) => endSession(tx, session), BILLING_TIMEOUT);
        return {
          redirectTo: BILLING_PATHS.account[language],
          cookies: [{ name: 'session', value: null, maxAgeSeconds: 0 }],
        };
      },
    },
  ];
}

function tooMany({ limits }: BillingDependencies, language: Language, returnTo: LoginView['returnTo']): BillingReply {
  return { view: loginForm(language, '', ['too many'], returnTo), waitMs: limits.waitMs.try };
}

/** A new session replaces the one before, if there is one: nobody can have set it beforehand. */
async function confirm(dependencies: BillingDependencies, request: BillingRequest): Promise<BillingReply> {
  const { language, fields, cookies } = request;
  const returnTo = loginReturnOf(fields.next);
  const token = fields.token ?? null;
  const code = fields.code === undefined ? null : fields.code.replaceAll(/\s/g, '');
  const result = await dependencies.database.transaction(async (tx) => {
    const outcome = await confirmLogin(tx, { purpose: 'login', browser: cookies.login ?? null, token, code });
    dependencies.limits.tried(outcome);
    if (outcome.kind !== 'proved') return outcome;
    const account = await findAccount(tx, outcome.email);
    if (account === null) return { kind: 'expired' } as const;
    if (cookies.session !== undefined) await endSession(tx, cookies.session);
    return { kind: 'session', secret: await startSession(tx, account.id) } as const;
  }, BILLING_TIMEOUT);
  if (result.kind === 'too many') return tooMany(dependencies, language, returnTo);
  if (result.kind === 'wrong' && token === null) {
    const email = await askedAddress(dependencies, request, 'login');
    return { view: { page: 'log in', language, returnTo, step: 'code', email, problems: ['code'] } };
  }
  if (result.kind !== 'session') return { view: failedView(result, { language, returnTo }, token ?? '') };
  return {
    redirectTo: (returnTo === null ? BILLING_PATHS.account : LOGIN_RETURNS[returnTo])[language],
    cookies: [
      { name: 'session', value: result.secret, maxAgeSeconds: SESSION_MS / 1_000 },
      { name: 'login', value: null, maxAgeSeconds: 0 },
    ],
  };
}

function failedView(
  outcome: Exclude<LoginOutcome, { kind: 'proved' | 'too many' }>,
  { language, returnTo }: Pick<LoginView, 'language' | 'returnTo'>,
  token: string,
): LoginView {
  const page = { page: 'log in', language, returnTo } as const;
  switch (outcome.kind) {
    case 'another browser':
      return {
        ...{ ...page, step: 'link and code', token, problems: [] },
        maskedEmail: maskedAddress(outcome.email),
      };
    case 'expired':
      return loginForm(language, '', ['ended'], returnTo);
    case 'wrong':
      return { ...page, step: 'link and code', token, maskedEmail: null, problems: ['code'] };
  }
}
