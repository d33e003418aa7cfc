/** `pompa doctor`: checks everything, and says what to do where a check fails. */
import { type Command, type CommandCall, CommandError, type Terminal } from '../../app/command.ts';
import { openUnmigrated } from '../../app/database/configured-database.ts';
import { createLog } from '../../app/log/process-log.ts';
import { processCount } from '../../app/processes/process-count.ts';
import { version } from '../../app/settings/version.ts';
import { TimeoutError, withTimeout } from '../../concurrency/with-timeout.ts';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config.ts';
import { type Finding, fail, pass } from '../reports/finding.ts';
import { backupFolderFindings } from './backup-folder-checks.ts';
import { databaseFindings } from './database-checks.ts';
import { diskFindings } from './disk-checks.ts';
import { dumpFindings } from './dump-checks.ts';
import { followFindings } from './follower-checks.ts';
import { mapFindings } from './map-checks.ts';
import { listeningFinding } from './network/listening-checks.ts';
import { reachabilityFindings } from './network/reachability-checks.ts';
import { telemetryFindings } from './network/telemetry-checks.ts';
import { processFindings } from './process-checks.ts';
import { sandboxFindings } from './sandbox-checks.ts';
import { sellingFindings } from './selling-checks.ts';
import { settingsFindings } from './settings-checks.ts';

/** A database that does not answer within this time counts as unavailable. */
const DATABASE_TIMEOUT_MS = 7_000;
const TOTAL_TIMEOUT_MS = 9_500;

export const doctorCommand: Command = {
  name: 'doctor',
  usage: 'doctor [--processes N|auto] [--json]',
  details: `Checks settings, database, clock, sources, worker, push and disk; takes 10 seconds at most and changes nothing.
Connects to the services that are switched on to see whether they are reachable, and sends them no request; of Stripe
it reads the prices of the plans, what is set there, and the newest subscriptions, of FOLLOW_URL what it announces.
  --processes N   also whether so many serving processes on one address fit this machine and its database`,
  flags: { processes: { type: 'string' } },
  args: { min: 0, max: 0 },
  async run(call) {
    const findings = await examine(call);
    for (const finding of findings) printFinding(finding, call.flags.json === true, call.terminal);
    const bad = findings.filter(({ ok }) => !ok).map(({ check }) => check);
    if (bad.length === 0) return 0;
    throw new CommandError(`${bad.length} of ${findings.length} checks failed: ${bad.join(', ')}`);
  },
};

async function examine(call: CommandCall): Promise<Finding[]> {
  const processes = typeof call.flags.processes === 'string' ? processCount(call.flags.processes) : null;
  const program = pass(
    'program',
    `Pompa ${version()}, Node.js ${process.version}, ${process.platform} ${process.arch}`,
  );
  let config: Config;
  try {
    config = call.config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'fix it, then run doctor again: the other checks need the settings; docs/SETTINGS.md lists them';
    return [program, fail('settings', error.message, advice)];
  }
  const now = Date.now();
  const findings = await Promise.all([
    settingsFindings(config),
    sandboxFindings(config),
    processes === null ? [] : processFindings(processes, config),
    withTotalTimeout(databaseFindings({ config, processes, open: () => openWithTimeout(call), clock: Date.now })),
    diskFindings(config),
    backupFolderFindings(config),
    dumpFindings(config, now),
    mapFindings(config),
    followFindings(config, now),
    reachabilityFindings(config, now),
    sellingFindings(config),
    listeningFinding(config).then((finding) => [finding]),
    telemetryFindings(config),
  ]);
  return [program, ...findings.flat()];
}

/** Also bounds the wait for a database that stops answering between two queries. */
async function withTotalTimeout(findings: Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await withTimeout(TOTAL_TIMEOUT_MS, findings);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const detail = `it did not answer everything within ${TOTAL_TIMEOUT_MS / 1000} s`;
    return [fail('database', detail, 'check its load and the network in between')];
  }
}

function openWithTimeout({ config, signal }: CommandCall) {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DATABASE_TIMEOUT_MS)]);
  return openUnmigrated(config, createLog(config), deadline, 1).catch((error) => {
    signal.throwIfAborted();
    throw deadline.aborted ? new CommandError(`it was not ready within ${DATABASE_TIMEOUT_MS / 1000} s`) : error;
  });
}

function printFinding(finding: Finding, json: boolean, { out }: Terminal): void {
  if (json) {
    out(JSON.stringify(finding));
    return;
  }
  out(`${finding.ok ? 'ok  ' : 'BAD '} ${finding.check}: ${finding.detail}`);
  if (finding.advice !== null) out(`     ${finding.advice}`);
}
