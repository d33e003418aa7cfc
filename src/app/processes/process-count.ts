/** How many processes `serve --processes` runs. */
import os from 'node:os';
import { UsageError } from '../command.ts';

/** More would share few cores, and the address of a client among too many. */
const MOST_PROCESSES = 64;

/** What a serving process holds with a country of real size; see bench/scaling/processes.ts. */
export const PROCESS_BYTES = 250e6;
/** What is left to the system, PostgreSQL and the worker. */
const RESERVED_BYTES = 500e6;

export type Machine = {
  readonly cores: number;
  /** The memory that processes may use, bytes: that of the machine, or of the control group. */
  readonly memoryBytes: number;
};

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  // 0 or an absurd number = no limit of a control group.
  const constrained = process.constrainedMemory();
  const memoryBytes = constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
  return { cores: os.availableParallelism(), memoryBytes };
}

/** The serving processes that the memory has room for; at least one. */
export function processesInMemory({ memoryBytes }: Machine): number {
  return Math.max(1, Math.floor((memoryBytes - RESERVED_BYTES) / PROCESS_BYTES));
}

/** Where there are too many replaced processes, a reload has the oldest end once it has drained for so long, ms. */
export const MIN_DRAIN_MS = 5_000;

/**
 * How many replaced processes the memory has room for while they serve their open connections on, beside those that
 * have replaced them; at least one, and as many as there are processes at most.
 */
export function drainingInMemory(processes: number, machine: Machine = thisMachine()): number {
  return Math.max(1, Math.min(processes, processesInMemory(machine) - processes));
}

/** Reads the value of `--processes`; `auto` = one per core, as far as the memory goes. Throws `UsageError`. */
export function processCount(text: string, machine: Machine = thisMachine()): number {
  if (text === 'auto') return Math.min(machine.cores, processesInMemory(machine), MOST_PROCESSES);
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_PROCESSES) return count;
  throw new UsageError(`--processes must be auto or a number from 1 to ${MOST_PROCESSES}, not ${JSON.stringify(text)}`);
}
