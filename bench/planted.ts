/**
 * Shows that the suite bites: plants known faults, one at a time, each in a copy of the project of its own, and tells
 * which tests noticed. `node bench/planted.ts [NAME…]`; the table goes to stdout, what is under way to stderr.
 */
import path from 'node:path';
import { globalSetup, globalTeardown } from '../test/global-setup.ts';
import type { Fault } from './planted/fault.ts';
import { FAULTS } from './planted/faults.ts';
import { type Outcome, runCheck, runTests } from './planted/outcome.ts';
import { complaintsAbout, copyProject, plant, removeScratch } from './planted/scratch.ts';
import { inFolder } from './rig/report.ts';

const AT_ONCE = 2;
/** Many times what the slowest needs, so that a busy machine is not taken for a hang. */
const LIMIT_MS = 180_000;
const LIMIT_UNPLANTED_MS = 900_000;
/** Titles shown of a fault that many tests notice. */
const SHOWN = 2;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error('stopped')));

const chosen = choose(process.argv.slice(2));
const complaints = FAULTS.flatMap(complaintsAbout);
if (complaints.length > 0) refuse(complaints.join('\n'));

await inFolder(async (folder) => {
  await globalSetup();
  try {
    await expectSound(folder, chosen);
    const outcomes = await plantAll(folder, chosen);
    console.log(table(outcomes));
    const missed = outcomes.filter(([, outcome]) => !isCaught(outcome)).map(([{ name }]) => name);
    const broken = outcomes.filter(([, { broken: files }]) => files.length > 0).map(([{ name }]) => name);
    console.error(`${outcomes.length - missed.length} of ${outcomes.length} faults caught`);
    if (missed.length > 0) console.error(`not caught: ${missed.join(', ')}`);
    if (broken.length > 0) console.error(`test files broke off: ${broken.join(', ')}`);
    process.exitCode = missed.length === 0 ? 0 : 1;
  } finally {
    await globalTeardown();
  }
});

function choose(names: readonly string[]): readonly Fault[] {
  const known = new Set(FAULTS.map(({ name }) => name));
  if (known.size < FAULTS.length) refuse('two faults have the same name');
  const strangers = names.filter((name) => !known.has(name));
  if (strangers.length > 0) refuse(`no such fault: ${strangers.join(', ')}; there are ${[...known].join(', ')}`);
  return names.length === 0 ? FAULTS : FAULTS.filter(({ name }) => names.includes(name));
}

/** Ends before anything is begun: the call or the table is wrong. */
function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

/** Without a fault everything passes: else a failure below would mean nothing. */
async function expectSound(folder: string, faults: readonly Fault[]): Promise<void> {
  const files = [...new Set(faults.flatMap(({ tests }) => tests))].sort();
  const checks = [...new Set(faults.flatMap(({ check }) => (check === undefined ? [] : [check])))];
  const own = path.join(folder, 'sound');
  const scratch = copyProject(own);
  const bounds = { concurrency: AT_ONCE, limitMs: LIMIT_UNPLANTED_MS, signal: stop.signal };
  const outcomes = checks.map((check) => runCheck(scratch, check, LIMIT_MS));
  if (files.length > 0) outcomes.push(await runTests(scratch, files, bounds));
  await removeScratch(own, scratch, true);
  const failed = outcomes.flatMap(({ failed: titles, broken, hungIn }) => [...titles, ...broken, ...(hungIn ?? [])]);
  if (failed.length > 0) throw new Error(`the unplanted copy fails: ${failed.join('; ')}`);
  console.error(`unplanted: ${outcomes.reduce((sum, { passed }) => sum + passed, 0)} passed in ${files.length} files`);
}

async function plantAll(folder: string, faults: readonly Fault[]): Promise<[Fault, Outcome][]> {
  const outcomes = new Map<Fault, Outcome>();
  const waiting = [...faults];
  const work = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const outcome = await tryOut(folder, fault);
      outcomes.set(fault, outcome);
      console.error(`${isCaught(outcome) ? 'caught' : 'NOT CAUGHT'} ${fault.name}: ${caughtBy(outcome)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return faults.map((fault) => [fault, outcomes.get(fault) as Outcome]);
}

async function tryOut(folder: string, fault: Fault): Promise<Outcome> {
  const own = path.join(folder, fault.name);
  const scratch = copyProject(own);
  let killed = true;
  try {
    plant(fault, scratch);
    if (fault.check !== undefined) return runCheck(scratch, fault.check, LIMIT_MS);
    const outcome = await runTests(scratch, fault.tests, { concurrency: 1, limitMs: LIMIT_MS, signal: stop.signal });
    killed = outcome.hungIn !== null;
    return outcome;
  } finally {
    await removeScratch(own, scratch, killed);
  }
}

/** A file that does not load catches nothing: the fault may be no more than a slip of the table. */
function isCaught({ failed, hungIn }: Outcome): boolean {
  return failed.length > 0 || hungIn !== null;
}

function caughtBy({ failed, broken, hungIn }: Outcome): string {
  const shown = failed.slice(0, SHOWN).map((title) => `“${title}”`);
  if (failed.length > SHOWN) shown.push(`and ${failed.length - SHOWN} more`);
  if (hungIn !== null) shown.push(`time-out in “${hungIn}”`);
  if (shown.length === 0 && broken.length > 0) return `nothing; ${broken.join(', ')} broke off`;
  return shown.length === 0 ? 'nothing' : shown.join(', ');
}

function table(outcomes: readonly [Fault, Outcome][]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
  const rows = outcomes.map(
    ([{ name, harm }, outcome]) => `| \`${name}\` | ${cell(harm)} | ${cell(caughtBy(outcome))} |`,
  );
  return ['| fault | what it would mean | caught by |', '|---|---|---|', ...rows].join('\n');
}
