/** The report of a benchmark: one line per metric, medians over rounds, targets met or missed. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { upperMedian } from '../../src/algorithms/average.ts';

/** Whether the long form was requested. */
export const LONG = process.argv.includes('--long');

let missed = 0;

export function median(values: readonly number[]): number {
  return upperMedian(values) ?? Number.NaN;
}

export function heading(text: string): void {
  const { length } = os.cpus();
  const [load] = os.loadavg();
  console.log(
    `${text}\n${length} cores (${os.cpus()[0]?.model.trim()}), Node ${process.version}, load ${load?.toFixed(1)}`,
  );
}

export type MetricTarget = { readonly most: number } | { readonly least: number };

/** Reports a metric against its upper or lower target. */
export function reportMetric(name: string, value: number, unit: string, target?: MetricTarget): void {
  const { line, isMet } = metricLine(name, value, unit, target);
  if (!isMet) missed += 1;
  console.log(line);
}

/** One line with the metric, its target and whether it is met. */
export function metricLine(
  name: string,
  value: number,
  unit: string,
  target?: MetricTarget,
): { line: string; isMet: boolean } {
  const shown = `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
  const line = `${name.padEnd(58)} ${shown.padStart(14)}`;
  if (target === undefined) return { line, isMet: true };
  const isMet = 'most' in target ? value <= target.most : value >= target.least;
  const wanted = 'most' in target ? `≤ ${target.most}` : `≥ ${target.least}`;
  return { line: `${line}   ${`${wanted} ${unit}`.padEnd(14)} ${isMet ? 'met' : 'MISSED'}`, isMet };
}

export function note(text: string): void {
  console.log(text);
}

/** Ends the report; the exit code says whether every target was met. */
export function finishReport(): void {
  const [load] = os.loadavg();
  console.log(`${missed === 0 ? 'every target met' : `${missed} targets missed`}; load now ${load?.toFixed(1)}`);
  process.exitCode = missed === 0 ? 0 : 1;
}

/** Runs `work` with a temporary folder and deletes the folder afterwards. */
export async function withTempFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
