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

/**
 * The most messages that wait to be recorded, eight batches where the database is slow, and that are under way: at most
 * this many may arrive twice per kill.
 */
const MAX_UNRECORDED = 8 * 8 + 8;
/** Messages between two kills, on average: many have been recorded by then. */
const MESSAGES_PER_KILL = 30;

/** Kills `kills` senders, one after another, and calls `onKill` for each. Two alerts go to every subscriber. */
export async function alertRounds(
  database: Database<Schema> & { readonly url: string },
  kills: number,
  onKill: (line: string) => void = () => undefined,
): Promise<AlertReport> {
  const subscribers = kills * MESSAGES_PER_KILL * 2;
  const received = new Map<string, Map<string, number>>();
  let count = 0;
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
      const wanted = count + 1 + ((kill * 13) % (2 * MESSAGES_PER_KILL));
      const reached = Promise.withResolvers<void>();
      onMessage = () => {
        if (count >= wanted) reached.resolve();
      };
      const sender = startSender(env);
      const ended = once(sender, 'exit');
      await Promise.race([reached.promise, ended]);
      sender.kill('SIGKILL');
      await ended;
      onKill(`kill ${kill + 1}: ${count} messages so far`);
    }
    onMessage = () => undefined;
    const last = startSender(env);
    await once(last, 'exit');
    return evaluate(kills, subscribers, received);
  } finally {
    await service.close();
  }
}

function evaluate(
  kills: number,
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
  if (duplicates > kills * MAX_UNRECORDED)
    violations.push(`${duplicates} messages came twice, more than were not recorded`);
  return { kills, subscribers, messages, duplicates, violations };
}

function startSender(env: Record<string, string>): ChildProcess {
  const child = path.resolve(import.meta.dirname, '../processes/alert-sender.ts');
  return spawn(process.execPath, [child], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
