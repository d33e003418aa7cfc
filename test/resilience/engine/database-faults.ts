/** What becomes of the database, or of the way to it. */
import { randomInteger, shuffled } from '../../../src/simulation/country/seeded-random.ts';
import type { RemoteDatabase } from './remote-database.ts';

export type DatabaseFault = {
  /** How long it lasts, from and to, ms; a server that died comes back by itself. */
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
const restoreLink = (remote: RemoteDatabase) => remote.sendCommand({ order: 'pass' });
const SLOWEST_MS = 3_000;

const FAULTS = {
  killed: signalPostmaster('SIGKILL'),
  'restarted fast': signalPostmaster('SIGINT'),
  'restarted at once': signalPostmaster('SIGQUIT'),
  'connections reset': { lasts: [0, 0], begin: (remote) => remote.sendCommand({ order: 'reset' }), end: nothing },
  /** Everything in between is lost, and its connections stay dead for ever. */
  'black hole': { lasts: [500, 6_000], begin: (remote) => remote.sendCommand({ order: 'drop' }), end: restoreLink },
  /** Everything in between comes in the end; meanwhile new connections do not come about. */
  'black hole, all comes late': {
    lasts: [500, 6_000],
    begin: async (remote) => remote.signalLink('SIGSTOP'),
    end: async (remote) => remote.signalLink('SIGCONT'),
  },
  slow: {
    lasts: [3_000, 8_000],
    begin: (remote, seed) => remote.sendCommand({ order: 'delay', mostMs: SLOWEST_MS, seed }),
    end: restoreLink,
  },
  'disk of the database full': diskFull('database'),
  'disk of DATA_DIR full': diskFull('data'),
} satisfies Readonly<Record<string, DatabaseFault>>;

export type FaultName = keyof typeof FAULTS;

export const NEED_SMALL_DISKS: readonly FaultName[] = ['disk of the database full', 'disk of DATA_DIR full'];
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** When a collection is under way: as it asks, when it publishes, or none is. */
const COLLECTION_PHASES = ['none', 'asking', 'publishing'] as const;
export type CollectionPhase = (typeof COLLECTION_PHASES)[number];

export type PlannedFault = {
  readonly name: FaultName;
  readonly fault: DatabaseFault;
  readonly phase: CollectionPhase;
  lastsMs: number;
};

/** The fault of a round: each of `names` once in as many rounds, each moment once in three, as the seed deals. */
export function planFault(names: readonly FaultName[], seed: number, round: number): PlannedFault {
  const pick = <T extends string>(all: readonly T[], turn: number) =>
    shuffled(all, (each) => each, seed, `deal ${Math.floor(turn / all.length)}`)[turn % all.length] as T;
  const name = pick(names, round);
  // Only who writes notices a full disk.
  const phase = NEED_SMALL_DISKS.includes(name)
    ? 'asking'
    : pick(COLLECTION_PHASES, round + Math.floor(round / names.length));
  const fault: DatabaseFault = FAULTS[name];
  return { name, fault, phase, lastsMs: randomInteger(...fault.lasts, seed, 'lasts', round) };
}

export type DatabaseReport = {
  /** Fault and moment → how often. */
  readonly faults: ReadonlyMap<string, number>;
  /** Fault → the longest time from its end until a collection begun then was in every answer, ms. */
  readonly recoveryMs: ReadonlyMap<string, number>;
  /** Fault → the longest time from its end until every question that needs the database was answered as usual, ms. */
  readonly answeredAgainMs: ReadonlyMap<string, number>;
  /** The part of the former from the end of that collection, at the longest, ms. */
  readonly slowestServedMs: number;
  /** What was served or answered again later than promised, which a machine with other work may be to blame for. */
  readonly late: readonly string[];
  /** Collections that a fault came upon. */
  readonly collections: { done: number; cutOffButStored: number; storedNothing: number };
  /** The longest time from the end of a fault until such a collection had ended, ms. */
  readonly slowestEndMs: number;
  readonly reads: number;
  readonly slowestAnswerMs: number;
  readonly violations: readonly string[];
};
