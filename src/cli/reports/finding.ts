/** The result of one check of `doctor`. */

export type Finding = {
  readonly check: string;
  readonly ok: boolean;
  /** The observed state; never a secret. */
  readonly detail: string;
  /** What to do if the check failed. */
  readonly advice: string | null;
};

export function pass(check: string, detail: string): Finding {
  return { check, ok: true, detail, advice: null };
}

export function fail(check: string, detail: string, advice: string): Finding {
  return { check, ok: false, detail, advice };
}

const UNITS: readonly [ms: number, name: string][] = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
  [1_000, 'seconds'],
];

/** For example `5.2 hours`: in the largest unit of which there are at least two. */
export function durationText(ms: number): string {
  const [unit, name] = UNITS.find(([size]) => ms >= 2 * size) ?? [1_000, 'seconds'];
  return `${Number((ms / unit).toFixed(unit >= 3_600_000 ? 1 : 0))} ${name}`;
}

export function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 0)} GB`;
}
