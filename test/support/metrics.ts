import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type MetricTarget, metricLine } from './report.ts';

/** The figures that a longer test measures: printed as diagnostics, and held against their targets in the end. */
export class Metrics {
  readonly #test: TestContext;
  readonly #missed: string[] = [];

  constructor(test: TestContext) {
    this.#test = test;
  }

  /** Notes one figure; a target that it misses fails the test in `assertTargets`. */
  add(name: string, value: number, unit: string, target?: MetricTarget): void {
    const { line, isMet } = metricLine(name, value, unit, target);
    this.note(line);
    if (!isMet) this.#missed.push(line);
  }

  note(line: string): void {
    this.#test.diagnostic(line);
  }

  /** Fails when any target was missed, and names each of them. */
  assertTargets(): void {
    assert.deepEqual(this.#missed, []);
  }
}
