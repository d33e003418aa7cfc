/** `pompa orders`: orders of plans and what became of them, for the support of customers. */
import { stripeOf } from '../../app/billing/selling.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../../app/command.ts';
import { withDatabase } from '../../app/database/configured-database.ts';
import { isStripeFailure, type StripeClient, whyStripeFailed } from '../../clients/stripe.ts';
import { parseEmailAddress } from '../../domain/mail/email-address.ts';
import { noteRefund } from '../../store/billing/subscription-notes.ts';
import { correctAddress, listOrders, readCustomer } from '../../store/billing/support.ts';
import { syncSubscription } from '../../store/billing/sync-subscription.ts';
import { databaseTime } from '../../store/connection/database-time.ts';
import { printCustomer, printOrders } from '../reports/customer-report.ts';
import { commandWithSubCommands, type SubCommand } from '../sub-commands.ts';

const LATEST = 100;
const NO_ACCOUNT = 'nobody with this e-mail address has an account';

const list: SubCommand = {
  usage: '[--json]',
  flags: {},
  argCount: 0,
  async run(call) {
    printOrders(call, await withDatabase(call, ({ kysely }) => listOrders(kysely, null, LATEST)));
    return 0;
  },
};

const show: SubCommand = {
  usage: 'EMAIL [--json]',
  flags: {},
  argCount: 1,
  async run(call) {
    const [email = ''] = call.args;
    await withDatabase(call, async (database) => {
      const customer = await readCustomer(database.kysely, email);
      if (customer === null) throw new CommandError(NO_ACCOUNT);
      printCustomer(call, customer, await databaseTime(database));
    });
    return 0;
  },
};

const sync: SubCommand = {
  usage: 'SUBSCRIPTION',
  flags: {},
  argCount: 1,
  run: (call) =>
    withStripe(call, async (stripe, id) => {
      const { kind } = await withDatabase(call, (database) => syncSubscription(database, stripe, id));
      if (kind === 'unknown order') throw new CommandError(`${id} was not ordered here, or Stripe does not know it`);
      return `${id} is as Stripe has it now`;
    }),
};

const close: SubCommand = {
  usage: 'SUBSCRIPTION',
  flags: {},
  argCount: 1,
  run: (call) =>
    withStripe(call, async (stripe, id) => {
      if (!(await stripe.cancelNow(id))) throw new CommandError(`Stripe does not know ${id}: nothing was cancelled`);
      const { kind } = await withDatabase(call, (database) => syncSubscription(database, stripe, id));
      if (kind === 'unknown order') return `${id} is cancelled at Stripe without a refund; it was not ordered here`;
      return `${id} is cancelled at Stripe without a refund, and its key is closed`;
    }),
};

const address: SubCommand = {
  usage: 'EMAIL NEW_EMAIL',
  flags: {},
  argCount: 2,
  async run(call) {
    const [email = '', typed = ''] = call.args;
    const to = parseEmail(typed);
    const result = await withDatabase(call, (database) => database.transaction((tx) => correctAddress(tx, email, to)));
    if (result.kind === 'unknown') throw new CommandError(NO_ACCOUNT);
    if (result.kind === 'taken') throw new CommandError('the new address belongs to another account');
    if (result.kind === 'unchanged') throw new CommandError('the account has this address already');
    const { mails, customers } = result;
    call.terminal.out(
      `the account has the new address, and its log-ins have ended; mails with keys that are sent again: ${mails}`,
    );
    for (const each of customers)
      call.terminal.out(
        `change the e-mail of ${each} in Stripe’s Dashboard, too: receipts and invoices still go to ${email}`,
      );
    return 0;
  },
};

/** An argument that must be an e-mail address. */
function parseEmail(text: string): string {
  const email = parseEmailAddress(text);
  if (email === null) throw new UsageError('NEW_EMAIL must be an e-mail address, such as ana@example.org');
  return email;
}

const refunded: SubCommand = {
  usage: 'ORDER|SUBSCRIPTION',
  flags: {},
  argCount: 1,
  async run(call) {
    const [id = ''] = call.args;
    const isKnown = await withDatabase(call, ({ kysely }) => noteRefund(kysely, id));
    if (!isKnown) throw new CommandError(`there is no order or subscription ${id}; orders list shows them`);
    call.terminal.out(`noted: a charge of ${id} was refunded`);
    return 0;
  },
};

/** Runs a change at Stripe and prints what came of it. */
async function withStripe(
  { args: [id = ''], config, terminal }: CommandCall,
  change: (stripe: StripeClient, id: string) => Promise<string>,
): Promise<number> {
  const stripe = stripeOf(config, Date.now);
  if (stripe === null) throw new CommandError('nothing is sold here: STRIPE_SECRET_KEY and SMTP_URL are not set');
  try {
    terminal.out(await change(stripe, id));
  } catch (error) {
    if (!isStripeFailure(error)) throw error;
    throw new CommandError(`Stripe did not do it: ${whyStripeFailed(error)}`);
  }
  return 0;
}

export const ordersCommand: Command = commandWithSubCommands(
  'orders',
  `list: the latest ${LATEST} orders. show: all that is stored of a customer: orders, subscriptions with the verdict on
their keys and why, events of Stripe, mails. sync: asks Stripe now. close: cancels a subscription at Stripe at once,
without a refund. refunded: notes that you refunded a charge, for later questions; it closes nothing. address: gives an
account another e-mail address, and sends it the keys that did not arrive; be sure that its owner asks.`,
  { list, show, sync, close, refunded, address },
);
