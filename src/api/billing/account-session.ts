/** Who is logged in, and forms that act for them. */
import { isStripeFailure, whyStripeFailed } from '../../clients/stripe.ts';
import { TimeoutError } from '../../concurrency/with-timeout.ts';
import type { RefusedView } from '../../domain/billing/billing-view.ts';
import type { LoginReturn } from '../../domain/billing/login-return.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { findSession, type LoggedIn } from '../../store/accounts/login-sessions.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import type { BillingReply, BillingRequest, BillingRoute } from './billing-route.ts';
import { isFormToken } from './form-token.ts';
import { loginForm } from './login-form.ts';

/** What an action of a logged-in customer gets. */
export type AccountRequest = BillingRequest & { readonly holder: LoggedIn; readonly session: string };

type AccountAction = (request: AccountRequest) => Promise<BillingReply>;

/** A page for whoever is logged in; anybody else gets the form that logs in, and leads back. */
export function accountPage(
  dependencies: BillingDependencies,
  path: LocalizedText,
  answer: AccountAction,
  returnTo: LoginReturn | null = null,
): BillingRoute {
  return {
    ...{ method: 'GET', path },
    async answer(request) {
      const loggedIn = await findHolder(dependencies, request);
      return loggedIn === null
        ? { view: loginForm(request.language, '', [], returnTo) }
        : answer({ ...request, ...loggedIn });
    },
  };
}

/** The answer to an account that posts too many forms. */
export function tooManyForms({ limits }: BillingDependencies, language: Language): BillingReply {
  return { view: { page: 'refused', language, why: 'too many' }, waitMs: limits.waitMs.act };
}

/**
 * A form that acts for whoever is logged in, if it is one of this session; `failure`: what the page says where Stripe
 * or our database fails.
 */
export function accountForm(
  dependencies: BillingDependencies,
  path: LocalizedText,
  act: AccountAction,
  failure: RefusedView['why'] = 'unavailable',
): BillingRoute {
  return {
    ...{ method: 'POST', path },
    async answer(request) {
      const { language, fields } = request;
      const loggedIn = await findHolder(dependencies, request);
      if (loggedIn === null) return { view: loginForm(language, '', ['session ended']) };
      if (!isFormToken(fields.form, loggedIn.session))
        return { view: { page: 'refused', language, why: 'other site' } };
      if (!dependencies.limits.mayAct(loggedIn.holder.accountId, 'form')) return tooManyForms(dependencies, language);
      try {
        return await act({ ...request, ...loggedIn });
      } catch (error) {
        const isOfStripe = error instanceof TimeoutError || isStripeFailure(error);
        if (!isOfStripe && !(error instanceof DatabaseUnavailable)) throw error;
        if (isOfStripe) dependencies.log.warn({}, `Stripe did not do what a customer asked: ${whyStripeFailed(error)}`);
        return { view: { page: 'refused', language, why: failure } };
      }
    },
  };
}

/** Who is logged in, and by which session; `null` = nobody. */
export async function findHolder(
  { database }: BillingDependencies,
  { cookies: { session } }: BillingRequest,
): Promise<Pick<AccountRequest, 'holder' | 'session'> | null> {
  if (session === undefined) return null;
  const holder = await database.transaction((tx) => findSession(tx, session), BILLING_TIMEOUT);
  return holder && { holder, session };
}
