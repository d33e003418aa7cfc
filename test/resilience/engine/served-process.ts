/** A server that is restarted after each kill; a reader requests and checks its answers continuously. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from '../../../src/store/embedded/postmaster.ts';
import { newAddress } from '../../support/builders/client-addresses.ts';
import { type Child, listeningAddress, startChild } from '../../support/processes/child-process.ts';
import { checkedPaths, identifyAnswer } from './answer-checks.ts';
import type { Oracle } from './oracle.ts';
import type { PublicationLog } from './publications.ts';

const PAUSE_MS = 15;

export type ServedProcessOptions = {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Open file for what it logs. */
  readonly log: number;
  readonly oracle: Oracle;
  readonly publications: PublicationLog;
  /** An answer that takes longer counts as missing, ms. */
  readonly answeredWithinMs: number;
  /** Between two requests of the reader, ms; by default 15, which leaves the CPU to the processes under test. */
  readonly pauseMs?: number | undefined;
};

export class ServedProcess {
  readonly #options: ServedProcessOptions;
  #child: Child | undefined;
  #address = '';
  #generation = 0;
  /** For each start, the collections served since the last check, in order. */
  #servedCollections: number[][] = [];
  #reading: Promise<void> = Promise.resolve();
  #stop = new AbortController();
  #staleStarts = 0;
  #slowestMs = 0;

  constructor(options: ServedProcessOptions) {
    this.#options = options;
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  get isRunning(): boolean {
    const child = this.#child?.process;
    return child?.exitCode === null && child.signalCode === null;
  }

  /** The address it currently listens on. */
  get address(): string {
    return this.#address;
  }

  /** Starts whose first answer was from an older publication, that of the last good state. */
  get staleStarts(): number {
    return this.#staleStarts;
  }

  /** How long the slowest answer took, ms. */
  get slowestMs(): number {
    return this.#slowestMs;
  }

  /** Starts the process; no answer may be from an older collection than `floor`. */
  async start(floor: number): Promise<void> {
    const { settings, log } = this.#options;
    this.#child = startChild('bin/pompa', ['serve', '--no-worker'], settings, log);
    this.#address = await listeningAddress(this.#child);
    this.#generation += 1;
    this.#servedCollections.push([floor]);
  }

  /** Starts the reader; the process must already have data to serve. */
  startReading(): void {
    this.#stop = new AbortController();
    this.#reading = this.#readLoop(this.#generation, this.#stop.signal);
  }

  /** Kills the process with SIGKILL, as the kernel's out-of-memory killer does. */
  async kill(): Promise<void> {
    const { process: child } = this.#child as Child;
    this.#stop.abort();
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      sendSignal(this.pid, 'SIGKILL');
      await ended;
    }
    await this.#reading;
  }

  /** Stops the process; returns whether it exited with 0. */
  async end(): Promise<boolean> {
    this.#stop.abort();
    await this.#reading;
    await this.#child?.end();
    return this.#child?.process.exitCode === 0;
  }

  /** Requests an address from a new client address; returns the body. */
  async ask(address: string, signal = AbortSignal.timeout(this.#options.answeredWithinMs)): Promise<string> {
    const response = await fetch(this.#address + address, { signal, headers: { 'X-Forwarded-For': newAddress() } });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`status ${response.status}: ${body.slice(0, 200)}`);
    return body;
  }

  /** The collection that the process serves now. */
  async collection(): Promise<number> {
    const { oracle, publications } = this.#options;
    const address = '/api/v1/retele';
    return identifyAnswer(oracle, address, await this.ask(address), publications.latest).collection;
  }

  /** Checks every address once; each answer must be from this collection. */
  async compare(collection: number, stations: readonly string[]): Promise<void> {
    const { oracle, publications, name } = this.#options;
    for (const address of checkedPaths(oracle, stations)) {
      const found = identifyAnswer(oracle, address, await this.ask(address), publications.latest).collection;
      publications.reads += 1;
      if (found !== collection) publications.addViolation(`${name}${address}: collection ${found}, not ${collection}`);
    }
  }

  /** Checks that no process went back to an older collection, in the order of their published versions. */
  checkOrder(versionOf: (collection: number) => number): void {
    const { publications, name } = this.#options;
    for (const collections of this.#servedCollections) {
      const versions = collections.map(versionOf);
      if (versions.some((version, index) => version <= (versions[index - 1] ?? -1))) {
        publications.addViolation(`${name} served the collections ${collections} in this order`);
      }
    }
    this.#servedCollections = [[this.#servedCollections.at(-1)?.at(-1) ?? 0]];
  }

  async #readLoop(generation: number, stop: AbortSignal): Promise<void> {
    const { oracle, publications, name, answeredWithinMs, pauseMs = PAUSE_MS } = this.#options;
    const all = checkedPaths(oracle, oracle.ids.slice(0, 5));
    for (let number = 0; !stop.aborted; number += 1) {
      const address = all[number % all.length] as string;
      const where = `${name}, start ${generation}, ${address}`;
      try {
        const begun = performance.now();
        const body = await this.ask(address, AbortSignal.any([stop, AbortSignal.timeout(answeredWithinMs)]));
        this.#slowestMs = Math.max(this.#slowestMs, performance.now() - begun);
        this.#record(identifyAnswer(oracle, address, body, publications.latest), where, number === 0);
      } catch (error) {
        // A process that is being killed need not answer; any other must, whatever the state of the database.
        if (!stop.aborted) publications.addViolation(`${where}: ${(error as Error).message}`);
      }
      await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  #record({ collection, updatedAt }: ReturnType<typeof identifyAnswer>, where: string, first: boolean): void {
    const { publications } = this.#options;
    publications.reads += 1;
    if (first && collection < Math.max(...publications.seen.keys())) this.#staleStarts += 1;
    const collections = this.#servedCollections.at(-1);
    if (collections?.at(-1) !== collection) collections?.push(collection);
    publications.recordSeen(collection, updatedAt, where);
  }
}
