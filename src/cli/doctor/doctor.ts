/** `pompa doctor`: is everything well, and what to do where it is not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, Failure, type Terminal, type Verb } from '../../app/command.ts';
import { version } from '../../app/version.ts';
import { createLog, openAsItIs } from '../../app/wiring.ts';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config.ts';
import { databaseFindings } from './database.ts';
import { diskFindings } from './disk.ts';
import { type Finding, unwell, well } from './finding.ts';
import { reachabilityFindings } from './reachable.ts';
import { settingsFindings } from './settings.ts';

/** A database that does not answer by then is not there. */
const DATABASE_MS = 7_000;
const ALL_MS = 9_500;

export const doctorVerb: Verb = {
  name: 'doctor',
  usage: 'doctor [--json]',
  details: `Settings, database, clock, sources, worker, push, disk; takes 10 seconds at most and changes nothing.
Connects to the services that are switched on, to see whether they are there, and asks them nothing.`,
  flags: {},
  words: { least: 0, most: 0 },
  async run(call) {
    const findings = await examine(call);
    for (const finding of findings) tell(finding, call.flags.json === true, call.terminal);
    const bad = findings.filter(({ ok }) => !ok).map(({ check }) => check);
    if (bad.length === 0) return 0;
    throw new Failure(`${bad.length} of ${findings.length} checks failed: ${bad.join(', ')}`);
  },
};

async function examine(call: Call): Promise<Finding[]> {
  const program = well(
    'program',
    `Pompa ${version()}, Node.js ${process.version}, ${process.platform} ${process.arch}`,
  );
  let config: Config;
  try {
    config = call.config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'mend it, then ask again: the other checks need the settings; docs/SETTINGS.md lists them';
    return [program, unwell('settings', error.message, advice)];
  }
  const now = Date.now();
  const findings = await Promise.all([
    settingsFindings(config),
    inTime(databaseFindings({ config, open: () => openSoon(call), clock: Date.now })),
    diskFindings(config),
    reachabilityFindings(config, now),
  ]);
  return [program, ...findings.flat()];
}

/** A database that falls silent between two questions is not waited for either. */
async function inTime(findings: Promise<Finding[]>): Promise<Finding[]> {
  const detail = `it did not answer everything within ${ALL_MS / 1000} s`;
  const late = [unwell('database', detail, 'look at its load, and at the network in between')];
  return Promise.race([findings, sleep(ALL_MS, late, { ref: false })]);
}

function openSoon({ config, signal }: Call) {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(DATABASE_MS)]);
  return openAsItIs(config, createLog(config), soon, 1).catch((error) => {
    signal.throwIfAborted();
    throw soon.aborted ? new Failure(`it was not ready within ${DATABASE_MS / 1000} s`) : error;
  });
}

function tell(finding: Finding, json: boolean, { out }: Terminal): void {
  if (json) {
    out(JSON.stringify(finding));
    return;
  }
  out(`${finding.ok ? 'ok  ' : 'BAD '} ${finding.check}: ${finding.detail}`);
  if (finding.advice !== null) out(`     ${finding.advice}`);
}
