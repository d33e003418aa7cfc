/**
 * Sends the alerts in the outbox of DATABASE until none is due, in a process of its own that a test can kill; it judges
 * nothing.
 */
import { alertMessage } from '../../../src/api/rendering/alert-message.ts';
import { createPushSender } from '../../../src/clients/web-push.ts';
import { dueOrigins } from '../../../src/store/alerts/outbox.ts';
import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { deliverDue } from '../../../src/worker/alerts/deliver-alerts.ts';

const { DATABASE = '', ORIGIN = '', VAPID = '', LEASE_MS = '1000' } = process.env;
const log = { info: () => undefined, warn: () => undefined };
const database = await openDatabase<Schema>({ databaseUrl: DATABASE, dataDir: '', log });
const sender = createPushSender({ vapid: JSON.parse(VAPID), hosts: [ORIGIN], userAgent: 'Pompa bench' });
const work = {
  db: database.kysely,
  holder: String(process.pid),
  leaseMs: Number(LEASE_MS),
  clock: Date.now,
  renderMessage: alertMessage,
  send: sender.send,
  log,
};
// A lease that is lost on a slow machine ends a delivery before its time.
while ((await dueOrigins(work.db, Date.now(), 1)).length > 0) {
  await deliverDue(work, new AbortController().signal);
  await new Promise((resume) => setTimeout(resume, 50));
}
await sender.close();
await database.close();
