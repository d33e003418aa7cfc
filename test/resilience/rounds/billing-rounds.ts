/** Kills workers between an event and its effect, and while they send; then looks for lost and strayed keys. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { startRelay } from '../../../src/simulation/mailbox/mail-relay.ts';
import { storeEvent } from '../../../src/store/billing/webhook-inbox.ts';
import { isLiveKey } from '../../../src/store/keys/key-queries.ts';
import { anOrder } from '../../support/builders/billing-fixture.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';

/** What a killed worker left behind, as the database shows. */
type Remains = 'an event without its effect' | 'a mail on its way' | 'nothing';

export type BillingReport = {
  readonly kills: number;
  /** Kills by what they left behind. */
  readonly leaving: Readonly<Record<Remains, number>>;
  readonly customers: number;
  /** Mails with a key; of these, `again` to a customer who had one already. */
  readonly keyMails: number;
  readonly again: number;
  readonly violations: readonly string[];
};

const DAY_SECONDS = 24 * 3_600;
const KEY = /pompa_live_\w+/;
/** A worker needs about this long for one customer, from its start: every third is killed at any moment of that. */
const WORK_MS = 1_500;
const START_MS = 300;
/** The others are killed within this time of asking Stripe, or of handing the relay a mail. */
const CALL_MS = 15;

/**
 * Kills `kills` workers, each after one more customer's event came; then lets one finish.
 *
 * @param fractionOf when in its work each is killed, 0 to 1.
 */
export async function billingRounds(
  database: TestDatabase,
  kills: number,
  fractionOf: (kill: number) => number,
  onKill: (line: string) => void = () => undefined,
): Promise<BillingReport> {
  const stripe = await startStripe();
  let onSending: () => void = () => undefined;
  const relay = await startRelay({
    onMailFrom(_address, _session, done) {
      onSending();
      done();
    },
  });
  const leaving = { 'an event without its effect': 0, 'a mail on its way': 0, nothing: 0 };
  const env = {
    ...{ DATABASE: database.url, SMTP: relay.url.href },
    STRIPE: `http://127.0.0.1:${(stripe.address() as AddressInfo).port}`,
  };
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await anOrder(database, `order ${kill}`, `client${kill}@exemplu.ro`);
      await storeEvent(database.kysely, {
        id: `evt ${kill}`,
        type: 'customer.subscription.created',
        object: `sub_${kill}`,
      });
      const worker = startWorker(env);
      const ended = once(worker, 'exit');
      let timer: NodeJS.Timeout | undefined;
      const killIn = (ms: number) => {
        timer ??= setTimeout(() => worker.kill('SIGKILL'), ms);
      };
      const soon = () => killIn(fractionOf(kill) * CALL_MS);
      if (kill % 3 === 0) killIn(START_MS + fractionOf(kill) * WORK_MS);
      if (kill % 3 === 1) stripe.once('request', soon);
      onSending = kill % 3 === 2 ? soon : () => undefined;
      await ended;
      clearTimeout(timer);
      stripe.off('request', soon);
      const remains = await remainsOf(database);
      leaving[remains] += 1;
      await forgetClaims(database);
      onKill(`kill ${kill + 1} left ${remains}: ${relay.received.length} mails so far`);
    }
    await once(startWorker(env), 'exit');
    return { ...(await evaluate(database, relay.received)), kills, leaving };
  } finally {
    relay.close();
    stripe.close();
    stripe.closeAllConnections();
  }
}

/** Whatever a worker takes counts as tried, until it is done. */
async function remainsOf({ pool }: TestDatabase): Promise<Remains> {
  const { rows } = await pool.query<{ events: boolean; mails: boolean }>(`
    select exists (select from webhook_events where done_at is null and tries > 0) as events,
      exists (select from mails where state = 'waiting' and tries > 0) as mails`);
  if (rows[0]?.events) return 'an event without its effect';
  return rows[0]?.mails ? 'a mail on its way' : 'nothing';
}

/** What a killed worker had taken is due at once, so that nobody waits for its claim to end. */
async function forgetClaims({ pool }: TestDatabase): Promise<void> {
  await pool.query(`update webhook_events set due_at = clock_timestamp(), tries = 0 where done_at is null`);
  await pool.query(`update mails set due_at = clock_timestamp(), tries = 0 where state = 'waiting' and tries > 0`);
}

async function evaluate(
  database: TestDatabase,
  received: readonly string[],
): Promise<Omit<BillingReport, 'kills' | 'leaving'>> {
  const violations: string[] = [];
  const keysOf = new Map<string, string[]>();
  for (const mail of received) {
    const { to, text = '' } = await PostalMime.parse(mail);
    const [key] = KEY.exec(text) ?? [];
    const address = to?.[0]?.address ?? '';
    if (key !== undefined) keysOf.set(address, [...(keysOf.get(address) ?? []), key]);
  }
  const { rows } = await database.pool.query<{ email: string; keys: number; secrets: number; lasting: number }>(`
    select account.email, count(distinct key.id)::int as keys, count(secret.sha256)::int as secrets,
      count(*) filter (where secret.expires_at is null)::int as lasting
    from accounts as account
    left join api_keys as key on key.account_id = account.id
    left join key_secrets as secret on secret.key_id = key.id
    group by account.id`);
  const everyKey = new Map<string, string>();
  for (const { email, keys, lasting } of rows) {
    const mailed = keysOf.get(email) ?? [];
    if (keys !== 1) violations.push(`${email} has ${keys} keys`);
    if (mailed.length === 0) violations.push(`${email} got no key`);
    if (lasting !== 1) violations.push(`${email} has ${lasting} keys that last beyond the overlap`);
    const last = mailed.at(-1);
    if (last !== undefined && !(await isLiveKey(database, last)))
      violations.push(`the last key of ${email} is not live`);
    for (const key of mailed) {
      if (everyKey.has(key)) violations.push(`${email} and ${everyKey.get(key)} got the same key`);
      everyKey.set(key, email);
    }
  }
  const keyMails = everyKey.size;
  return { customers: rows.length, keyMails, again: keyMails - rows.length, violations };
}

/** Stripe, as far as a fetch needs it: every subscription is in its trial. */
async function startStripe(): Promise<Server> {
  const server = createServer((request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    const end = Math.floor(Date.now() / 1000) + 3 * DAY_SECONDS;
    const price = { id: 'price_1', object: 'price', lookup_key: 'pro' };
    const items = {
      object: 'list',
      data: [{ id: 'si_1', object: 'subscription_item', price, current_period_end: end }],
    };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(
      JSON.stringify({
        ...{ id, object: 'subscription', status: 'trialing', customer: `cus ${id}`, trial_end: end, items },
        ...{ cancel_at: null, cancel_at_period_end: false, metadata: { order: id.replace('sub_', 'order ') } },
      }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

function startWorker(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [path.resolve(import.meta.dirname, '../processes/billing-worker.ts')], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
