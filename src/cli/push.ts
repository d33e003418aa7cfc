/** `pompa push`: VAPID keys and subscriptions. It never shows a whole endpoint, which is a secret. */

import { withDatabase } from '../app/database/configured-database.ts';
import { makeVapidPair } from '../clients/web-push.ts';
import { isoInstant } from '../domain/days.ts';
import { FUEL_CODE } from '../domain/fuel-codes.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { deleteSubscription, listSubscriptions, type SubscriptionRecord } from '../store/alerts/subscriptions.ts';
import type { IdWords } from './arguments.ts';
import { deleteCommand } from './delete-for-good.ts';
import { commandWithSubCommands, type SubCommand } from './sub-commands.ts';

const keys: SubCommand = {
  usage: '[--json]',
  flags: {},
  argCount: 0,
  async run({ flags, terminal }) {
    const { publicKey, privateKey } = makeVapidPair();
    if (flags.json) {
      terminal.out(JSON.stringify({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }));
      return 0;
    }
    terminal.out(`VAPID_PUBLIC_KEY=${publicKey}`);
    terminal.out(`VAPID_PRIVATE_KEY=${privateKey}`);
    terminal.err(
      'Put both into .env with a VAPID_SUBJECT, such as mailto:ops@example.org. The private key is a secret;',
    );
    terminal.err('with another pair every browser must subscribe again.');
    return 0;
  },
};

const list: SubCommand = {
  usage: '[--json]',
  flags: {},
  argCount: 0,
  async run(call) {
    let count = 0;
    await withDatabase(call, async ({ kysely }) => {
      for await (const record of listSubscriptions(kysely)) {
        call.terminal.out(call.flags.json ? JSON.stringify(subscriptionObject(record)) : subscriptionLine(record));
        count += 1;
      }
    });
    if (count === 0 && !call.flags.json) call.terminal.out('no subscription yet');
    return 0;
  },
};

const SUBSCRIPTION_ID: IdWords = { name: 'subscription', list: 'push list', shown: 'all subscriptions' };

const remove = deleteCommand(
  { words: SUBSCRIPTION_ID, table: 'push_subscriptions', remove: ({ kysely }, id) => deleteSubscription(kysely, id) },
  'the record of what was sent to it',
);

export const pushCommand = commandWithSubCommands(
  'push',
  `keys generates a VAPID pair and prints the two settings; list shows each subscription's host, city, fuel, creation time
and last alert; delete removes one.`,
  { keys, list, delete: remove },
);

function subscriptionObject({ id, host, city, fuel, createdAt, alertedAt }: SubscriptionRecord) {
  return {
    id,
    host,
    city: city === null ? null : (loadGazetteer().localityBySlug(city)?.ascii ?? city),
    fuel: fuel === null ? null : FUEL_CODE[fuel],
    created: isoInstant(createdAt),
    last_alert: alertedAt === null ? null : isoInstant(alertedAt),
  };
}

function subscriptionLine(record: SubscriptionRecord): string {
  const { id, host, city, fuel, created, last_alert } = subscriptionObject(record);
  const subject = `${city ?? 'the whole country'}, ${fuel ?? 'petrol and diesel standard'}`;
  return `subscription ${id} at ${host}: ${subject}, made ${created}, ${last_alert === null ? 'no alert yet' : `last alert ${last_alert}`}`;
}
