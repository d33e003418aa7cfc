/** One alert to many subscriptions at one push service that answers at once. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Kysely } from 'kysely';
import { alertMessage } from '../../../src/api/rendering/alert-message.ts';
import { createPushSender, makeVapidPair } from '../../../src/clients/web-push.ts';
import { SimulatedBrowser } from '../../../src/simulation/browser.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { deliverDue } from '../../../src/worker/alerts/deliver-alerts.ts';
import type { BenchDatabase } from './bench-database.ts';
import { subscriberHash } from './named-hashes.ts';
import { AT_ANY_HOUR, alertAll, saveSubscription } from './stored-push.ts';

export type AlertCost = {
  readonly delivered: number;
  readonly seconds: number;
  /** The push service, which is in this process, included. */
  readonly cpuMs: number;
  /** How far resident memory grew at its peak. */
  readonly growthMb: number;
};

/** Stores the subscriptions, and sends all of them one alert. */
export async function sendAlert(database: BenchDatabase, subscriptions: number): Promise<AlertCost> {
  const service = await startPushService();
  await storeAlert(database, service.origin, subscriptions);
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  const begun = performance.now();
  const cpu = process.cpuUsage();
  try {
    const delivered = await deliverAlert(database.kysely, service.origin);
    const { user, system } = process.cpuUsage(cpu);
    return {
      delivered,
      seconds: (performance.now() - begun) / 1000,
      cpuMs: (user + system) / 1000,
      growthMb: (most - before) / 1e6,
    };
  } finally {
    clearInterval(watch);
    service.close();
  }
}

/** A push service that accepts each message at once. */
export async function startPushService(): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(201).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Sends what is due to the push service; returns the number of messages. */
export async function deliverAlert(db: Kysely<Schema>, origin: string): Promise<number> {
  const vapid = { ...makeVapidPair(), subject: 'mailto:ops@example.org' };
  const sender = createPushSender({ vapid, hosts: [origin], userAgent: 'Pompa bench' });
  const log = { info: () => undefined, warn: console.error };
  const timing = { holder: 'bench', leaseMs: 15_000, clock: Date.now };
  const options = { db, log, ...timing, renderMessage: alertMessage, send: sender.send };
  try {
    return (await deliverDue(options, new AbortController().signal)) ?? 0;
  } finally {
    await sender.close();
  }
}

/** Stores an alert to that many subscriptions at one push service. */
export async function storeAlert(database: BenchDatabase, origin: string, subscriptions: number): Promise<void> {
  await fillSubscriptions(database, origin, subscriptions);
  await alertAll(database, Date.now(), { details: AT_ANY_HOUR });
}

async function fillSubscriptions(database: BenchDatabase, origin: string, count: number): Promise<void> {
  const { p256dh, auth } = new SimulatedBrowser();
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
  await saveSubscription(
    database,
    { endpoint: `${origin}/push/`, ...keys, city: null, fuel: null },
    await subscriberHash(database, '192.0.2.1'),
  );
  await database.pool.query(
    `insert into push_subscriptions (endpoint, endpoint_sha256, origin, p256dh, auth, client, created_at)
     select endpoint || n, sha256(n::text::bytea), origin, p256dh, auth, client, created_at
     from push_subscriptions, generate_series(1, $1::int - 1) n`,
    [count],
  );
}
