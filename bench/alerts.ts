/** An alert to 10,000 subscriptions: time, CPU per message, memory. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { alertMessage } from '../src/api/rendering/alert-message.ts';
import { createPushSender, makeVapidPair } from '../src/clients/web-push.ts';
import { SimulatedBrowser } from '../src/simulation/browser.ts';
import { deliverDue } from '../src/worker/alerts/deliver-alerts.ts';
import { finishReport, heading, reportMetric, withTempFolder } from '../test/support/benchmark-report.ts';
import { withDatabaseServer } from '../test/support/database/bench-database.ts';
import { subscriberHash } from '../test/support/database/named-hashes.ts';
import { AT_ANY_HOUR, alertAll, saveSubscription } from '../test/support/database/stored-push.ts';

const SUBSCRIPTIONS = 10_000;

heading(`An alert to ${SUBSCRIPTIONS} subscriptions at one push service that answers at once`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const database = await create('alerts');
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(201).end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
      [SUBSCRIPTIONS],
    );
    await alertAll(database, Date.now(), { details: AT_ANY_HOUR });
    const vapid = { ...makeVapidPair(), subject: 'mailto:ops@example.org' };
    const sender = createPushSender({ vapid, hosts: [origin], userAgent: 'Pompa bench' });
    const log = { info: () => undefined, warn: console.error };
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 50);
    const begun = performance.now();
    const cpu = process.cpuUsage();
    const delivered = await deliverDue(
      {
        ...{ db: database.kysely, holder: 'bench', leaseMs: 15_000, clock: Date.now, log },
        ...{ renderMessage: alertMessage, send: sender.send },
      },
      new AbortController().signal,
    );
    const { user, system } = process.cpuUsage(cpu);
    clearInterval(watch);
    reportMetric('messages delivered', delivered ?? 0, '', { least: SUBSCRIPTIONS });
    reportMetric('time', (performance.now() - begun) / 1000, 's', { most: 6 });
    reportMetric('CPU per message, push service included', (user + system) / 1000 / SUBSCRIPTIONS, 'ms');
    reportMetric('peak growth of memory', (most - before) / 1e6, 'MB', { most: 200 });
    await sender.close();
    server.closeAllConnections();
    server.close();
  }),
);
finishReport();
