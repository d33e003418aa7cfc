/** How many connections a service may hold, as the system limits the files of a process: a connection is one. */
import { readFileSync } from 'node:fs';
import { LIMITS } from '../api/http/connection/connection-limits.ts';

/** For the database, the archive, certificates, a process started. */
const OTHER_FILES = 200;

/** @param listing what Linux tells of this process's limits; `null` = another system, which tells nothing. */
export function connectionsAllowed(listing: string | null = ownLimits()): number {
  // Node has raised the soft limit to the hard one by now.
  const files = Number(/^Max open files +(\d+) /m.exec(listing ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.min(LIMITS.connections, files - OTHER_FILES));
}

function ownLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}
