/** Which process is killed, and when. */
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
import type { RegisterRequests } from './register-requests.ts';
import type { ServiceProcesses } from './service-processes.ts';

const KILL_TARGETS = ['collector', 'supervisor', 'postmaster', 'backend', 'server'] as const;
type KillTarget = (typeof KILL_TARGETS)[number];

/**
 * The phases of a collection: its start, between two requests, from its last answer to the commit, right after the
 * commit, while it renames its archive file, while servers load the publication, while they write the last good state.
 */
const PHASES = ['start', 'fetch', 'transaction', 'commit', 'archive', 'follow', 'last good'] as const;
type Phase = (typeof PHASES)[number];

export type Kill = { readonly target: KillTarget; readonly phase: Phase; readonly random: (name: string) => number };

/** The kill of a round: each target occurs once in five rounds, each phase once in seven, in an order by the seed. */
export function killOf(seed: number, round: number): Kill {
  const pick = <T extends string>(all: readonly T[]) =>
    shuffled(all, (each) => each, seed, `order ${Math.floor(round / all.length)}`)[round % all.length] as T;
  return {
    target: pick(KILL_TARGETS),
    phase: pick(PHASES),
    random: (name) => randomFraction(seed, round, name),
  };
}

/** About how long those phases last whose end cannot be observed from outside, ms. */
const START_MS = 700;
const TRANSACTION_MS = 250;
const ARCHIVE_MS = 60;
const FOLLOW_MS = 250;
const LAST_GOOD_MS = 8;

/** Observes the progress of a collection from outside. */
export class CollectionWatcher {
  readonly #listener: Listener;
  readonly #folder: FSWatcher;
  #committed = Promise.withResolvers<void>();
  #writing = Promise.withResolvers<void>();

  static async start(processes: ServiceProcesses): Promise<CollectionWatcher> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watcher = new CollectionWatcher(processes.dataDir, await processes.connection(), resolve);
    await promise;
    return watcher;
  }

  private constructor(dataDir: string, connection: Connection, onListening: () => void) {
    const onNotify = () => this.#committed.resolve();
    this.#listener = listenTo({ config: { ...connection } }, PUBLICATION_CHANNEL, { onNotify, onListening });
    this.#folder = watch(dataDir, (_, name) => {
      if (name?.endsWith('.part')) this.#writing.resolve();
    });
  }

  /** Resolves at a random moment of the phase. */
  async untilPhase({ phase, random }: Kill, requests: RegisterRequests): Promise<void> {
    if (phase === 'start') return sleep(START_MS * random('start'));
    if (phase === 'fetch') return requests.whenReached(1 + Math.floor((requests.last - 1) * random('request')));
    await requests.whenReached(requests.last);
    // From now on a publication is this collection's, unless an import comes first.
    this.#committed = Promise.withResolvers();
    this.#writing = Promise.withResolvers();
    if (phase === 'transaction') return sleep(TRANSACTION_MS * random('transaction'));
    if (phase === 'last good') {
      await this.#writing.promise;
      return sleep(LAST_GOOD_MS * random('last good'));
    }
    await this.#committed.promise;
    if (phase === 'archive') return sleep(ARCHIVE_MS * random('archive'));
    if (phase === 'follow') return sleep(FOLLOW_MS * random('follow'));
  }

  async close(): Promise<void> {
    this.#folder.close();
    await this.#listener.close();
  }
}

/** The current process id of the supervisor, the postmaster or a random backend. */
export async function pidOf(target: 'supervisor' | 'postmaster' | 'backend', processes: ServiceProcesses, kill: Kill) {
  const home = await homeOf(processes.dataDir);
  if (target === 'supervisor') return supervisorPid(home);
  const postmaster = runningPostmaster(path.join(home, 'data'))?.pid;
  if (target === 'postmaster' || postmaster === undefined) return postmaster;
  const backends = childrenOf(postmaster);
  return backends.length === 0 ? undefined : randomItem(backends, Math.floor(1e6 * kill.random('backend')), 'backend');
}
