/** `pompa serve --processes` as an operator runs it, with its log. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sendSignal } from '../../../src/store/embedded/postmaster.ts';
import {
  type Child,
  childrenOf,
  listeningAddress,
  startChild,
  stopProcess,
} from '../../support/processes/child-process.ts';

/** A line of the log. */
type LogLine = { readonly msg: string };

export class SeveralProcesses {
  readonly #child: Child;
  readonly #lines: string[] = [];
  #change = Promise.withResolvers<void>();
  address = '';

  private constructor(child: Child) {
    this.#child = child;
    createInterface({ input: child.process.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      this.#lines.push(messageOf(line));
      this.#change.resolve();
      this.#change = Promise.withResolvers();
    });
  }

  /** Resolves when all of the processes serve. */
  static async start(processes: number, settings: Readonly<Record<string, string>>): Promise<SeveralProcesses> {
    const child = startChild('bin/pompa', ['serve', '--processes', String(processes), '--no-worker'], settings, 'pipe');
    const started = new SeveralProcesses(child);
    started.address = await listeningAddress(child).catch((error: Error) => {
      throw new Error(`${error.message}: ${started.#lines.join('\n')}`);
    });
    for (let number = 1; number <= processes; number += 1)
      await started.logged(new RegExp(`^process ${number} serves`), 0);
    return started;
  }

  /** The supervisor. */
  get pid(): number {
    return this.#child.pid;
  }

  /** The pid of the process that serves with this number now. */
  pidOf(number: number): number {
    const serves = this.#lines.map((line) => new RegExp(`^process ${number} serves, pid (\\d+)`).exec(line)?.[1]);
    return Number(serves.findLast((pid) => pid !== undefined));
  }

  /** The processes that serve, or are starting or ending. */
  get pids(): number[] {
    return childrenOf(this.pid);
  }

  /** How many lines the log has. */
  get logLength(): number {
    return this.#lines.length;
  }

  /** Resolves when the log has such a line, the first of those from a position on. */
  async logged(pattern: RegExp, from: number = this.logLength): Promise<void> {
    while (!this.#lines.slice(from).some((line) => pattern.test(line))) {
      if (this.#child.process.exitCode !== null) throw new Error(`serve ended: ${this.#lines.join('\n')}`);
      await this.#change.promise;
    }
  }

  /** Asks for a reload, and resolves when every process is a new one. */
  async reload(): Promise<void> {
    const from = this.logLength;
    sendSignal(this.pid, 'SIGHUP');
    await this.logged(/^reloaded|^the reload stops/, from);
    const stopped = this.#lines.slice(from).find((line) => line.startsWith('the reload stops'));
    if (stopped !== undefined) throw new Error(stopped);
  }

  /** Kills a process, and resolves when its successor serves, with the moment at which it was gone. */
  async kill(number: number): Promise<{ readonly goneAt: number }> {
    const from = this.logLength;
    sendSignal(this.pidOf(number), 'SIGKILL');
    await this.logged(new RegExp(`^process ${number}, pid \\d+, ended: SIGKILL`), from);
    const goneAt = performance.now();
    await this.logged(new RegExp(`^process ${number} serves`), from);
    return { goneAt };
  }

  /** Stops a process, which then answers nothing. */
  freeze(number: number): void {
    sendSignal(this.pidOf(number), 'SIGSTOP');
  }

  /** Kills the supervisor. */
  async killSupervisor(): Promise<void> {
    const ended = once(this.#child.process, 'exit');
    sendSignal(this.pid, 'SIGKILL');
    await ended;
  }

  /** Stops all, by SIGKILL after 10 s or what is given; returns the exit code. */
  async end(graceMs?: number): Promise<number | null> {
    await stopProcess(this.#child.process, graceMs);
    return this.#child.process.exitCode;
  }
}

function messageOf(line: string): string {
  try {
    return (JSON.parse(line) as LogLine).msg;
  } catch {
    return line;
  }
}
