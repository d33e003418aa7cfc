/** Kills processes that post to webhooks at any moment, and holds what arrived against what was told. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWebhookService } from '../../../src/app/webhooks/stored-webhooks.ts';
import { createWebhookSender } from '../../../src/clients/webhook-sender.ts';
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';
import { createKey } from '../../../src/store/keys/keys.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { tell } from '../../support/webhooks/stored-feed.ts';
import type { WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';

export type WebhookReport = {
  readonly kills: number;
  readonly messages: number;
  /** Messages that came again, under the same id. */
  readonly repeated: number;
  readonly violations: readonly string[];
};

type Plan = { readonly kills: number; readonly seed: number; readonly onKill: (line: string) => void };

const BEGUN = String(Date.now());
const WEBHOOKS = 10;
const POSTERS = 2;
const CHANGES = 3;
/** Sending a publication to all webhooks takes about as long. */
const KILLED_WITHIN_MS = 60;
const POSTED_WITHIN_MS = 60_000;
/** Of the answers that are errors, so that tries are repeated, too. */
const ERRORS = 0.05;

/** Kills one of two posters in each round, `kills` in all, soon after a publication. */
export async function webhookRounds(
  database: TestDatabase,
  receiver: WebhookReceiver,
  { kills, seed, onKill }: Plan,
): Promise<WebhookReport> {
  await tell(database, [], { epoch: 'epoch_01' });
  const webhooks = await makeWebhooks(database, receiver);
  receiver.answer = ({ id }) => (randomFraction(seed, id, receiver.received.length) < ERRORS ? 500 : 204);
  const posters = await Promise.all(Array.from({ length: POSTERS }, () => startPoster(database.url, receiver.origin)));
  try {
    for (let round = 0; round < kills; round += 1) {
      await tell(
        database,
        Array.from({ length: CHANGES }, () => ({})),
      );
      await sleep(KILLED_WITHIN_MS * randomFraction(seed, 'kill', round));
      const turn = round % POSTERS;
      const killed = posters[turn] as ChildProcess;
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      posters[turn] = await startPoster(database.url, receiver.origin);
      onKill(`kill ${round + 1}: ${receiver.received.length} messages`);
    }
    await waitFor('all is posted', POSTED_WITHIN_MS, async () => {
      const { rows } = await database.pool.query(
        'select count(*)::int as behind from webhooks, change_feed where position < seq',
      );
      return rows[0].behind === 0;
    });
  } finally {
    for (const poster of posters) poster.kill('SIGKILL');
  }
  const told = kills * CHANGES;
  const checked = webhooks.map((webhook) => check(webhook, receiver, told));
  return {
    ...{ kills, messages: receiver.received.length },
    repeated: checked.reduce((sum, { repeated }) => sum + repeated, 0),
    violations: checked.flatMap(({ violations }) => violations),
  };
}

async function makeWebhooks(database: TestDatabase, receiver: WebhookReceiver): Promise<string[]> {
  const sender = createWebhookSender({ allowedOrigins: [receiver.origin], userAgent: 'test', clock: Date.now });
  const service = createWebhookService(database, sender, Date.now);
  const filter = { fuel: null, county: null, city: null, network: null, stations: null };
  const ids: string[] = [];
  while (ids.length < WEBHOOKS) {
    const { id: key } = await createKey(database, { plan: 'pro', quota: null, email: null, subscription: null });
    const made = await service.create(key, { url: `${receiver.origin}/`, filter, kinds: ['price'] });
    if (made === 'too many') throw new Error(made);
    await service.ping(key, made.webhook.id);
    ids.push(made.webhook.id);
  }
  await sender.close();
  receiver.received.length = 0;
  return ids;
}

/** Each message once under each id, in order, and together every change. */
function check(webhook: string, { received }: WebhookReceiver, told: number) {
  const own = received.filter(({ payload }) => payload.data.webhook_id === webhook);
  const byId = new Map<string, string>();
  const violations: string[] = [];
  let repeated = 0;
  let end = 'epoch_01.0';
  let changes = 0;
  for (const { id, payload } of own) {
    const text = JSON.stringify(payload);
    const known = byId.get(id);
    if (known !== undefined) {
      repeated += 1;
      if (known !== text) violations.push(`${id} came again with another content`);
      continue;
    }
    byId.set(id, text);
    if (payload.data.dupa !== end) violations.push(`${id} begins at ${payload.data.dupa}, not at ${end}`);
    end = payload.data.pana_la;
    changes += payload.data.total;
  }
  if (changes !== told) violations.push(`webhook ${webhook} got ${changes} of ${told} changes`);
  return { repeated, violations };
}

async function startPoster(url: string, origin: string): Promise<ChildProcess> {
  const program = path.resolve(import.meta.dirname, '../processes/webhook-poster.ts');
  const poster = fork(program, { env: { PATH: process.env.PATH, DATABASE: url, ORIGIN: origin, BEGUN } });
  await once(poster, 'message');
  return poster;
}
