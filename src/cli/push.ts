/** `pompa push`: the keys of web push, and who has subscribed. A whole endpoint is never shown: it is a secret. */
import { FUEL_WORD } from '../api/contract/contract.ts';
import { type Call, Failure, UsageError } from '../app/command.ts';
import { withStore } from '../app/wiring.ts';
import { makeVapidPair } from '../clients/web-push.ts';
import { isoInstant } from '../domain/days.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { deleteSubscription, listSubscriptions, type SubscriptionRecord } from '../store/alerts/subscriptions.ts';
import { type SubVerb, verbOf } from './sub-commands.ts';

const keys: SubVerb = {
  usage: '[--json]',
  flags: {},
  words: 0,
  async run({ flags, terminal }) {
    const { publicKey, privateKey } = makeVapidPair();
    if (flags.json) {
      terminal.out(JSON.stringify({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }));
      return 0;
    }
    terminal.out(`VAPID_PUBLIC_KEY=${publicKey}`);
    terminal.out(`VAPID_PRIVATE_KEY=${privateKey}`);
    terminal.note(
      'Put both into .env with a VAPID_SUBJECT, such as mailto:ops@example.org. The private one is a secret;',
    );
    terminal.note('with another pair every browser must subscribe anew.');
    return 0;
  },
};

const list: SubVerb = {
  usage: '[--json]',
  flags: {},
  words: 0,
  async run(call) {
    let count = 0;
    await withStore(call, async ({ kysely }) => {
      for await (const record of listSubscriptions(kysely)) {
        call.terminal.out(call.flags.json ? JSON.stringify(told(record)) : line(record));
        count += 1;
      }
    });
    if (count === 0 && !call.flags.json) call.terminal.out('no subscription yet');
    return 0;
  },
};

const remove: SubVerb = {
  usage: 'ID [--json]',
  flags: {},
  words: 1,
  async run(call) {
    const id = idOf(call);
    const gone = id <= HIGHEST_ID && (await withStore(call, ({ kysely }) => deleteSubscription(kysely, id)));
    if (!gone) throw new Failure(`there is no subscription ${id}; push list shows those there are`);
    call.terminal.out(
      call.flags.json
        ? JSON.stringify({ id, deleted: true })
        : `subscription ${id} is deleted, with all that was sent to it`,
    );
    return 0;
  },
};

export const pushVerb = verbOf(
  'push',
  `keys makes a VAPID pair and prints the two settings; list shows who has subscribed: host, city, fuel, made, last alert;
delete forgets one.`,
  { keys, list, delete: remove },
);

/** Ids are 32 bits in the database. */
const HIGHEST_ID = 2 ** 31 - 1;

function idOf({ words }: Call): number {
  const [word = ''] = words;
  // What stands there instead may be an endpoint: it is not repeated.
  if (!/^\d{1,15}$/.test(word)) throw new UsageError('ID must be the number of a subscription, as push list shows it');
  return Number(word);
}

function told({ id, host, city, fuel, createdAt, alertedAt }: SubscriptionRecord) {
  return {
    id,
    host,
    city: city === null ? null : (loadGazetteer().localityBySlug(city)?.ascii ?? city),
    fuel: fuel === null ? null : FUEL_WORD[fuel],
    created: isoInstant(createdAt),
    last_alert: alertedAt === null ? null : isoInstant(alertedAt),
  };
}

function line(record: SubscriptionRecord): string {
  const { id, host, city, fuel, created, last_alert } = told(record);
  const subject = `${city ?? 'the whole country'}, ${fuel ?? 'petrol and diesel standard'}`;
  return `subscription ${id} at ${host}: ${subject}, made ${created}, ${last_alert === null ? 'no alert yet' : `last alert ${last_alert}`}`;
}
