/** Faults of the database, or of the link to it. */
import { randomInteger, shuffled } from '../../../src/simulation/country/seeded-random.ts';
import type { RemoteDatabase } from './remote-database.ts';

export type DatabaseFault = {
  /** The shortest and longest duration, ms; a server that died restarts by itself. */
  readonly lasts: readonly [number, number];
  readonly begin: (remote: RemoteDatabase, seed: number) => Promise<void>;
  readonly end: (remote: RemoteDatabase) => Promise<void>;
};

const nothing = async () => undefined;
const signalPostmaster = (signal: NodeJS.Signals): DatabaseFault => ({
  lasts: [0, 0],
  begin: async (remote) => remote.signalPostmaster(signal),
  end: nothing,
});
const diskFull = (which: 'database' | 'data'): DatabaseFault => ({
  lasts: [1_500, 4_000],
  begin: async (remote) => remote.fillDisk(which, true),
  end: async (remote) => remote.fillDisk(which, false),
});
const restoreLink = (remote: RemoteDatabase) => remote.sendCommand({ kind: 'pass' });
const SLOWEST_MS = 3_000;

const FAULTS = {
  killed: signalPostmaster('SIGKILL'),
  'restarted fast': signalPostmaster('SIGINT'),
  'restarted at once': signalPostmaster('SIGQUIT'),
  'connections reset': { lasts: [0, 0], begin: (remote) => remote.sendCommand({ kind: 'reset' }), end: nothing },
  /** Everything sent meanwhile is lost, and its connections stay dead for ever. */
  'black hole': { lasts: [500, 6_000], begin: (remote) => remote.sendCommand({ kind: 'drop' }), end: restoreLink },
  /** Everything sent meanwhile arrives afterwards; no new connection is accepted. */
  'black hole, all comes late': {
    lasts: [500, 6_000],
    begin: async (remote) => remote.signalLink('SIGSTOP'),
    end: async (remote) => remote.signalLink('SIGCONT'),
  },
  slow: {
    lasts: [3_000, 8_000],
    begin: (remote, seed) => remote.sendCommand({ kind: 'delay', mostMs: SLOWEST_MS, seed }),
    end: restoreLink,
  },
  'disk of the database full': diskFull('database'),
  'disk of DATA_DIR full': diskFull('data'),
} satisfies Readonly<Record<string, DatabaseFault>>;

export type FaultName = keyof typeof FAULTS;

export const NEED_SMALL_DISKS: readonly FaultName[] = ['disk of the database full', 'disk of DATA_DIR full'];
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** What a collection is doing when the fault begins; `none` = no collection is under way. */
const COLLECTION_PHASES = ['none', 'asking', 'publishing'] as const;
export type CollectionPhase = (typeof COLLECTION_PHASES)[number];

export type PlannedFault = {
  readonly name: FaultName;
  readonly fault: DatabaseFault;
  readonly phase: CollectionPhase;
  lastsMs: number;
};

/**
 * The fault of a round. In as many rounds as there are `names` each name occurs once, in three rounds each phase; the
 * seed decides the order.
 */
export function planFault(names: readonly FaultName[], seed: number, round: number): PlannedFault {
  const pick = <T extends string>(all: readonly T[], number: number) =>
    shuffled(all, (each) => each, seed, `order ${Math.floor(number / all.length)}`)[number % all.length] as T;
  const name = pick(names, round);
  // Only a process that writes notices a full disk.
  const phase = NEED_SMALL_DISKS.includes(name)
    ? 'asking'
    : pick(COLLECTION_PHASES, round + Math.floor(round / names.length));
  const fault: DatabaseFault = FAULTS[name];
  return { name, fault, phase, lastsMs: randomInteger(...fault.lasts, seed, 'lasts', round) };
}

export type DatabaseReport = {
  /** Fault and phase → how often. */
  readonly faults: ReadonlyMap<string, number>;
  /** Fault → the longest time from its end until every answer was from a collection begun then, ms. */
  readonly recoveryMs: ReadonlyMap<string, number>;
  /** Fault → the longest time from its end until every request that needs the database was answered as usual, ms. */
  readonly answeredAgainMs: ReadonlyMap<string, number>;
  /** The longest time from the end of such a collection until every answer was from it, ms. */
  readonly slowestServedMs: number;
  /** Recoveries that took longer than promised, which a busy machine can cause. */
  readonly late: readonly string[];
  /** Collections that were under way when a fault began. */
  readonly collections: { done: number; cutOffButStored: number; storedNothing: number };
  /** The longest time from the end of a fault until such a collection ended, ms. */
  readonly slowestEndMs: number;
  readonly reads: number;
  readonly slowestAnswerMs: number;
  readonly violations: readonly string[];
};
