/**
 * A publication to 10,000 webhooks whose receivers answer at once, on loopback: until the last one is told, CPU per
 * delivery; then the same while 300 others hang, and while 100
 * look through 30 days of changes that they leave out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { webhookBody } from '../src/api/webhooks/webhook-bodies.ts';
import { createWebhookSender } from '../src/clients/webhook-sender.ts';
import { deliverToWebhooks } from '../src/worker/webhooks/deliver-webhooks.ts';
import { finishReport, heading, note, reportMetric, withTempFolder } from '../test/support/benchmark-report.ts';
import { type BenchDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { startChild } from '../test/support/processes/child-process.ts';
import { tell } from '../test/support/webhooks/stored-feed.ts';
import { storeWebhooks, tellMany } from '../test/support/webhooks/stored-webhooks.ts';
import type { ReceiversReady } from './processes/webhook-receivers.ts';

const WEBHOOKS = 10_000;
const HOSTS = 50;
const HANGING = 300;
const BEHIND = 100;
/** As many as a delivery has in full; and 30 days of 2,000 stations. */
const CHANGES = 40;
const MONTH = 96_000;
const POLL_MS = 100;

heading(`${WEBHOOKS} webhooks on ${HOSTS} hosts that answer at once`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const database = await create('webhooks');
    const receivers = startChild('bench/processes/webhook-receivers.ts', [String(HOSTS + HANGING)]);
    const stop = new AbortController();
    try {
      const { ports } = await receivers.next<ReceiversReady>();
      const origins = ports.map((port) => `http://127.0.0.1:${port}`);
      await tell(database, [], { epoch: 'epoch_01' });
      for (const origin of origins.slice(0, HOSTS))
        await storeWebhooks(database, WEBHOOKS / HOSTS, { url: `${origin}/{n}` });
      await database.pool.query('vacuum analyze');
      const running = deliverAlways(database, origins, stop.signal);
      const quiet = await publication(database);
      reportMetric('all are told within', quiet.seconds, 's', { most: 60 });
      reportMetric('CPU of a delivery in the program that sends', (1000 * quiet.cpuMs) / WEBHOOKS, 'µs');
      for (const origin of origins.slice(HOSTS)) await storeWebhooks(database, 1, { url: `${origin}/slow` });
      const beside = await publication(database);
      reportMetric(`the same while ${HANGING} others hang`, beside.seconds, 's', { most: 60 });
      await backlog(database, origins[0] as string);
      stop.abort();
      await running;
    } finally {
      stop.abort();
      await receivers.end();
    }
  }),
);
finishReport();

/** As the scheduled work does, but without its pauses. */
async function deliverAlways({ kysely: db }: BenchDatabase, allowedOrigins: string[], signal: AbortSignal) {
  const sender = createWebhookSender({ allowedOrigins, userAgent: 'Pompa bench', clock: Date.now });
  const log = { info: () => undefined, warn: console.error };
  const timing = { holder: 'bench', leaseMs: 15_000, clock: Date.now, random: Math.random };
  while (!signal.aborted) {
    await deliverToWebhooks({ db, ...timing, write: webhookBody, send: sender.send, log }, signal);
    await sleep(POLL_MS);
  }
  await sender.close();
}

async function publication(database: BenchDatabase): Promise<{ seconds: number; cpuMs: number }> {
  const cpu = process.cpuUsage();
  await tellMany(database, CHANGES);
  const seconds = await untilTold(database);
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, cpuMs: (user + system) / 1000 };
}

/** Webhooks that nothing passes are as far behind as may be, and a publication comes. */
async function backlog(database: BenchDatabase, origin: string): Promise<void> {
  await sql`delete from webhooks where id > ${WEBHOOKS} or id % 10 <> 0`.execute(database.kysely);
  await storeWebhooks(database, BEHIND, { url: `${origin}/`, city: 'nowhere' });
  await sql`update webhooks set paused_at = now() where city = 'nowhere'`.execute(database.kysely);
  await tellMany(database, MONTH);
  await untilTold(database);
  await sql`update webhooks set paused_at = null where city = 'nowhere'`.execute(database.kysely);
  await tellMany(database, CHANGES);
  const seconds = await untilTold(database);
  reportMetric(`${WEBHOOKS / 10} while ${BEHIND} look through ${MONTH} changes that they leave out`, seconds, 's', {
    most: 60,
  });
  const begun = performance.now();
  const behind = sql<{ count: number }>`
    select count(*)::int from webhooks, change_feed where position < seq`;
  while ((await behind.execute(database.kysely)).rows[0]?.count !== 0) await sleep(POLL_MS);
  note(`those ${BEHIND} are at the end after ${(seconds + (performance.now() - begun) / 1000).toFixed(1)} s`);
}

/** Seconds until all that answer and leave nothing out are at the end of the feed. */
async function untilTold({ kysely }: BenchDatabase): Promise<number> {
  const begun = performance.now();
  const behind = sql<{ count: number }>`
    select count(*)::int from webhooks, change_feed where position < seq and city is null and url not like '%/slow'
      and paused_at is null`;
  while ((await behind.execute(kysely)).rows[0]?.count !== 0) await sleep(POLL_MS);
  return (performance.now() - begun) / 1000;
}
