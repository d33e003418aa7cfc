/** Who is killed, and when. */
import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chance, oneOf, shuffled } from '../../../src/simulation/country/seeded-random.ts';
import { type Listener, listenTo } from '../../../src/store/connection/listen.ts';
import type { Connection } from '../../../src/store/embedded/client-sockets.ts';
import { runningPostmaster } from '../../../src/store/embedded/postmaster.ts';
import { PUBLICATION_CHANNEL } from '../../../src/store/prices/publication.ts';
import { childrenOf } from '../../support/child-process.ts';
import { homeOf, keeperOf } from '../../support/embedded-database.ts';
import type { Stage } from './cluster.ts';
import type { Questions } from './register-requests.ts';

const VICTIMS = ['collector', 'keeper', 'postmaster', 'backend', 'server'] as const;
type Victim = (typeof VICTIMS)[number];

/**
 * The phases of a collection: as it starts, between two questions, from its last answer to the commit, right at the
 * commit, while the archive gets its name, while the publication is followed, while the last good state is written.
 */
const PHASES = ['start', 'fetch', 'transaction', 'commit', 'archive', 'follow', 'last good'] as const;
type Phase = (typeof PHASES)[number];

export type Kill = { readonly victim: Victim; readonly phase: Phase; readonly chance: (about: string) => number };

/** The kill of a round: every victim once in five rounds, every phase once in seven, in an order of the seed's. */
export function killOf(seed: number, round: number): Kill {
  const dealt = <T extends string>(all: readonly T[]) =>
    shuffled(all, (each) => each, seed, `deal ${Math.floor(round / all.length)}`)[round % all.length] as T;
  return {
    victim: dealt(VICTIMS),
    phase: dealt(PHASES),
    chance: (about) => chance(seed, round, about),
  };
}

/** How long the phases last that cannot be seen from outside, ms. */
const START_MS = 700;
const TRANSACTION_MS = 250;
const ARCHIVE_MS = 60;
const FOLLOW_MS = 250;
const LAST_GOOD_MS = 8;

/** Sees from outside how far a collection is. */
export class Watch {
  readonly #listener: Listener;
  readonly #folder: FSWatcher;
  #committed = Promise.withResolvers<void>();
  #writing = Promise.withResolvers<void>();

  static async on(stage: Stage): Promise<Watch> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watching = new Watch(stage.dataDir, await stage.connection(), resolve);
    await promise;
    return watching;
  }

  private constructor(dataDir: string, connection: Connection, onUp: () => void) {
    const onNotify = () => this.#committed.resolve();
    this.#listener = listenTo({ ...connection }, PUBLICATION_CHANNEL, { onNotify, onUp });
    this.#folder = watch(dataDir, (_, name) => {
      if (name?.endsWith('.part')) this.#writing.resolve();
    });
  }

  /** Resolves at the moment of a kill. */
  async moment({ phase, chance }: Kill, questions: Questions): Promise<void> {
    if (phase === 'start') return sleep(START_MS * chance('start'));
    if (phase === 'fetch') return questions.reached(1 + Math.floor((questions.last - 1) * chance('question')));
    await questions.reached(questions.last);
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
export async function pidOf(victim: 'keeper' | 'postmaster' | 'backend', stage: Stage, kill: Kill) {
  const home = await homeOf(stage.dataDir);
  if (victim === 'keeper') return keeperOf(home);
  const postmaster = runningPostmaster(path.join(home, 'data'))?.pid;
  if (victim === 'postmaster' || postmaster === undefined) return postmaster;
  const backends = childrenOf(postmaster);
  return backends.length === 0 ? undefined : oneOf(backends, Math.floor(1e6 * kill.chance('backend')), 'backend');
}
