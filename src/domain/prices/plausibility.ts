/** Whether a run may be believed as a whole. Decision 32. */
import type { Fuel, Milli } from '../fuel.ts';

/** What is kept of a run to judge later ones by. */
export type RunDigest = { readonly rows: number; readonly means: Partial<Record<Fuel, Milli>> };

export type PastRun = RunDigest & { readonly at: number; readonly outcome: 'delivered' | 'set_aside' | 'failed' };

export type GateInput = {
  readonly now: number;
  readonly run: RunDigest;
  /** Prices of this run and of the facts before it, where both are known. */
  readonly moves: readonly { readonly before: Milli; readonly after: Milli }[];
  /** Earlier runs of the source, newest first. */
  readonly past: readonly PastRun[];
};

const MIN_ANSWERED = 0.9;
const MIN_ROWS = 0.6;
const MEDIAN_OF = 7;
const MEDIAN_FROM = 3;
const LARGE_MOVE = 0.15;
const RECENT_MS = 48 * 3_600_000;
const AGREEMENT = 0.02;

/** Whether enough units answered for the run to count as delivered at all. */
export function enoughAnswered(answered: number, total: number): boolean {
  return total > 0 && answered >= MIN_ANSWERED * total;
}

/** `null` when the run may pass, else one sentence why it is set aside. */
export function gate(input: GateInput): string | null {
  if (input.run.rows === 0) return 'no row carries a valid price';
  return tooFewRows(input) ?? tooManyMoves(input);
}

/** Mean of the valid prices by fuel, in thousandths. */
export function digest(prices: Iterable<{ fuel: Fuel; price: Milli }>): RunDigest {
  const groups = Map.groupBy(prices, ({ fuel }) => fuel);
  const means = [...groups].map(([fuel, list]) => [fuel, mean(list.map(({ price }) => price))] as const);
  return {
    rows: [...groups.values()].reduce((rows, list) => rows + list.length, 0),
    means: Object.fromEntries(means.sort(([a], [b]) => (a < b ? -1 : 1))) as Partial<Record<Fuel, Milli>>,
  };
}

function tooFewRows(input: GateInput): string | null {
  const { run, past } = input;
  const delivered = past.filter(({ outcome }) => outcome === 'delivered').slice(0, MEDIAN_OF);
  if (delivered.length < MEDIAN_FROM) return null;
  const usual = median(delivered.map(({ rows }) => rows));
  // A run once accepted stays accepted: the median of the last runs learns of it only slowly.
  if (run.rows >= MIN_ROWS * usual || thirdAlike(input)) return null;
  return `${run.rows} valid rows, fewer than 60 % of the usual ${usual}`;
}

function tooManyMoves(input: GateInput): string | null {
  const { now, moves, past } = input;
  const last = past.find(({ outcome }) => outcome === 'delivered');
  if (last === undefined || now - last.at >= RECENT_MS) return null;
  const large = moves.filter(({ before, after }) => Math.abs(after - before) > LARGE_MOVE * before).length;
  if (2 * large <= moves.length || (thirdAlike(input) && setAside(past[0]) && setAside(past[1]))) return null;
  return `${large} of ${moves.length} prices moved by more than 15 %`;
}

/** Whether this run is the third in a row that agrees with the one before it. */
function thirdAlike({ run, past: [one, two] }: GateInput): boolean {
  return one !== undefined && two !== undefined && agrees(one, two) && agrees(run, one);
}

function setAside(run: PastRun | undefined): boolean {
  return run?.outcome === 'set_aside';
}

function agrees(a: RunDigest, b: RunDigest): boolean {
  const fuels = new Set([...Object.keys(a.means), ...Object.keys(b.means)] as Fuel[]);
  return close(a.rows, b.rows) && [...fuels].every((fuel) => close(a.means[fuel] ?? 0, b.means[fuel] ?? 0));
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= AGREEMENT * b;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
