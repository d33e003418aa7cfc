/** Who is killed, and when. */
import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFraction, randomItem, shuffled } from '../../../src/simulation/country/seeded-random.ts';
import { type Listener, listenTo } from '../../../src/store/connection/listen.ts';
import type { Connection } from '../../../src/store/embedded/client-sockets.ts';
import { runningPostmaster } from '../../../src/store/embedded/postmaster.ts';
import { PUBLICATION_CHANNEL } from '../../../src/store/prices/publication.ts';
import { homeOf, supervisorPid } from '../../support/database/embedded-database.ts';
import { childrenOf } from '../../support/processes/child-process.ts';
import type { Cluster } from './cluster.ts';
import type { RegisterRequests } from './register-requests.ts';

const KILL_TARGETS = ['collector', 'keeper', 'postmaster', 'backend', 'server'] as const;
type KillTarget = (typeof KILL_TARGETS)[number];

/**
 * The phases of a collection: as it starts, between two questions, from its last answer to the commit, right at the
 * commit, while the archive gets its name, while the publication is followed, while the last good state is written.
 */
const PHASES = ['start', 'fetch', 'transaction', 'commit', 'archive', 'follow', 'last good'] as const;
type Phase = (typeof PHASES)[number];

export type Kill = { readonly target: KillTarget; readonly phase: Phase; readonly chance: (about: string) => number };

/** The kill of a round: every victim once in five rounds, every phase once in seven, in an order of the seed's. */
export function killOf(seed: number, round: number): Kill {
  const pick = <T extends string>(all: readonly T[]) =>
    shuffled(all, (each) => each, seed, `deal ${Math.floor(round / all.length)}`)[round % all.length] as T;
  return {
    target: pick(KILL_TARGETS),
    phase: pick(PHASES),
    chance: (about) => randomFraction(seed, round, about),
  };
}

/** How long the phases last that cannot be seen from outside, ms. */
const START_MS = 700;
const TRANSACTION_MS = 250;
const ARCHIVE_MS = 60;
const FOLLOW_MS = 250;
const LAST_GOOD_MS = 8;

/** Sees from outside how far a collection is. */
export class CollectionWatcher {
  readonly #listener: Listener;
  readonly #folder: FSWatcher;
  #committed = Promise.withResolvers<void>();
  #writing = Promise.withResolvers<void>();

  static async start(cluster: Cluster): Promise<CollectionWatcher> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watcher = new CollectionWatcher(cluster.dataDir, await cluster.connection(), resolve);
    await promise;
    return watcher;
  }

  private constructor(dataDir: string, connection: Connection, onListening: () => void) {
    const onNotify = () => this.#committed.resolve();
    this.#listener = listenTo({ ...connection }, PUBLICATION_CHANNEL, { onNotify, onListening });
    this.#folder = watch(dataDir, (_, name) => {
      if (name?.endsWith('.part')) this.#writing.resolve();
    });
  }

  /** Resolves at the moment of a kill. */
  async untilPhase({ phase, chance }: Kill, requests: RegisterRequests): Promise<void> {
    if (phase === 'start') return sleep(START_MS * chance('start'));
    if (phase === 'fetch') return requests.whenReached(1 + Math.floor((requests.last - 1) * chance('question')));
    await requests.whenReached(requests.last);
    // From here on a publication is this collection's, unless an import comes in between.
    this.#committed = Promise.withResolvers();
    this.#writing = Promise.withResolvers();
    if (phase === 'transaction') return sleep(TRANSACTION_MS * chance('transaction'));
    if (phase === 'last good') {
      await this.#writing.promise;
      return sleep(LAST_GOOD_MS * chance('last good'));
    }
    await this.#committed.promise;
    if (phase === 'archive') return sleep(ARCHIVE_MS * chance('archive'));
    if (phase === 'follow') return sleep(FOLLOW_MS * chance('follow'));
  }

  async close(): Promise<void> {
    this.#folder.close();
    await this.#listener.close();
  }
}

/** The process of a keeper, postmaster or backend at this moment. */
export async function pidOf(target: 'keeper' | 'postmaster' | 'backend', cluster: Cluster, kill: Kill) {
  const home = await homeOf(cluster.dataDir);
  if (target === 'keeper') return supervisorPid(home);
  const postmaster = runningPostmaster(path.join(home, 'data'))?.pid;
  if (target === 'postmaster' || postmaster === undefined) return postmaster;
  const backends = childrenOf(postmaster);
  return backends.length === 0 ? undefined : randomItem(backends, Math.floor(1e6 * kill.chance('backend')), 'backend');
}
