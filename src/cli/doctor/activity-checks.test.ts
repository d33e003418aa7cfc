import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Activity, SourceActivity } from '../../store/maintenance/database-status.ts';
import type { MaintenanceTime } from '../../store/maintenance/maintenance-times.ts';
import { activityFindings, maintenanceFinding } from './activity-checks.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 10);
const SETTINGS = { SOURCES: ['register'], COLLECT_EVERY: 2 * HOUR, DATABASE_URL: 'postgres://x/y', vapid: null };

function aSource(source: Partial<SourceActivity> = {}): SourceActivity {
  const last = { at: NOW - HOUR, outcome: 'delivered', rows: 10, reason: null };
  return { name: 'register', deliveredAt: NOW - HOUR, collectedAt: NOW - HOUR, last, ...source };
}

function findingsOf(activity: Partial<Activity>, settings: Partial<typeof SETTINGS> = {}): Record<string, string> {
  const quiet = { publishedAt: NOW, collector: null, subscriptions: 0, overdueMessages: 0 };
  const findings = activityFindings({ ...quiet, sources: [aSource()], ...activity }, { ...SETTINGS, ...settings }, NOW);
  return Object.fromEntries(findings.map(({ check, ok, detail }) => [check, `${ok ? 'ok' : 'bad'}: ${detail}`]));
}

describe('a source', () => {
  test('passes while it delivers, and fails when its last run failed, was set aside, or is a day old', () => {
    assert.equal(findingsOf({})['source register'], 'ok: delivered 60 minutes ago, 10 rows');
    const run = (outcome: string) => [aSource({ last: { at: NOW - HOUR, outcome, rows: 0, reason: 'too few' } })];
    assert.match(
      findingsOf({ sources: run('failed') })['source register'] ?? '',
      /^bad: .* 60 minutes ago, failed: too few$/,
    );
    assert.match(
      findingsOf({ sources: run('set_aside') })['source register'] ?? '',
      /^bad: .* was set aside: too few$/,
    );
    const old = [aSource({ deliveredAt: NOW - 25 * HOUR })];
    assert.equal(
      findingsOf({ sources: old })['source register'],
      'bad: delivered 25 hours ago: its prices have expired',
    );
    const never = [aSource({ deliveredAt: null, last: null })];
    assert.equal(findingsOf({ sources: never })['source register'], 'bad: never delivered');
  });

  test('that locates stations is read once a day: it passes for two days, and has no prices to withdraw', () => {
    const locator = (hours: number) =>
      findingsOf({ sources: [aSource({ name: 'locator:omv', deliveredAt: NOW - hours * HOUR })] })[
        'source locator:omv'
      ];
    assert.equal(locator(26), 'ok: delivered 26 hours ago, 10 rows');
    assert.equal(locator(49), 'bad: delivered 2 days ago');
  });

  test('that the operator fills by import passes without new data, and the check fails without any source', () => {
    const manual = [aSource({ name: 'manual', deliveredAt: null, collectedAt: null, last: null })];
    const quiet = findingsOf({ sources: manual }, { SOURCES: ['manual'] });
    assert.match(quiet['source manual'] ?? '', /^ok: never delivered; pompa import brings in reports/);
    assert.equal(quiet.worker, 'ok: nothing is collected by schedule');
    assert.equal(quiet.sources, 'bad: only manual, none of which counts for health (rule 33): it is 503 for ever');
    assert.equal(findingsOf({ sources: manual }, { SOURCES: ['register', 'manual'] }).sources, undefined);
    assert.deepEqual(Object.keys(findingsOf({ sources: [] }, { SOURCES: [] })), ['sources', 'push']);
  });
});

describe('the worker', () => {
  test('fails when a run is overdue by more than a run takes', () => {
    const ended = (hours: number) =>
      findingsOf({ sources: [aSource({ collectedAt: NOW - hours * HOUR })] }).worker ?? '';
    assert.match(ended(3), /^ok: the last run ended 3 hours ago$/);
    assert.match(ended(3.1), /^bad: .* ended 3\.1 hours ago, COLLECT_EVERY is 2 hours$/);
    const never = findingsOf({ sources: [aSource({ collectedAt: null })] });
    assert.match(never.worker ?? '', /^bad: register was never collected$/);
  });

  test('passes for a locator between its daily runs, and fails when that day is long over', () => {
    const locator = (hours: number, scheduled: number | null) =>
      findingsOf({
        sources: [
          aSource(),
          aSource({
            name: 'locator:omv',
            deliveredAt: NOW - hours * HOUR,
            collectedAt: scheduled === null ? null : NOW - scheduled * HOUR,
          }),
        ],
      }).worker ?? '';
    assert.match(locator(23, 23), /^ok: the last run ended 60 minutes ago$/);
    assert.match(locator(2, null), /^ok: /);
    assert.match(locator(28, 28), /^bad: the last run of locator:omv ended 28 hours ago/);
  });

  test('passes while it is collecting', () => {
    const busy = findingsOf({ collector: 'host:12', sources: [aSource({ collectedAt: NOW - 9 * HOUR })] });
    assert.equal(busy.worker, 'ok: host:12 is collecting');
  });
});

describe('push', () => {
  const vapid = { publicKey: 'B', privateKey: 'k', subject: 'mailto:a@b.ro' } as never;

  test('passes while messages go out, and is off without subscriptions', () => {
    assert.equal(findingsOf({}).push, 'ok: off');
    assert.equal(findingsOf({ subscriptions: 3 }, { vapid }).push, 'ok: on, the keys are a pair; 3 subscription(s)');
    assert.match(findingsOf({ subscriptions: 3 }).push ?? '', /^bad: 3 subscription\(s\), but no keys/);
    assert.match(
      findingsOf({ overdueMessages: 2 }, { vapid }).push ?? '',
      /^bad: 2 message\(s\) should have been sent/,
    );
  });
});

describe('the maintenance', () => {
  const judged = (daily: number | null, hourly: number | null) => {
    const time = (task: MaintenanceTime['task'], hoursAgo: number | null): MaintenanceTime => {
      return { task, doneAt: hoursAgo === null ? null : NOW - hoursAgo * HOUR, isDue: false };
    };
    const { ok, detail } = maintenanceFinding([time('daily', daily), time('hourly', hourly)], NOW);
    return `${ok ? 'ok' : 'bad'}: ${detail}`;
  };

  test('fails when a daily task was not done for two days, an hourly one for six hours, or one never', () => {
    assert.equal(judged(47, 5), 'ok: last done: daily 47 hours ago, hourly 5 hours ago');
    assert.match(judged(49, 5), /^bad: last done: daily 2 days ago; meanwhile expired data stay/);
    assert.match(judged(47, 7), /^bad: last done: hourly 7 hours ago;/);
    assert.match(judged(null, 1), /^bad: last done: daily never;/);
  });

  test('passes before the worker first did it', () => {
    assert.equal(judged(null, null), 'ok: not done yet; the worker does it');
  });
});
