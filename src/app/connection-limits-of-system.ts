/** How many connections a service may accept: each is an open file, and the system limits a process's open files. */
import { readFileSync } from 'node:fs';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../api/http/connection/connection-limits.ts';

/** For the database, the archive, certificates and child processes. */
const RESERVED_FILES = 200;

/** @param procLimits the content of `/proc/self/limits`; `null` = not Linux, so the limit is unknown. */
export function maxConnections(procLimits: string | null = readProcLimits()): number {
  // Node has raised the soft limit to the hard one by now.
  const files = Number(/^Max open files +(\d+) /m.exec(procLimits ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.min(CONNECTION_LIMITS.connections, files - RESERVED_FILES));
}

/** Of few connections a client may hold an eighth, and a network a quarter. */
const [CLIENT_PART, NETWORK_PART] = [8, 4];

/**
 * The connections that all clients, one client and one network may hold in this process. The system spreads them over
 * the processes that serve an address: shares of clients and networks are divided, the connections of all are not.
 */
export function limitsForOpenFiles(
  processes = 1,
  procLimits: string | null = readProcLimits(),
): Pick<ConnectionLimits, 'connections' | 'connectionsPerClient' | 'connectionsPerNetwork'> {
  const connections = maxConnections(procLimits);
  const { connectionsPerClient, connectionsPerNetwork } = CONNECTION_LIMITS;
  const share = (most: number, part: number) =>
    Math.max(1, Math.min(Math.ceil(most / processes), Math.floor(connections / part)));
  return {
    connections,
    connectionsPerClient: share(connectionsPerClient, CLIENT_PART),
    connectionsPerNetwork: share(connectionsPerNetwork, NETWORK_PART),
  };
}

function readProcLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}
