/** Checks whether this machine and its database can carry a number of serving processes on one address. */
import {
  drainingInMemory,
  type Machine,
  MIN_DRAIN_MS,
  PROCESS_BYTES,
  processesInMemory,
  thisMachine,
} from '../../app/processes/process-count.ts';
import type { Config } from '../../config/config.ts';
import { type Finding, fail, gigabytes, pass } from '../reports/finding.ts';

/** Connections of one process: 10 shared ones, 3 for keys and limits, and one for each of 3 channels. */
const CONNECTIONS_PER_PROCESS = 16;

/** Whether so many processes fit this machine, and whether their metrics have a port. */
export function processFindings(
  processes: number,
  { PORT, METRICS_PORT, FOLLOW_TOKEN }: Pick<Config, 'PORT' | 'METRICS_PORT' | 'FOLLOW_TOKEN'>,
  machine: Machine = thisMachine(),
): Finding[] {
  return [
    countFinding(processes, machine),
    metricsFinding(PORT, METRICS_PORT),
    followedFinding(processes, FOLLOW_TOKEN),
  ];
}

/** Each process relays what it has read itself: parts of two of them do not fit together. */
function followedFinding(processes: number, token: string | null): Finding {
  if (token === null || processes === 1) return pass('followed', 'by no server, or in one process');
  return fail(
    'followed',
    `FOLLOW_TOKEN is set: a server that follows ${processes} processes on one address needs several attempts for a publication, or never has it`,
    'let others follow a serve without --processes; where this one only follows, nothing is wrong',
  );
}

function countFinding(processes: number, machine: Machine): Finding {
  const { cores, memoryBytes } = machine;
  const most = Math.min(cores, processesInMemory(machine));
  const advice = `serve --processes ${most}, or --processes auto`;
  if (processes > processesInMemory(machine)) {
    const needed = gigabytes(processes * PROCESS_BYTES);
    const detail = `${processes} serving processes take about ${needed} of the ${gigabytes(memoryBytes)} here`;
    return fail('processes', detail, `${advice}, or give them more memory`);
  }
  if (processes > cores)
    return fail(
      'processes',
      `${processes} serving processes share ${cores} cores: more than that gain nothing`,
      advice,
    );
  const draining = drainingInMemory(processes, machine);
  const early =
    draining < processes
      ? `; the memory has room for ${draining} that a reload replaces: it closes idle connections of the others after ${MIN_DRAIN_MS / 1000} s`
      : '';
  return pass('processes', `${processes} on ${cores} cores${early}`);
}

function metricsFinding(port: number, metricsPort: number | null): Finding {
  if (metricsPort === null) return pass('metrics', 'off: METRICS_PORT is unset');
  if (metricsPort !== port || port === 0)
    return pass('metrics', `on port ${metricsPort}, those of all processes together`);
  return fail('metrics', `METRICS_PORT and PORT are both ${port}`, 'set METRICS_PORT to another port, such as 9464');
}

/** Those of a replaced process that serves few connections on: 3 for keys and limits, 3 channels, 1 shared. */
const CONNECTIONS_OF_DRAINING = 7;

export type ConnectionUse = {
  /** In use now, by anybody. */
  readonly connections: number;
  /** That the server lets ordinary users have. */
  readonly maxConnections: number;
  /** Whether a pooler is between, which bounds those of Pompa by a limit that nobody can ask for. */
  readonly isPooled?: boolean;
};

/** Whether the database has connections for so many serving processes, and for those that a reload replaces. */
export function connectionsFinding(
  { connections, maxConnections, isPooled = false }: ConnectionUse,
  processes: number | null,
): Finding {
  const inUse = `${connections} of ${maxConnections} in use`;
  if (isPooled)
    return pass('connections', `${inUse} at the server; the limits of the pooler hold for Pompa, and were not checked`);
  const replaced = CONNECTIONS_PER_PROCESS + (processes ?? 0) * CONNECTIONS_OF_DRAINING;
  const atMost = processes === null ? 0 : processes * CONNECTIONS_PER_PROCESS + replaced;
  if (atMost > maxConnections) {
    return fail(
      'connections',
      `${inUse}; ${processes} serving processes, and those that a reload replaces, take up to ${atMost}`,
      `raise max_connections of the server to ${atMost + CONNECTIONS_PER_PROCESS}, or run fewer processes`,
    );
  }
  if (maxConnections - connections >= CONNECTIONS_PER_PROCESS) return pass('connections', inUse);
  return fail(
    'connections',
    `${inUse}; a process of Pompa takes up to ${CONNECTIONS_PER_PROCESS}`,
    'raise max_connections of the server, or run fewer processes',
  );
}
