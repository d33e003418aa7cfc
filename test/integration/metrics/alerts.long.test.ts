/** The alert rules in Prometheus's own tool: they are valid, and each fires for what it is about and not without it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { createMetrics, type Metrics } from '../../../src/app/metrics/metrics.ts';
import { mergedMetrics } from '../../../src/app/processes/merge-metrics.ts';
import { snapshotCounts } from '../../../src/telemetry/snapshot-counts.ts';
import { aRun } from '../../support/builders/run-builders.ts';
import { anEmptySnapshot } from '../../support/builders/snapshot-builders.ts';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';

/** Series by name, their values, and when the alert fires for them. */
type AlertCase = { readonly at: string; readonly fires: Series; readonly quiet: Series };
type Series = Readonly<Record<string, string>>;
type Cases = Readonly<Record<string, AlertCase>>;

const CASES: Cases = parse(readFileSync(path.join(import.meta.dirname, 'alert-cases.yaml'), 'utf8'));
const RULES = path.resolve('deploy/prometheus/alerts.yaml');
const names: string[] = parse(readFileSync(RULES, 'utf8')).groups.flatMap(({ rules }: { rules: { alert: string }[] }) =>
  rules.map(({ alert }) => alert),
);

before(() => {
  if (findProgram(['promtool']) === null) assert.ok(installDebianPackages(['prometheus']), 'promtool is needed');
});

test('promtool accepts the rules', () => {
  const { status, stdout, stderr } = promtool('check', 'rules', RULES);
  assert.equal(status, 0, stdout + stderr);
});

test('every alert fires for what it is about, and not for what is usual', (t) => {
  assert.deepEqual(Object.keys(CASES).sort(), names.toSorted());
  const { status, output } = runCases(t.after.bind(t), CASES);
  assert.equal(status, 0, output);
});

test('PompaSnapshotBehind sees the one of several processes on one port that stays behind', async (t) => {
  const cases = {
    PompaSnapshotBehind: { at: '20m', fires: await snapshotSeries(8, 7, 8), quiet: await snapshotSeries(8, 8, 8) },
  };
  const { status, output } = runCases(t.after.bind(t), cases);
  assert.equal(status, 0, output);
});

/** What the port of `serve --processes` shows of processes that serve these publications. */
async function snapshotSeries(...versions: number[]): Promise<Series> {
  const processes = versions.map(async (version, index) => {
    const metrics = createMetrics();
    const snapshot = { ...anEmptySnapshot(), version };
    metrics.observeSnapshot({ snapshot: () => snapshot, ...snapshotCounts(), clock: Date.now });
    return [index + 1, await metrics.json()] as const;
  });
  const running = new Map(await Promise.all(processes));
  const serving = versions.length;
  const counts = { configured: serving, serving: serving, replaced: 0 };
  const text = await mergedMetrics({ running, ended: [] }, counts);
  const samples = text.matchAll(/^(pompa_snapshot_version)(?:\{(.*)\})? (\d+)$/gm);
  const series = [...samples].map(([, name, labels = '', value]) => {
    const all = ['job="pompa"', 'instance="a"', ...labels.split(',').filter(Boolean)];
    return [`${name}{${all.join(',')}}`, `${value}+0x30`] as const;
  });
  return Object.fromEntries(series);
}

test('alerts see the first events that a process counts', async (t) => {
  const metrics = createMetrics();
  const worker = metrics.observeWorker();
  worker.onStart(['collect'], ['register'], 0);
  const fail = () => worker.onRuns([aRun({ outcome: 'failed' })]);
  const refuse = () => Array.from({ length: 6 }, () => metrics.webhooks('refused'));
  const quiet = await countedSeries(metrics, [() => undefined]);
  const fires = await countedSeries(metrics, [fail, refuse, fail]);
  const cases = {
    PompaCollectionFails: { at: '100m', fires, quiet },
    PompaStripeEventsRefused: { at: '70m', fires, quiet },
  };
  const { status, output } = runCases(t.after.bind(t), cases);
  assert.equal(status, 0, output);
});

test('a job that hangs from the start of a worker is late, although it was never done', async (t) => {
  const metrics = createMetrics();
  metrics.observeWorker().onStart(['mails'], [], 0);
  const series = await countedSeries(metrics, [() => undefined, () => undefined]);
  const cases = { PompaScheduledWorkStopped: { at: '80m', fires: series, quiet: {} } };
  const { status, output } = runCases(t.after.bind(t), cases);
  assert.equal(status, 0, output);
});

const MINUTES = 30;

/** What the page of a process shows in the 30 minutes before, and the 30 after, each of these events. */
async function countedSeries(metrics: Metrics, events: readonly (() => unknown)[]): Promise<Series> {
  const pages = [await countsOf(metrics)];
  for (const event of events) {
    event();
    pages.push(await countsOf(metrics));
  }
  const names = new Set(pages.flatMap((page) => [...page.keys()]));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      pages.map((page) => (page.has(name) ? `${page.get(name)}+0x${MINUTES - 1}` : `_x${MINUTES}`)).join(' '),
    ]),
  );
}

async function countsOf(metrics: Metrics): Promise<Map<string, string>> {
  const samples = (await metrics.text()).matchAll(/^(pompa_\w+)\{(.*)\} (\d+)$/gm);
  return new Map(
    [...samples].map(([, name, labels, value = '']) => [`${name}{job="pompa",instance="a",${labels}}`, value]),
  );
}

test('and a case that does not fire is found', (t) => {
  const down = CASES.PompaDown as AlertCase;
  const swapped = { PompaDown: { ...down, fires: down.quiet } };
  assert.notEqual(runCases(t.after.bind(t), swapped).status, 0);
});

/** Runs each case twice: with the series that fire its alert, and with the usual ones. */
function runCases(after: (clean: () => void) => void, cases: Cases): { status: number | null; output: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-alerts-'));
  after(() => rmSync(folder, { recursive: true }));
  const tests = Object.entries(cases).flatMap(([alert, { fires, quiet, at }]) => [
    unitTest(alert, fires, at, 1),
    unitTest(alert, quiet, at, 0),
  ]);
  const file = path.join(folder, 'alerts.test.yaml');
  writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: '2m', tests }));
  const { status, stdout, stderr } = promtool('test', 'rules', file);
  return { status, output: stdout + stderr };
}

function unitTest(alert: string, series: Series, at: string, firing: 0 | 1) {
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`;
  return {
    name: `${alert}: ${firing === 1 ? 'fires' : 'is quiet'}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [{ expr, eval_time: at, exp_samples: [{ labels: '{}', value: firing }] }],
  };
}

function promtool(...args: string[]) {
  return spawnSync(findProgram(['promtool']) ?? 'promtool', args, { encoding: 'utf8' });
}
