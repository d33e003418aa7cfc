/**
 * Many followers in one process, which receive publications and build no snapshots: of a server (`FOLLOW_URL`), else of
 * a database. It reports when all of them have a version, and the bytes that they have received.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createPublicationClient } from '../../src/clients/publication-client.ts';
import { bucharestDay, dayNumber } from '../../src/domain/days.ts';
import { NO_PUBLISHED_FACTS } from '../../src/domain/prices/facts.ts';
import { PriceHistory } from '../../src/snapshot/price-history.ts';
import { StatisticsHistory } from '../../src/snapshot/statistics-history.ts';
import { type Database, openDatabase } from '../../src/store/connection/database.ts';
import type { Schema } from '../../src/store/connection/schema.ts';
import { currentVersion, PUBLICATION_CHANNEL } from '../../src/store/prices/publication.ts';
import { FollowedServer, LONG_POLL_MS } from '../../src/worker/serving/followed-server.ts';
import { MAX_PART_BYTES } from '../../src/worker/serving/publication-parts.ts';
import { PublicationRelay } from '../../src/worker/serving/publication-relay.ts';
import { type LoadedState, readChanges } from '../../src/worker/serving/read-changes.ts';

export type GroupOrder = { readonly await: number } | { readonly bytes: true };
/** Epoch ms with fractions. */
export type GroupReceived = { readonly receivedAt: readonly number[] };
export type GroupBytes = { readonly bytes: number };

const POLL_MS = 1_000;
const { COUNT, FOLLOW_URL, FOLLOW_TOKEN = '', DATABASE_URL } = process.env;
/** The first publication, which one follower of the database reads whole: the others begin with it. */
let shared: LoadedState | null = null;
const log = { info: () => undefined, warn: console.error };
const sockets = new Set<Socket>();
let bytesOfClosed = 0;
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  sockets.add(socket);
  socket.once('close', () => {
    sockets.delete(socket);
    bytesOfClosed += socket.bytesRead;
  });
});

type Follower = { readonly version: () => number; onNew: () => void };
const followers: Follower[] = [];
// One after another: their start is not what is measured.
for (let started = 0; started < Number(COUNT); started += 1)
  followers.push(await (FOLLOW_URL === undefined ? ofDatabase() : ofServer(FOLLOW_URL)));
process.on('message', (order: GroupOrder) => {
  if ('bytes' in order) {
    const bytes = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, bytesOfClosed);
    process.send?.({ bytes } satisfies GroupBytes);
    return;
  }
  const receipts = followers.map(
    (follower) =>
      new Promise<number>((resolve) => {
        follower.onNew = () => {
          if (follower.version() >= order.await) resolve(performance.timeOrigin + performance.now());
        };
        follower.onNew();
      }),
  );
  void Promise.all(receipts).then((receivedAt) => process.send?.({ receivedAt } satisfies GroupReceived));
});
process.once('SIGTERM', () => process.exit());
process.send?.({ ready: true });

async function ofServer(url: string): Promise<Follower> {
  let held: LoadedState = {
    ...{ facts: NO_PUBLISHED_FACTS, history: new PriceHistory() },
    ...{ statistics: new StatisticsHistory(), hasAllStatistics: false },
  };
  const follower: Follower = { version: () => held.facts.version, onNew: () => undefined };
  new FollowedServer({
    client: createPublicationClient(
      { url, token: FOLLOW_TOKEN, userAgent: 'bench', maxPartBytes: MAX_PART_BYTES },
      LONG_POLL_MS,
    ),
    held: () => held,
    take: async (state) => {
      held = state;
      follower.onNew();
    },
    relay: new PublicationRelay(''),
    settings: '',
    clock: Date.now,
    log: { info: () => undefined, warn: () => undefined },
  });
  return follower;
}

async function ofDatabase(): Promise<Follower> {
  const database = await openPatiently();
  let held: LoadedState | null = shared;
  let checking = false;
  const follower: Follower = { version: () => held?.facts.version ?? 0, onNew: () => undefined };
  const check = async () => {
    if (checking) return;
    checking = true;
    try {
      if ((await currentVersion(database)) === held?.facts.version) return;
      held = await readChanges(database, held, dayNumber(bucharestDay(Date.now())));
      shared ??= held;
      follower.onNew();
    } finally {
      checking = false;
    }
  };
  await check();
  database.listen(PUBLICATION_CHANNEL, { onNotify: () => void check(), onListening: () => void check() });
  setInterval(() => void check(), POLL_MS);
  return follower;
}

/** On a busy machine a connection may take longer than a service would wait. */
async function openPatiently(): Promise<Database<Schema>> {
  for (;;) {
    const opened = await openDatabase<Schema>({ databaseUrl: DATABASE_URL, dataDir: '', log }).catch(() => null);
    if (opened !== null) return opened;
  }
}
