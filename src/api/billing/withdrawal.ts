/**
 * The withdrawal from a contract in two steps: what it is about, and the button that declares it. It needs no login,
 * but the number of the order, which only its customer was told.
 */
import { withdrawalEndsAt } from '../../domain/billing/withdrawal-right.ts';
import type { WithdrawalFields, WithdrawalProblem, WithdrawalView } from '../../domain/billing/withdrawal-view.ts';
import { parseEmailAddress } from '../../domain/mail/email-address.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { readAccountDetails } from '../../store/billing/account-details.ts';
import { findContract, withdraw, withdrawDeleted } from '../../store/billing/withdrawals.ts';
import { findHolder } from './account-session.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import { type BillingReply, type BillingRequest, type BillingRoute, MAX_SHOWN } from './billing-route.ts';
import { hourlyLimit, hourlyWaitMs } from './hourly-limit.ts';

/** Forms of one client within an hour. */
const FORMS_OF_CLIENT = 20;
const MAX_NAME = 100;
const UNWANTED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const NOTHING: WithdrawalFields = { name: '', email: '', order: '' };

/** The routes; none where plans are not sold. */
export function withdrawalRoutes(dependencies: BillingDependencies): BillingRoute[] {
  if (dependencies.stripe === null) return [];
  const path = BILLING_PATHS.withdrawal;
  const forms = hourlyLimit(FORMS_OF_CLIENT);
  return [
    {
      method: 'GET',
      path,
      async answer(request) {
        const { language, query, cookies } = request;
        const isLoggedIn = cookies.session !== undefined;
        if (query.has('done')) return { view: { page: 'withdrawal', language, isLoggedIn, step: 'done' } };
        const order = lineOf(query.get('order') ?? '');
        return { view: formView({ language, isLoggedIn }, await knownFields(dependencies, request, order)) };
      },
    },
    {
      method: 'POST',
      path,
      async answer({ language, fields: posted, client, cookies }) {
        const reader = { language, isLoggedIn: cookies.session !== undefined };
        const { name = '', email = '', order = '', confirm } = posted;
        const fields = { name: lineOf(name), email: lineOf(email), order: lineOf(order) };
        const problems = problemsOf(fields);
        if (confirm === 'no') return { view: formView(reader, fields) };
        if (problems.length > 0) return { view: formView(reader, fields, problems) };
        if (!forms.tryTake(client))
          return {
            view: formView(reader, fields, ['too many']),
            waitMs: hourlyWaitMs(FORMS_OF_CLIENT),
          };
        return declare(dependencies, { reader, fields, isConfirmed: confirm === 'yes' });
      },
    },
  ];
}

/** For whom a page is. */
type Reader = Pick<WithdrawalView, 'language' | 'isLoggedIn'>;

/** What whoever is logged in need not type: the address, and the order if only one can be withdrawn from. */
async function knownFields(
  dependencies: BillingDependencies,
  request: BillingRequest,
  order: string,
): Promise<WithdrawalFields> {
  const holder = (await findHolder(dependencies, request))?.holder;
  if (holder === undefined) return { ...NOTHING, order };
  const { accountId, email } = holder;
  if (order !== '') return { ...NOTHING, email, order };
  const { database, clock } = dependencies;
  const { subscriptions } = await database.transaction(
    (tx) => readAccountDetails(tx, accountId, clock()),
    BILLING_TIMEOUT,
  );
  const [only, ...others] = subscriptions.flatMap(({ withdrawableOrder }) => withdrawableOrder ?? []);
  return { ...NOTHING, email, order: others.length > 0 ? '' : (only ?? '') };
}

type Declaration = {
  readonly reader: Reader;
  readonly fields: WithdrawalFields;
  readonly isConfirmed: boolean;
};

async function declare(
  { database, clock, log }: BillingDependencies,
  { reader, fields, isConfirmed }: Declaration,
): Promise<BillingReply> {
  const { language } = reader;
  const email = parseEmailAddress(fields.email) ?? '';
  const contract = await database.transaction(
    (tx) => findContract(tx, fields.order.toLowerCase(), email),
    BILLING_TIMEOUT,
  );
  if (contract === null) return { view: formView(reader, fields, ['unknown']) };
  const { plan, concludedAt, subscription, withdrawnAt, orderId } = contract;
  const done = { redirectTo: `${BILLING_PATHS.withdrawal[language]}?done=1` };
  if (withdrawnAt !== null) return done;
  if (clock() > withdrawalEndsAt(concludedAt)) return { view: formView(reader, fields, ['too late']) };
  if (!isConfirmed) return { view: { page: 'withdrawal', ...reader, step: 'confirm', fields, plan, concludedAt } };
  const name = fields.name.slice(0, MAX_NAME);
  const declarant = { name, email, language };
  // The account may be deleted in between.
  if (subscription === null || !(await withdraw(database, subscription, declarant, BILLING_TIMEOUT)))
    await withdrawDeleted(database, orderId, declarant, BILLING_TIMEOUT);
  log.warn({}, `the customer of order ${orderId} has withdrawn from the contract: refund what was paid within 14 days`);
  return done;
}

/** One line, as it may be shown and mailed. */
function lineOf(text: string): string {
  return text.replaceAll(UNWANTED, ' ').trim().slice(0, MAX_SHOWN);
}

function problemsOf({ name, email, order }: WithdrawalFields): WithdrawalProblem[] {
  const problems: WithdrawalProblem[] = [];
  if (name === '') problems.push('name');
  if (parseEmailAddress(email) === null) problems.push('email');
  if (order === '') problems.push('order');
  return problems;
}

function formView(
  reader: Reader,
  fields: WithdrawalFields,
  problems: readonly WithdrawalProblem[] = [],
): WithdrawalView {
  return { page: 'withdrawal', ...reader, step: 'form', fields, problems };
}
