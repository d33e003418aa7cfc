import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { addCounts, mergedMetrics } from './merge-metrics.ts';
import type { ProcessMetrics } from './supervisor-messages.ts';

/** What a process with these figures tells. */
function metricsOf({ requests, open, age, bytes, seconds }: Record<string, number>): Promise<ProcessMetrics> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests_total', help: 'R', labelNames: ['path'], registers }).inc({ path: '/a' }, requests);
  new Gauge({ name: 'open', help: 'O', registers }).set(open ?? 0);
  new Gauge({ name: 'age', help: 'A', registers, aggregator: 'max' }).set(age ?? 0);
  new Gauge({ name: 'process_resident_memory_bytes', help: 'B', registers, aggregator: 'omit' }).set(bytes ?? 0);
  new Histogram({ name: 'answer_seconds', help: 'S', registers, buckets: [1] }).observe(seconds ?? 0);
  return registry.getMetricsAsJSON();
}

const one = { requests: 3, open: 1, age: 10, bytes: 100, seconds: 0.5 };
const other = { requests: 4, open: 2, age: 30, bytes: 200, seconds: 2 };
const counts = { configured: 3, serving: 2, replaced: 1 };

test('counters and gauges of processes are added up, or merged as each says', async () => {
  const running = new Map([
    [1, await metricsOf(one)],
    [2, await metricsOf(other)],
  ]);
  const text = await mergedMetrics({ running, ended: [] }, counts);
  assert.match(text, /^requests_total\{path="\/a"\} 7$/m);
  assert.match(text, /^open 3$/m);
  assert.match(text, /^age 30$/m);
  assert.match(text, /^answer_seconds_bucket\{le="1"\} 1$/m);
  assert.match(text, /^answer_seconds_count 2$/m);
  assert.match(text, /^pompa_processes_serving 2$/m);
  assert.match(text, /^pompa_processes_replaced_total 1$/m);
});

test('figures of a process itself are told for each', async () => {
  const running = new Map([
    [1, await metricsOf(one)],
    [2, await metricsOf(other)],
  ]);
  const text = await mergedMetrics({ running, ended: [] }, counts);
  assert.match(text, /^process_resident_memory_bytes\{process="1"\} 100$/m);
  assert.match(text, /^process_resident_memory_bytes\{process="2"\} 200$/m);
});

test('the publication that each process serves is told, so that the one that stays behind is seen', async () => {
  const serving = async (version: number): Promise<ProcessMetrics> => {
    const registry = new Registry();
    new Gauge({ name: 'pompa_snapshot_version', help: 'V', registers: [registry], aggregator: 'min' }).set(version);
    return registry.getMetricsAsJSON();
  };
  const running = new Map([
    [1, await serving(8)],
    [2, await serving(7)],
  ]);
  const text = await mergedMetrics({ running, ended: [] }, counts);
  assert.match(text, /^pompa_snapshot_version\{process="1"\} 8$/m);
  assert.match(text, /^pompa_snapshot_version\{process="2"\} 7$/m);
});

test('a counter does not fall when its process is replaced, and the gauges of the old one are gone', async () => {
  const ended = addCounts([await metricsOf(one), await metricsOf(one)]);
  const text = await mergedMetrics({ running: new Map([[1, await metricsOf(other)]]), ended }, counts);
  assert.match(text, /^requests_total\{path="\/a"\} 10$/m);
  assert.match(text, /^answer_seconds_count 3$/m);
  assert.match(text, /^open 2$/m);
  assert.doesNotMatch(text, /process_resident_memory_bytes\{process="2"\}/);
});
