/** Readers that send one request after another, and record each that gets no answer. Nothing is sent twice. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAddress } from '../../support/builders/client-addresses.ts';

/** A request without an answer of status 200. */
export type LostRequest = { readonly startedAt: number; readonly path: string; readonly why: string };

export type ReaderKind = {
  /** Whether the connection stays open from one request to the next, as long as the server allows. */
  readonly keepAlive: boolean;
  /** Between two requests, ms. */
  readonly pauseMs: number;
};

/** A request whose connection waits for a process to start. */
const TIMEOUT_MS = 60_000;

export class SteadyReaders {
  readonly lost: LostRequest[] = [];
  readonly #stop = new AbortController();
  readonly #readers: Promise<void>[] = [];
  #answered = 0;
  #connections = 0;
  #slowestMs = 0;

  /** Starts that many readers, which request the paths in turn. */
  start(address: string, paths: readonly string[], kind: ReaderKind, readers: number): void {
    for (let index = 0; index < readers; index += 1) this.#readers.push(this.#read(address, paths, kind));
  }

  get answered(): number {
    return this.#answered;
  }

  /** Connections that were opened. */
  get connections(): number {
    return this.#connections;
  }

  get slowestMs(): number {
    return this.#slowestMs;
  }

  /** How many requests are under way at most. */
  get readers(): number {
    return this.#readers.length;
  }

  /** Resolves after the last answers. */
  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#readers);
  }

  async #read(address: string, paths: readonly string[], { keepAlive, pauseMs }: ReaderKind): Promise<void> {
    const agent = new http.Agent({ keepAlive, maxSockets: 1 });
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      const path = paths[turn % paths.length] as string;
      const startedAt = performance.now();
      try {
        const status = await this.#ask(`${address}${path}`, agent);
        if (status !== 200) throw new Error(`status ${status}`);
        this.#answered += 1;
        this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        this.lost.push({ startedAt, path, why: code ?? message });
      }
      await sleep(pauseMs);
    }
    agent.destroy();
  }

  #ask(url: string, agent: http.Agent): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = http.get(url, { agent, timeout: TIMEOUT_MS, headers: { 'X-Forwarded-For': newAddress() } });
      request.on('socket', () => {
        if (!request.reusedSocket) this.#connections += 1;
      });
      request.on('timeout', () => request.destroy(new Error('no answer in time'))).on('error', reject);
      request.on('response', (response) => {
        response.on('error', reject).on('aborted', () => reject(new Error('the answer was cut')));
        response.on('end', () => resolve(response.statusCode ?? 0)).resume();
      });
    });
  }
}
