/** `pompa serve --processes`: several serving processes on one address, and their supervisor, which serves nothing. */
import { isatty } from 'node:tty';
import type { Terminal } from '../../app/command.ts';
import { packageMismatch } from '../../app/installed-packages.ts';
import { createLog } from '../../app/log/process-log.ts';
import { startMetricsServer } from '../../app/metrics-server.ts';
import { bindSockets } from '../../app/processes/bind-sockets.ts';
import { mergedMetrics } from '../../app/processes/merge-metrics.ts';
import { drainingInMemory } from '../../app/processes/process-count.ts';
import { startServingChild } from '../../app/processes/serving-child.ts';
import { ServingSupervisor } from '../../app/processes/serving-supervisor.ts';
import { otherRelease } from '../../app/settings/other-release.ts';
import { version } from '../../app/settings/version.ts';
import { afterStopDelay } from '../../app/stop-delay.ts';
import { type Config, PROJECT_DIR } from '../../config/config.ts';
import { ClaimTable } from '../../store/limits/acceptance-claims.ts';
import { processFindings } from '../doctor/process-checks.ts';

const STDERR = 2;

export type ProcessesCall = {
  readonly processes: number;
  /** Whether the scheduled work is done as well, by one of the processes. */
  readonly worker: boolean;
  readonly config: Config;
  readonly terminal: Terminal;
  /** Aborted when all are to end. */
  readonly signal: AbortSignal;
};

/** Runs the processes until the signal; the number is the exit code. Throws `CommandError` when none can serve. */
export async function serveInProcesses({
  processes,
  worker,
  config,
  terminal,
  signal,
}: ProcessesCall): Promise<number> {
  const log = createLog(config, { pid: process.pid });
  const running = version();
  const obstacle = () => otherRelease(running, version);
  for (const { ok, detail, advice } of processFindings(processes, config)) if (!ok) log.warn(`${detail}; ${advice}`);
  const { host, sockets } = await bindSockets(config.HOST, config.PORT, processes);
  const claims = new ClaimTable();
  const ended = new AbortController();
  const stopRequested = AbortSignal.any([signal, ended.signal]);
  const supervisor = new ServingSupervisor({
    processes,
    stopRequested,
    obstacle,
    maxDraining: drainingInMemory(processes),
    start: (number, takesOver) => {
      const socket = sockets[number - 1] as (typeof sockets)[number];
      return startServingChild(socket, { number, processes, host, takesOver, worker: worker && number === 1 }, claims);
    },
    onServing: (address) => terminal.out(`listening on ${address}`),
    log,
  });
  const text = async () => mergedMetrics(await supervisor.metrics(), supervisor.counts);
  const metricsServer = await startMetricsServer({ text }, config, log);
  const reload = () => {
    // A terminal that closes sends this signal, too.
    if (terminal.interactive && !isatty(STDERR)) return ended.abort();
    const mismatch = obstacle() ?? packageMismatch(PROJECT_DIR);
    if (mismatch !== null) log.error(`no reload: ${mismatch}`);
    else void supervisor.reload();
  };
  const kill = () => supervisor.kill();
  process.on('SIGHUP', reload).once('exit', kill);
  const stopped = afterStopDelay(stopRequested, config.STOP_DELAY, log);
  // What waits in the sockets is refused once nobody will serve it.
  const closeSockets = () => {
    for (const socket of sockets) socket[Symbol.dispose]();
  };
  stopped.addEventListener('abort', closeSockets, { once: true });
  try {
    await supervisor.run(stopped);
  } finally {
    process.off('SIGHUP', reload).off('exit', kill);
    await metricsServer.close();
  }
  return 0;
}
