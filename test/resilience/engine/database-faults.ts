/** What becomes of the database, or of the way to it. */
import { shuffled, whole } from '../../../src/simulation/country/seeded-random.ts';
import type { Remote } from './remote-database.ts';

export type Fault = {
  /** How long it lasts, from and to, ms; a server that died comes back by itself. */
  readonly lasts: readonly [number, number];
  readonly begin: (remote: Remote, seed: number) => Promise<void>;
  readonly end: (remote: Remote) => Promise<void>;
};

const nothing = async () => undefined;
const hit = (signal: NodeJS.Signals): Fault => ({
  lasts: [0, 0],
  begin: async (remote) => remote.hit(signal),
  end: nothing,
});
const full = (which: 'database' | 'data'): Fault => ({
  lasts: [1_500, 4_000],
  begin: async (remote) => remote.fill(which, true),
  end: async (remote) => remote.fill(which, false),
});
const pass = (remote: Remote) => remote.order({ order: 'pass' });
const SLOWEST_MS = 3_000;

const FAULTS = {
  killed: hit('SIGKILL'),
  'restarted fast': hit('SIGINT'),
  'restarted at once': hit('SIGQUIT'),
  'connections reset': { lasts: [0, 0], begin: (remote) => remote.order({ order: 'reset' }), end: nothing },
  /** Everything in between is lost, and its connections stay dead for ever. */
  'black hole': { lasts: [500, 6_000], begin: (remote) => remote.order({ order: 'drop' }), end: pass },
  /** Everything in between comes in the end; meanwhile new connections do not come about. */
  'black hole, all comes late': {
    lasts: [500, 6_000],
    begin: async (remote) => remote.stop('SIGSTOP'),
    end: async (remote) => remote.stop('SIGCONT'),
  },
  slow: {
    lasts: [3_000, 8_000],
    begin: (remote, seed) => remote.order({ order: 'delay', mostMs: SLOWEST_MS, seed }),
    end: pass,
  },
  'disk of the database full': full('database'),
  'disk of DATA_DIR full': full('data'),
} satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

export const NEED_SMALL_DISKS: readonly FaultName[] = ['disk of the database full', 'disk of DATA_DIR full'];
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** When a collection is under way: as it asks, when it publishes, or none is. */
const MOMENTS = ['none', 'asking', 'publishing'] as const;
export type Moment = (typeof MOMENTS)[number];

export type Trouble = { readonly name: FaultName; readonly fault: Fault; readonly moment: Moment; lastsMs: number };

/** The fault of a round: each of `names` once in as many rounds, each moment once in three, as the seed deals. */
export function troubleOf(names: readonly FaultName[], seed: number, round: number): Trouble {
  const dealt = <T extends string>(all: readonly T[], turn: number) =>
    shuffled(all, (each) => each, seed, `deal ${Math.floor(turn / all.length)}`)[turn % all.length] as T;
  const name = dealt(names, round);
  // Only who writes notices a full disk.
  const moment = NEED_SMALL_DISKS.includes(name) ? 'asking' : dealt(MOMENTS, round + Math.floor(round / names.length));
  const fault: Fault = FAULTS[name];
  return { name, fault, moment, lastsMs: whole(...fault.lasts, seed, 'lasts', round) };
}
