/** The end of mails about usage, by the link of one: the page has a button, and mail programs post by themselves. */
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { unsubscribe } from '../../store/accounts/accounts.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import type { BillingRequest, BillingRoute } from './billing-route.ts';

/** The routes. */
export function unsubscriptionRoutes({ database }: BillingDependencies): BillingRoute[] {
  const path = BILLING_PATHS.unsubscribe;
  return [
    {
      ...{ method: 'GET', path },
      answer: async ({ language, query }) => ({
        view: { page: 'unsubscription', language, step: 'form', token: query.get('token') ?? '' },
      }),
    },
    {
      ...{ method: 'POST', path, acceptsOtherSites: true },
      async answer(request) {
        const token = tokenOf(request);
        const isDone = await database.transaction((tx) => unsubscribe(tx, token), BILLING_TIMEOUT);
        return { view: { page: 'unsubscription', language: request.language, step: isDone ? 'done' : 'unknown' } };
      },
    },
  ];
}

/** RFC 8058: a mail program posts to the address of the link; our page posts its field. */
function tokenOf({ fields, query }: BillingRequest): string {
  return fields.token ?? query.get('token') ?? '';
}
