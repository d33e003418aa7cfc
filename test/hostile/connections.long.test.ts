/**
 * Hostile and badly written clients, one attack at a time at full size: how well other clients are served meanwhile,
 * and what the service retains afterwards.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONNECTION_LIMITS } from '../../src/api/http/connection/connection-limits.ts';
import { testDatabase } from '../support/database/test-database.ts';
import { MeasuredMetrics } from '../support/read-metrics.ts';
import { RUN, roundsOf, selected } from '../support/run-settings.ts';
import { ATTACK_NAMES } from './connections/attacks.ts';
import { type AttackOutcome, type PlannedAttack, withLoadUnderAttack } from './connections/load-under-attack.ts';

/** Numbers of connections, and of requests on each, that put the service under stress; other attacks use 50 and 200. */
const SIZES: Readonly<Record<string, { count: number; each?: number }>> = {
  'connections left idle': { count: 2_000 },
  'connections that send nothing': { count: 2_000 },
  'headers that trickle': { count: 1_000 },
  'bodies that trickle': { count: 1_000 },
  'answers that nobody reads': { count: 300 },
  'a pipeline that is read': { count: 4, each: 10_000 },
  'a pipeline that nobody reads': { count: 100, each: 10_000 },
  'a pipeline of the smallest requests': { count: 200 },
  'a flood of refusals': { count: 50, each: 1_000 },
  'a flood of unique requests': { count: 50, each: 1_000 },
  'a body of tiny chunks': { count: 20, each: 100_000 },
  'one request per connection': { count: 500 },
};
const OTHERS = { count: 50, each: 200 };
/** Targets for 99 % and all of the other clients' answers, ms; a busy machine may miss them. */
const P99_MS = 1_000;
const SLOWEST_MS = 2_000;
/** Memory that may remain in use, MB: parsers, strings and compiled code. */
const RETAINED_MB = 16;
const GROWTH_MB = 3;
const RESIDENT_MB = 450;
const PLAN = { records: 6_000, limits: {}, repetitions: roundsOf({ medium: 1, long: 3 }) };
/** The medium form runs attacks of a tenth of the size, and idles for less time. */
const IS_LONG = RUN.length === 'long';
const HOLD_MS = IS_LONG ? 8_000 : 500;

const attacks: readonly PlannedAttack[] = selected(ATTACK_NAMES).map((name) => {
  const { count, each } = { ...OTHERS, ...SIZES[name] };
  return { names: [name], count: IS_LONG ? count : Math.ceil(count / 10), each: IS_LONG ? each : Math.ceil(each / 10) };
});

test('the service answers other clients in time during every attack, and retains nothing of it', async (t) => {
  const metrics = new MeasuredMetrics(t);
  const database = await testDatabase();
  t.after(() => database.drop());
  const plan = { ...PLAN, holdMs: HOLD_MS, databaseUrl: database.url };
  await withLoadUnderAttack(plan, async ({ attack, stopUnderAttack }) => {
    // The service remembers 50,000 visitors: its memory grows until then, and no further.
    await attack({ names: ['a flood of unique requests'], count: 50, each: IS_LONG ? 900 : 90 });
    for (const each of attacks) addMetrics(metrics, each, await attack(each));
    const { ms, exit } = await stopUnderAttack(attacks.map((each) => ({ ...each, count: Math.min(each.count, 100) })));
    assert.equal(exit, 0, 'of the process, on SIGTERM during all attacks');
    const most = CONNECTION_LIMITS.shutdownGraceMs + 1_000;
    metrics.add('from SIGTERM to the exit, all attacks under way', ms, 'ms', timeTarget(most));
  });
  metrics.assertTargets();
});

function addMetrics(
  metrics: MeasuredMetrics,
  { names, count }: PlannedAttack,
  { complaints, ms, retried, before, after }: AttackOutcome,
): void {
  const sorted = [...ms].sort((a, b) => a - b);
  const percentile = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
  const first = after[0] ?? before;
  const last = after.at(-1) ?? before;
  const resident = Math.max(...after.map(({ residentMb }) => residentMb));
  metrics.note(
    `${names.join()}, ${count} connections: others ${ms.length} answers, p50 ${percentile(0.5).toFixed(1)} ms`,
  );
  for (const complaint of new Set(complaints.slice(0, 5))) metrics.note(`  ${complaint}`);
  metrics.add('  wrong answers', complaints.length, '', { most: 0 });
  metrics.add('  99 of 100 others answered within', percentile(0.99), 'ms', timeTarget(P99_MS));
  metrics.add('  the slowest of them', percentile(1), 'ms', timeTarget(SLOWEST_MS));
  metrics.add('  others answered only on a retry', retried, '', timeTarget(0));
  metrics.add('  connections left', last.connections - before.connections, '', { most: 0 });
  metrics.add('  handles left', last.handles - before.handles, '', { most: 0 });
  metrics.add('  additional memory in use', last.inUseMb - before.inUseMb, 'MB', { most: RETAINED_MB });
  metrics.add('  growth from the first to the last repetition', last.inUseMb - first.inUseMb, 'MB', {
    most: GROWTH_MB,
  });
  metrics.add('  resident', resident, 'MB', { most: RESIDENT_MB });
}

/** Only the long form asserts times: it is run by hand on an idle machine. */
function timeTarget(most: number): { most: number } | undefined {
  return IS_LONG ? { most } : undefined;
}
