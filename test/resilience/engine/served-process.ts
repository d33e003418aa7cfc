/** One serving process, started again whenever it was killed, and read without a pause: every answer is judged. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from '../../../src/store/embedded/postmaster.ts';
import { newAddress } from '../../support/builders/client-addresses.ts';
import { type Child, listeningAddress, startChild } from '../../support/processes/child-process.ts';
import { checkedPaths, identifyAnswer } from './answer-checks.ts';
import type { Oracle } from './oracle.ts';
import type { PublicationLog } from './publications.ts';

/** Between two answers, so that the readers leave the machine to those they watch. */
const PACE_MS = 15;

export type ServedProcessOptions = {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Open file for what it logs. */
  readonly log: number;
  readonly oracle: Oracle;
  readonly publications: PublicationLog;
  /** An answer that takes longer is none, ms. */
  readonly answeredWithinMs: number;
};

export class ServedProcess {
  readonly #options: ServedProcessOptions;
  #child: Child | undefined;
  #address = '';
  #generation = 0;
  /** The collections seen in each life since they were last looked at, one after another. */
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

  /** Where it listens in its present life. */
  get address(): string {
    return this.#address;
  }

  /** How often its first answer after a start was of an older publication: from the last good state. */
  get staleStarts(): number {
    return this.#staleStarts;
  }

  /** How long the slowest answer took that was read, ms. */
  get slowestMs(): number {
    return this.#slowestMs;
  }

  /** Starts it; `floor` is the collection that its answers must not be older than. */
  async start(floor: number): Promise<void> {
    const { settings, log } = this.#options;
    this.#child = startChild('bin/pompa', ['serve', '--no-worker'], settings, log);
    this.#address = await listeningAddress(this.#child);
    this.#generation += 1;
    this.#servedCollections.push([floor]);
  }

  /** Reads on and on, from when it has something to say. */
  startReading(): void {
    this.#stop = new AbortController();
    this.#reading = this.#readLoop(this.#generation, this.#stop.signal);
  }

  /** Kills it as the kernel does when memory runs out. */
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

  /** Asks it to end; whether it did so in order, or had ended before. */
  async end(): Promise<boolean> {
    this.#stop.abort();
    await this.#reading;
    await this.#child?.end();
    return this.#child?.process.exitCode === 0;
  }

  /** One answer of now, as text, to a client that never asked before. */
  async ask(address: string, signal = AbortSignal.timeout(this.#options.answeredWithinMs)): Promise<string> {
    const response = await fetch(this.#address + address, { signal, headers: { 'X-Forwarded-For': newAddress() } });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`status ${response.status}: ${body.slice(0, 200)}`);
    return body;
  }

  /** Which collection it serves now. */
  async collection(): Promise<number> {
    const { oracle, publications } = this.#options;
    const address = '/api/v1/retele';
    return identifyAnswer(oracle, address, await this.ask(address), publications.latest).collection;
  }

  /** Judges every address once, each of which must be of this collection. */
  async compare(collection: number, stations: readonly string[]): Promise<void> {
    const { oracle, publications, name } = this.#options;
    for (const address of checkedPaths(oracle, stations)) {
      const found = identifyAnswer(oracle, address, await this.ask(address), publications.latest).collection;
      publications.reads += 1;
      if (found !== collection) publications.addViolation(`${name}${address}: collection ${found}, not ${collection}`);
    }
  }

  /** Holds that no life of it ever went back: `versionOf` gives the order in which collections were published. */
  checkOrder(versionOf: (collection: number) => number): void {
    const { publications, name } = this.#options;
    for (const collections of this.#servedCollections) {
      const versions = collections.map(versionOf);
      if (versions.some((version, index) => version <= (versions[index - 1] ?? -1))) {
        publications.addViolation(`${name} served the collections ${collections} one after another`);
      }
    }
    this.#servedCollections = [[this.#servedCollections.at(-1)?.at(-1) ?? 0]];
  }

  async #readLoop(generation: number, stop: AbortSignal): Promise<void> {
    const { oracle, publications, name, answeredWithinMs } = this.#options;
    const all = checkedPaths(oracle, oracle.ids.slice(0, 5));
    for (let turn = 0; !stop.aborted; turn += 1) {
      const address = all[turn % all.length] as string;
      const where = `${name}, life ${generation}, ${address}`;
      try {
        const asked = performance.now();
        const body = await this.ask(address, AbortSignal.any([stop, AbortSignal.timeout(answeredWithinMs)]));
        this.#slowestMs = Math.max(this.#slowestMs, performance.now() - asked);
        this.#note(identifyAnswer(oracle, address, body, publications.latest), where, turn === 0);
      } catch (error) {
        // A process that is being killed owes no answer; any other one does, whatever has become of the database.
        if (!stop.aborted) publications.addViolation(`${where}: ${(error as Error).message}`);
      }
      await sleep(PACE_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  #note({ collection, updatedAt }: ReturnType<typeof identifyAnswer>, where: string, first: boolean): void {
    const { publications } = this.#options;
    publications.reads += 1;
    if (first && collection < Math.max(...publications.seen.keys())) this.#staleStarts += 1;
    const collections = this.#servedCollections.at(-1);
    if (collections?.at(-1) !== collection) collections?.push(collection);
    publications.recordSeen(collection, updatedAt, where);
  }
}
