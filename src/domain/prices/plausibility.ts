/** Whether a run as a whole is plausible. Rule 32. */

import { mean, median } from '../../algorithms/average.ts';
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import type { Fuel, MilliPrice } from '../fuel.ts';

/** What is stored about a run, to compare later runs with it. */
export type RunSummary = { readonly rows: number; readonly means: Partial<Record<Fuel, MilliPrice>> };

/** An earlier run that delivered or was set aside: failed ones are compared with nothing. */
export type PastRun = RunSummary & { readonly at: number; readonly outcome: 'delivered' | 'set_aside' };

/** How a run changes the set of stations that its source names. */
export type StationGrowth = {
  /** Stations, by the source's own ids, that it named before. */
  readonly known: number;
  /** Ids that it names for the first time, and how many of them are stations that no source knew. */
  readonly added: number;
  readonly created: number;
  /** The most ids that a source of its kind may ever name. */
  readonly limit: number;
};

export type PlausibilityInput = {
  readonly now: number;
  readonly run: RunSummary;
  /** Prices before and after this run, where both are known. */
  readonly priceMoves: readonly { readonly before: MilliPrice; readonly after: MilliPrice }[];
  /** Earlier runs of the source, newest first: at least those of `comparedRuns`. */
  readonly pastRuns: readonly PastRun[];
  readonly growth: StationGrowth;
};

/** The thresholds of rule 32. */
export const MIN_ANSWERED = 0.9;
export const MIN_ROWS_SHARE = 0.6;
export const MEDIAN_MAX_RUNS = 7;
const MEDIAN_MIN_RUNS = 3;
export const LARGE_MOVE = 0.15;
export const RECENT_MS = 48 * 3_600_000;
export const AGREEMENT_TOLERANCE = 0.02;
/** More new stations than this share of those known, and than this number, is no growth of a network. */
export const MAX_NEW_SHARE = 0.2;
export const MIN_NEW_ALLOWED = 100;
/**
 * The first runs of a source that delivered or were set aside may add any number of stations: it may have begun with a
 * part of them.
 */
const RUNS_FREE_TO_GROW = 3;

/** Whether enough units answered: with fewer, the run fails. */
export function hasEnoughUnits(answered: number, total: number): boolean {
  return total > 0 && answered >= MIN_ANSWERED * total;
}

/**
 * Those of a source's runs, newest first, that later runs are compared with: the last ones of each outcome, so that no
 * number of runs set aside displaces the delivered ones.
 */
export function comparedRuns(pastRuns: readonly PastRun[]): PastRun[] {
  const byOutcome = Map.groupBy(pastRuns, ({ outcome }) => outcome);
  const compared = new Set([...byOutcome.values()].flatMap((runs) => runs.slice(0, MEDIAN_MAX_RUNS)));
  return pastRuns.filter((run) => compared.has(run));
}

/** Why the run is set aside, as one clause; `null` when it is plausible. */
export function checkPlausibility(input: PlausibilityInput): string | null {
  if (input.run.rows === 0) return 'no row carries a valid price';
  return tooManyStations(input) ?? tooFewRows(input) ?? tooManyMoves(input);
}

/** Mean of the valid prices by fuel, in thousandths. */
export function summariseRun(prices: Iterable<{ fuel: Fuel; price: MilliPrice }>): RunSummary {
  const groups = Map.groupBy(prices, ({ fuel }) => fuel);
  const means = [...groups].map(([fuel, list]) => [fuel, Math.round(mean(list.map(({ price }) => price)))] as const);
  return {
    rows: [...groups.values()].reduce((rows, list) => rows + list.length, 0),
    means: Object.fromEntries(means.sort(([a], [b]) => compareCodeUnits(a, b))) as Partial<Record<Fuel, MilliPrice>>,
  };
}

/** Repeating a run never makes it plausible: stations that a source has once created stay. */
function tooManyStations({ growth, pastRuns }: PlausibilityInput): string | null {
  const { known, added, created, limit } = growth;
  if (added > 0 && known + added > limit) {
    return `${added} ids of stations are new: with the ${known} known ones more than the ${limit} that a source may have`;
  }
  const allowed = Math.max(MIN_NEW_ALLOWED, Math.floor(MAX_NEW_SHARE * known));
  if (created <= allowed || known === 0 || pastRuns.length < RUNS_FREE_TO_GROW) return null;
  return `${created} new stations, more than the ${allowed} that one run may add to ${known}`;
}

function tooFewRows(input: PlausibilityInput): string | null {
  const { run, pastRuns } = input;
  const delivered = pastRuns.filter(({ outcome }) => outcome === 'delivered').slice(0, MEDIAN_MAX_RUNS);
  if (delivered.length < MEDIAN_MIN_RUNS) return null;
  const usual = median(delivered.map(({ rows }) => rows));
  // After a third agreeing run the next ones must pass too: the median of the last runs adapts only slowly.
  if (run.rows >= MIN_ROWS_SHARE * usual || isThirdAgreeingRun(input)) return null;
  return `${run.rows} valid rows, fewer than 60 % of the usual ${usual}`;
}

function tooManyMoves(input: PlausibilityInput): string | null {
  const { now, priceMoves, pastRuns } = input;
  const last = pastRuns.find(({ outcome }) => outcome === 'delivered');
  if (last === undefined || now - last.at >= RECENT_MS) return null;
  const large = priceMoves.filter(({ before, after }) => Math.abs(after - before) > LARGE_MOVE * before).length;
  if (
    2 * large <= priceMoves.length ||
    (isThirdAgreeingRun(input) && isSetAside(pastRuns[0]) && isSetAside(pastRuns[1]))
  )
    return null;
  return `${large} of ${priceMoves.length} prices moved by more than 15 %`;
}

/** Whether this run is the third in a row that agrees with the one before it. */
function isThirdAgreeingRun({ run, pastRuns: [one, two] }: PlausibilityInput): boolean {
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
