/** `pompa orders`: orders of plans and what became of them, for the support of customers. */
import { stripeOf } from '../../app/billing/selling.ts';
import { type Command, type CommandCall, CommandError } from '../../app/command.ts';
import { withDatabase } from '../../app/composition.ts';
import { type StripeClient, whyStripeFailed } from '../../clients/stripe.ts';
import { noteRefund } from '../../store/billing/subscription-notes.ts';
import { listOrders, readCustomer } from '../../store/billing/support.ts';
import { syncSubscription } from '../../store/billing/sync-subscription.ts';
import { databaseTime } from '../../store/connection/database-time.ts';
import { commandWithSubCommands, type SubCommand } from '../sub-commands.ts';
import { printCustomer, printOrders } from './customer-report.ts';

const LATEST = 100;

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
      if (customer === null) throw new CommandError('nobody with this e-mail address has an account');
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
      await stripe.cancelNow(id);
      await withDatabase(call, (database) => syncSubscription(database, stripe, id));
      return `${id} is cancelled at Stripe without a refund, and its key is closed`;
    }),
};

const refunded: SubCommand = {
  usage: 'SUBSCRIPTION',
  flags: {},
  argCount: 1,
  async run(call) {
    const [id = ''] = call.args;
    const isKnown = await withDatabase(call, ({ kysely }) => noteRefund(kysely, id));
    if (!isKnown) throw new CommandError(`there is no subscription ${id}; orders list shows them`);
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
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Stripe did not do it: ${whyStripeFailed(error)}`);
  }
  return 0;
}

export const ordersCommand: Command = commandWithSubCommands(
  'orders',
  `list: the latest ${LATEST} orders. show: all that is stored of a customer: orders, subscriptions with the verdict on
their keys and why, events of Stripe, mails. sync: asks Stripe now. close: cancels a subscription at Stripe at once,
without a refund. refunded: notes that you refunded a charge, for later questions; it closes nothing.`,
  { list, show, sync, close, refunded },
);
