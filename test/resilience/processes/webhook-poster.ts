/** Posts the changes of DATABASE to webhooks at ORIGIN until it is killed. Its clock runs fast from BEGUN on. */
import { webhookBody } from '../../../src/api/webhooks/webhook-bodies.ts';
import { createWebhookSender } from '../../../src/clients/webhook-sender.ts';
import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { deliverToWebhooks } from '../../../src/worker/webhooks/deliver-webhooks.ts';

/** Short, so that the other process soon goes on for one that was killed. */
const LEASE_MS = 300;
/** So that the pauses between tries, of minutes, take a part of a second. */
const SPEED = 3_000;
const begun = Number(process.env.BEGUN);
const clock = () => begun + (Date.now() - begun) * SPEED;
const log = { info: () => undefined, warn: () => undefined };
const database = await openDatabase<Schema>({ databaseUrl: process.env.DATABASE ?? '', dataDir: '', log });
const sender = createWebhookSender({
  ...{ allowedOrigins: [process.env.ORIGIN ?? ''], userAgent: 'test', clock: Date.now },
});
const job = {
  ...{ db: database.kysely, holder: String(process.pid), leaseMs: LEASE_MS, clock, random: Math.random },
  ...{ write: webhookBody, send: sender.send, log },
};
process.once('disconnect', () => process.exit());
process.send?.('posting');
for (;;) {
  await deliverToWebhooks(job, new AbortController().signal);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
