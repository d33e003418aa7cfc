/**
 * Hostile and clumsy clients at full length: how others are served meanwhile, and what of it stays behind.
 * `--only=TEXT`: the attacks whose name has it.
 */
import { CONNECTION_LIMITS } from '../../../src/api/http/connection/connection-limits.ts';
import { withDatabaseServer } from '../../support/bench-database.ts';
import { finishReport, heading, note, reportMetric, withTempFolder } from '../../support/report.ts';
import { ATTACK_NAMES } from '../connections/attacks.ts';
import {
  type AttackOutcome,
  type LoadUnderAttack,
  type PlannedAttack,
  withLoadUnderAttack,
} from '../connections/load-under-attack.ts';

/** As many connections and requests on each as it takes to hurt; others 50 and 200. */
const SIZES: Readonly<Record<string, { count: number; each?: number }>> = {
  'connections left idle': { count: 2_000 },
  'nothing at all': { count: 2_000 },
  'headers that trickle': { count: 1_000 },
  'bodies that trickle': { count: 1_000 },
  'answers that nobody reads': { count: 300 },
  'a pipeline that is read': { count: 4, each: 10_000 },
  'a pipeline that nobody reads': { count: 100, each: 10_000 },
  'a pipeline of the smallest requests': { count: 200 },
  'a flood of refusals': { count: 50, each: 1_000 },
  'a flood of questions never asked before': { count: 50, each: 1_000 },
  'a body of tiny chunks': { count: 20, each: 100_000 },
  'one request a connection': { count: 500 },
};
const OTHERS = { count: 50, each: 200 };
/** 99 of 100 answers to others come within this time, and each within the other, ms. */
const P99_MS = 1_000;
const SLOWEST_MS = 2_000;
/** Above what was in use before, MB: what is kept of parsers, strings and compiled code. */
const RETAINED_MB = 16;
const GROWTH_MB = 3;
const RESIDENT_MB = 450;

const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length) ?? '';
const attacks = ATTACK_NAMES.filter((name) => name.includes(only)).map((name) => ({
  names: [name],
  ...OTHERS,
  ...SIZES[name],
}));
const plan = { records: 6_000, limits: {}, repetitions: 3, holdMs: 8_000 };

heading('Hostile and clumsy clients: each attack three times, a regular client meanwhile');
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const { url: databaseUrl } = await create('besieged');
    await withLoadUnderAttack({ ...plan, databaseUrl }, runAllAttacks);
  }),
);
finishReport();

async function runAllAttacks({ attack, stopUnderAttack }: LoadUnderAttack): Promise<void> {
  // The gate remembers 50,000 visitors: what it holds grows until then, and no further.
  await attack({ names: ['a flood of questions never asked before'], count: 50, each: 900 });
  for (const each of attacks) reportAttack(each, await attack(each));
  const { ms, inOrder } = await stopUnderAttack(attacks.map((each) => ({ ...each, count: Math.min(each.count, 100) })));
  note(inOrder ? 'SIGTERM under all of them: ended in order' : 'SIGTERM under all of them: did NOT end in order');
  reportMetric('from SIGTERM to the end, all attacks under way', ms, 'ms', {
    most: inOrder ? CONNECTION_LIMITS.shutdownGraceMs + 1_000 : 0,
  });
}

function reportAttack(
  { names, count }: PlannedAttack,
  { complaints, ms, retried, before, after }: AttackOutcome,
): void {
  const sorted = [...ms].sort((a, b) => a - b);
  const percentile = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
  const first = after[0] ?? before;
  const last = after.at(-1) ?? before;
  const resident = Math.max(...after.map(({ residentMb }) => residentMb));
  note(`\n${names.join()}, ${count} connections: others ${ms.length} answers, p50 ${percentile(0.5).toFixed(1)} ms`);
  for (const complaint of new Set(complaints.slice(0, 5))) note(`  ${complaint}`);
  reportMetric('  wrong answers', complaints.length, '', { most: 0 });
  reportMetric('  99 of 100 others answered within', percentile(0.99), 'ms', { most: P99_MS });
  reportMetric('  the last of them', percentile(1), 'ms', { most: SLOWEST_MS });
  reportMetric('  others answered only when they asked again', retried, '', { most: 0 });
  reportMetric('  connections left', last.connections - before.connections, '', { most: 0 });
  reportMetric('  handles left', last.handles - before.handles, '', { most: 0 });
  reportMetric('  memory in use, above before', last.inUseMb - before.inUseMb, 'MB', { most: RETAINED_MB });
  reportMetric('  grown from the first to the last repetition', last.inUseMb - first.inUseMb, 'MB', {
    most: GROWTH_MB,
  });
  reportMetric('  resident', resident, 'MB', { most: RESIDENT_MB });
}
