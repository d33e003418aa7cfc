import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type MetricTarget, metricLine } from './benchmark-report.ts';

/** The metrics of a longer test: printed as diagnostics, and compared with their targets at the end. */
export class MeasuredMetrics {
  readonly #test: TestContext;
  readonly #missed: string[] = [];

  constructor(test: TestContext) {
    this.#test = test;
  }

  /** Records a metric; `assertTargets` fails the test if it misses its target. */
  add(name: string, value: number, unit: string, target?: MetricTarget): void {
    const { line, isMet } = metricLine(name, value, unit, target);
    this.note(line);
    if (!isMet) this.#missed.push(line);
  }

  note(line: string): void {
    this.#test.diagnostic(line);
  }

  /** Fails when a target was missed, and names each missed one. */
  assertTargets(): void {
    assert.deepEqual(this.#missed, []);
  }
}
