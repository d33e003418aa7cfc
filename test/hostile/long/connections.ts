/**
 * Hostile and clumsy clients at full length: how others are served meanwhile, and what of it stays behind.
 * `--only=TEXT`: the attacks whose name has it.
 */
import { LIMITS } from '../../../src/api/http/connection/connection-limits.ts';
import { withServer } from '../../support/bench-database.ts';
import { conclude, figure, heading, inFolder, note } from '../../support/report.ts';
import { ATTACK_NAMES } from '../connections/attacks.ts';
import { besiege, type Outcome, type Planned, type Siege } from '../connections/load-under-attack.ts';

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
const SERVED_MS = 1_000;
const LATEST_MS = 2_000;
/** Above what was in use before, MB: what is kept of parsers, strings and compiled code. */
const LEFT_MB = 16;
const GROWN_MB = 3;
const RESIDENT_MB = 450;

const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length) ?? '';
const planned = ATTACK_NAMES.filter((name) => name.includes(only)).map((name) => ({
  names: [name],
  ...OTHERS,
  ...SIZES[name],
}));
const plan = { records: 6_000, limits: {}, repetitions: 3, holdMs: 8_000 };

heading('Hostile and clumsy clients: each attack three times, a regular client meanwhile');
await inFolder((folder) =>
  withServer(folder, async (create) => {
    const { url: databaseUrl } = await create('besieged');
    await besiege({ ...plan, databaseUrl }, wholeSiege);
  }),
);
conclude();

async function wholeSiege({ attack, stopUnder }: Siege): Promise<void> {
  // The gate remembers 50,000 visitors: what it holds grows until then, and no further.
  await attack({ names: ['a flood of questions never asked before'], count: 50, each: 900 });
  for (const each of planned) report(each, await attack(each));
  const { ms, inOrder } = await stopUnder(planned.map((each) => ({ ...each, count: Math.min(each.count, 100) })));
  note(inOrder ? 'SIGTERM under all of them: ended in order' : 'SIGTERM under all of them: did NOT end in order');
  figure('from SIGTERM to the end, all attacks under way', ms, 'ms', { most: inOrder ? LIMITS.closeMs + 1_000 : 0 });
}

function report({ names, count }: Planned, { complaints, ms, again, before, after }: Outcome): void {
  const sorted = [...ms].sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
  const first = after[0] ?? before;
  const last = after.at(-1) ?? before;
  const resident = Math.max(...after.map(({ residentMb }) => residentMb));
  note(`\n${names.join()}, ${count} connections: others ${ms.length} answers, p50 ${share(0.5).toFixed(1)} ms`);
  for (const complaint of new Set(complaints.slice(0, 5))) note(`  ${complaint}`);
  figure('  wrong answers', complaints.length, '', { most: 0 });
  figure('  99 of 100 others answered within', share(0.99), 'ms', { most: SERVED_MS });
  figure('  the last of them', share(1), 'ms', { most: LATEST_MS });
  figure('  others answered only when they asked again', again, '', { most: 0 });
  figure('  connections left', last.connections - before.connections, '', { most: 0 });
  figure('  handles left', last.handles - before.handles, '', { most: 0 });
  figure('  memory in use, above before', last.inUseMb - before.inUseMb, 'MB', { most: LEFT_MB });
  figure('  grown from the first to the last repetition', last.inUseMb - first.inUseMb, 'MB', { most: GROWN_MB });
  figure('  resident', resident, 'MB', { most: RESIDENT_MB });
}
