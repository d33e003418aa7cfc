/** Kills senders of alerts until the outbox is empty, and counts how often each subscriber got each message. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { makeVapidPair } from '../../../src/clients/web-push.ts';
import { startSimulatedPushService } from '../../../src/simulation/push-service.ts';
import type { Database } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { subscriberHash } from '../../support/database/named-hashes.ts';
import { AT_ANY_HOUR, alertAll, saveSubscription } from '../../support/database/stored-push.ts';

export type AlertReport = {
  readonly kills: number;
  readonly subscribers: number;
  readonly messages: number;
  /** Messages that arrived again: they were under way, or not recorded yet, when their sender was killed. */
  readonly duplicates: number;
  readonly violations: readonly string[];
};

/** The most messages under way when a sender is killed, and the most that wait to be recorded, in batches of eight. */
const MAX_UNDER_WAY = 8;
const MAX_UNRECORDED = 8 * 8;
/** Messages between two kills, on average: before some kills more are sent than may wait to be recorded. */
const MESSAGES_PER_KILL = 60;

/** Kills `kills` senders, one after another, and calls `onKill` for each. Two alerts go to every subscriber. */
export async function alertRounds(
  database: Database<Schema> & { readonly url: string },
  kills: number,
  onKill: (line: string) => void = () => undefined,
): Promise<AlertReport> {
  const subscribers = kills * MESSAGES_PER_KILL;
  const received = new Map<string, Map<string, number>>();
  let count = 0;
  const unrecorded: number[] = [];
  let onMessage: () => void = () => undefined;
  const service = await startSimulatedPushService(({ browser, text }) => {
    const own = received.get(browser) ?? new Map<string, number>();
    received.set(browser, own.set(text, (own.get(text) ?? 0) + 1));
    count += 1;
    onMessage();
  });
  try {
    for (let n = 0; n < subscribers; n += 1) {
      const { endpoint, p256dh, auth } = service.subscribe(String(n));
      const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
      const client = await subscriberHash(database, String(n));
      await saveSubscription(database, { endpoint, ...keys, city: null, fuel: null }, client);
    }
    await alertAll(database, Date.now(), { details: AT_ANY_HOUR });
    await alertAll(database, Date.now(), { version: 2, fuel: 'diesel', price: 7_300, details: AT_ANY_HOUR });
    const env = {
      DATABASE: database.url,
      ORIGIN: service.origin,
      VAPID: JSON.stringify({ ...makeVapidPair(), subject: 'mailto:a@b.ro' }),
    };
    for (let kill = 0; kill < kills; kill += 1) {
      const wanted = count + 1 + ((kill * 29) % (2 * MESSAGES_PER_KILL));
      const reached = Promise.withResolvers<void>();
      onMessage = () => {
        if (count >= wanted) reached.resolve();
      };
      const sender = startSender(env);
      const ended = once(sender, 'exit');
      await Promise.race([reached.promise, ended]);
      sender.kill('SIGKILL');
      await ended;
      unrecorded.push(sum([...received.values()].map(({ size }) => size)) - (await recordedIn(database)));
      onKill(`kill ${kill + 1}: ${count} messages so far`);
    }
    onMessage = () => undefined;
    const last = startSender(env);
    await once(last, 'exit');
    return evaluate(unrecorded, subscribers, received);
  } finally {
    await service.close();
  }
}

/** How many messages the database has as delivered. */
async function recordedIn({ kysely }: Database<Schema>): Promise<number> {
  const all = kysely.selectFrom('alert_deliveries').select((is) => is.fn.countAll<number>().as('count'));
  return Number((await all.where('outcome', '=', 'delivered').executeTakeFirstOrThrow()).count);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** @param unrecorded how many messages had arrived and were not recorded, after each kill. */
function evaluate(
  unrecorded: readonly number[],
  subscribers: number,
  received: ReadonlyMap<string, ReadonlyMap<string, number>>,
): AlertReport {
  const violations: string[] = [];
  let messages = 0;
  let duplicates = 0;
  for (let n = 0; n < subscribers; n += 1) {
    const own = received.get(String(n)) ?? new Map<string, number>();
    if (own.size !== 2) violations.push(`subscriber ${n} got ${own.size} of 2 alerts`);
    for (const times of own.values()) {
      messages += times;
      duplicates += times - 1;
    }
  }
  const kills = unrecorded.length;
  const most = sum(unrecorded) + kills * MAX_UNDER_WAY;
  if (duplicates > most) violations.push(`${duplicates} messages came twice, more than the ${most} not recorded`);
  for (const waiting of unrecorded)
    if (waiting > MAX_UNRECORDED + MAX_UNDER_WAY) violations.push(`${waiting} messages waited to be recorded`);
  return { kills, subscribers, messages, duplicates, violations };
}

function startSender(env: Record<string, string>): ChildProcess {
  const child = path.resolve(import.meta.dirname, '../processes/alert-sender.ts');
  return spawn(process.execPath, [child], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
