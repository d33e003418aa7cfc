/** How many connections a service may hold, as the system limits the files of a process: a connection is one. */
import { readFileSync } from 'node:fs';
import { CONNECTION_LIMITS } from '../api/http/connection/connection-limits.ts';

/** For the database, the archive, certificates, a process started. */
const RESERVED_FILES = 200;

/** @param procLimits what Linux tells of this process's limits; `null` = another system, which tells nothing. */
export function maxConnections(procLimits: string | null = readProcLimits()): number {
  // Node has raised the soft limit to the hard one by now.
  const files = Number(/^Max open files +(\d+) /m.exec(procLimits ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.min(CONNECTION_LIMITS.connections, files - RESERVED_FILES));
}

function readProcLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}
