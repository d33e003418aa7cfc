/** Whether a run as a whole is plausible. Rule 32. */
import { mean, median } from '../../algorithms/average.ts';
import type { Fuel, MilliPrice } from '../fuel.ts';

/** What is stored about a run to compare later ones with. */
export type RunSummary = { readonly rows: number; readonly means: Partial<Record<Fuel, MilliPrice>> };

export type PastRun = RunSummary & { readonly at: number; readonly outcome: 'delivered' | 'set_aside' | 'failed' };

export type PlausibilityInput = {
  readonly now: number;
  readonly run: RunSummary;
  /** Prices before and after this run, where both are known. */
  readonly priceMoves: readonly { readonly before: MilliPrice; readonly after: MilliPrice }[];
  /** Earlier runs of the source, newest first. */
  readonly past: readonly PastRun[];
};

const MIN_ANSWERED = 0.9;
const MIN_ROWS_SHARE = 0.6;
const MEDIAN_MAX_RUNS = 7;
const MEDIAN_MIN_RUNS = 3;
const LARGE_MOVE = 0.15;
const RECENT_MS = 48 * 3_600_000;
const AGREEMENT_TOLERANCE = 0.02;

/** Whether enough units answered for the run to count as delivered at all. */
export function hasEnoughAnswers(answered: number, total: number): boolean {
  return total > 0 && answered >= MIN_ANSWERED * total;
}

/** `null` when the run is plausible, else one clause that says why it is set aside. */
export function checkPlausibility(input: PlausibilityInput): string | null {
  if (input.run.rows === 0) return 'no row carries a valid price';
  return tooFewRows(input) ?? tooManyMoves(input);
}

/** Mean of the valid prices by fuel, in thousandths. */
export function summariseRun(prices: Iterable<{ fuel: Fuel; price: MilliPrice }>): RunSummary {
  const groups = Map.groupBy(prices, ({ fuel }) => fuel);
  const means = [...groups].map(([fuel, list]) => [fuel, Math.round(mean(list.map(({ price }) => price)))] as const);
  return {
    rows: [...groups.values()].reduce((rows, list) => rows + list.length, 0),
    means: Object.fromEntries(means.sort(([a], [b]) => (a < b ? -1 : 1))) as Partial<Record<Fuel, MilliPrice>>,
  };
}

function tooFewRows(input: PlausibilityInput): string | null {
  const { run, past } = input;
  const delivered = past.filter(({ outcome }) => outcome === 'delivered').slice(0, MEDIAN_MAX_RUNS);
  if (delivered.length < MEDIAN_MIN_RUNS) return null;
  const usual = median(delivered.map(({ rows }) => rows));
  // The runs after an accepted one must pass too: the median of the last runs adapts only slowly.
  if (run.rows >= MIN_ROWS_SHARE * usual || isThirdAgreeingRun(input)) return null;
  return `${run.rows} valid rows, fewer than 60 % of the usual ${usual}`;
}

function tooManyMoves(input: PlausibilityInput): string | null {
  const { now, priceMoves, past } = input;
  const last = past.find(({ outcome }) => outcome === 'delivered');
  if (last === undefined || now - last.at >= RECENT_MS) return null;
  const large = priceMoves.filter(({ before, after }) => Math.abs(after - before) > LARGE_MOVE * before).length;
  if (2 * large <= priceMoves.length || (isThirdAgreeingRun(input) && isSetAside(past[0]) && isSetAside(past[1])))
    return null;
  return `${large} of ${priceMoves.length} prices moved by more than 15 %`;
}

/** Whether this run is the third in a row that agrees with the one before it. */
function isThirdAgreeingRun({ run, past: [one, two] }: PlausibilityInput): boolean {
  return one !== undefined && two !== undefined && agrees(one, two) && agrees(run, one);
}

function isSetAside(run: PastRun | undefined): boolean {
  return run?.outcome === 'set_aside';
}

function agrees(a: RunSummary, b: RunSummary): boolean {
  const fuels = new Set([...Object.keys(a.means), ...Object.keys(b.means)] as Fuel[]);
  return isClose(a.rows, b.rows) && [...fuels].every((fuel) => isClose(a.means[fuel] ?? 0, b.means[fuel] ?? 0));
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= AGREEMENT_TOLERANCE * b;
}
