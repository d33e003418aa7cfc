/**
 * The withdrawal from a contract in two steps: what it is about, and the button that declares it. It needs no login,
 * but the number of the order, which only its customer was told.
 */
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { withdrawalEndsAt } from '../../domain/billing/withdrawal-right.ts';
import type { WithdrawalFields, WithdrawalProblem, WithdrawalView } from '../../domain/billing/withdrawal-view.ts';
import type { Language } from '../../domain/localized-text.ts';
import { parseEmailAddress } from '../../domain/mail/email-address.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { findContract, withdraw, withdrawDeleted } from '../../store/billing/withdrawals.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import type { BillingReply, BillingRoute } from './billing-route.ts';

const HOUR_SECONDS = 3_600;
/** Forms of one client within an hour. */
const FORMS_OF_CLIENT = 20;
const MAX_CLIENTS = 10_000;
const MAX_NAME = 100;
/** What is shown again of a field that was typed. */
const MAX_SHOWN = 254;
const UNWANTED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const NOTHING: WithdrawalFields = { name: '', email: '', order: '' };

/** The routes; none where plans are not sold. */
export function withdrawalRoutes(dependencies: BillingDependencies): BillingRoute[] {
  if (dependencies.stripe === null) return [];
  const path = BILLING_PATHS.withdrawal;
  const forms = new TokenBuckets({
    burst: FORMS_OF_CLIENT,
    perSecond: FORMS_OF_CLIENT / HOUR_SECONDS,
    maxKeys: MAX_CLIENTS,
  });
  return [
    {
      method: 'GET',
      path,
      async answer({ language, query }) {
        if (query.has('done')) return { view: { page: 'withdrawal', language, step: 'done' } };
        return { view: formView(language, { ...NOTHING, order: lineOf(query.get('order') ?? '') }) };
      },
    },
    {
      method: 'POST',
      path,
      async answer({ language, fields: posted, client }) {
        const { name = '', email = '', order = '', confirm } = posted;
        const fields = { name: lineOf(name), email: lineOf(email), order: lineOf(order) };
        const problems = problemsOf(fields);
        if (problems.length > 0) return { view: formView(language, fields, problems) };
        if (!forms.tryTake(client))
          return {
            view: formView(language, fields, ['too many']),
            waitMs: (HOUR_SECONDS / FORMS_OF_CLIENT) * 1_000,
          };
        return declare(dependencies, { language, fields, isConfirmed: confirm === 'yes' });
      },
    },
  ];
}

type Declaration = {
  readonly language: Language;
  readonly fields: WithdrawalFields;
  readonly isConfirmed: boolean;
};

async function declare(
  { database, clock, log }: BillingDependencies,
  { language, fields, isConfirmed }: Declaration,
): Promise<BillingReply> {
  const email = parseEmailAddress(fields.email) ?? '';
  const contract = await database.transaction(
    (tx) => findContract(tx, fields.order.toLowerCase(), email),
    BILLING_TIMEOUT,
  );
  if (contract === null) return { view: formView(language, fields, ['unknown']) };
  const { plan, concludedAt, subscription, withdrawnAt, orderId } = contract;
  const done = { redirectTo: `${BILLING_PATHS.withdrawal[language]}?done=1` };
  if (withdrawnAt !== null) return done;
  if (clock() > withdrawalEndsAt(concludedAt)) return { view: formView(language, fields, ['too late']) };
  if (!isConfirmed) return { view: { page: 'withdrawal', language, step: 'confirm', fields, plan, concludedAt } };
  const name = fields.name.slice(0, MAX_NAME);
  if (subscription === null) await withdrawDeleted(database, orderId, { name, email, language }, BILLING_TIMEOUT);
  else await withdraw(database, subscription, name, BILLING_TIMEOUT);
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
  language: Language,
  fields: WithdrawalFields,
  problems: readonly WithdrawalProblem[] = [],
): WithdrawalView {
  return { page: 'withdrawal', language, step: 'form', fields, problems };
}
