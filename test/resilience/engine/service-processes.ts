/** The processes of one test run on their own DATA_DIR: two servers, collectors and imports. */
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Connection } from '../../../src/store/embedded/client-sockets.ts';
import { DATABASE_NAME, readPassword } from '../../../src/store/embedded/postgres-cluster.ts';
import { removeEmbeddedDatabase } from '../../../src/store/embedded/remove.ts';
import { findSocketDirectory, PORT } from '../../../src/store/embedded/socket-directory.ts';
import { TRUST_LOOPBACK } from '../../support/builders/client-addresses.ts';
import { homeOf, sigkill, supervisorPid, waitFor } from '../../support/database/embedded-database.ts';
import { type Child, startChild } from '../../support/processes/child-process.ts';
import {
  type ControlledCountry,
  type CountingRegister,
  controlledCountry,
  openRegister,
} from './controlled-country.ts';
import { Oracle } from './oracle.ts';
import { PublicationLog } from './publications.ts';
import { ServedProcess } from './served-process.ts';

const TWO_SERVERS = new Map([
  ['A', {}],
  ['B', {}],
]);

export type ServiceProcessesOptions = {
  /** An existing folder for all files; it is deleted at the end. */
  readonly folder: string;
  /** Settings of the processes that differ from the usual ones. */
  readonly settings: Readonly<Record<string, string>>;
  /** The longest that an answer may take, ms. */
  readonly answeredWithinMs: number;
  /** The servers by name, with the settings that each has alone; by default two with the same ones. */
  readonly servers?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** The pause between two requests of the reader of a server, ms. */
  readonly readerPauseMs?: number;
  /** How checks reach the database; by default it is the embedded one of `dataDir`. */
  readonly database?: Connection;
  /** Called when all processes have exited, before the database is deleted. */
  readonly onEnd: () => Promise<void>;
};

const defaultOptions = (): ServiceProcessesOptions => ({
  folder: mkdtempSync(path.join(os.tmpdir(), 'pompa-crash-')),
  settings: {},
  answeredWithinMs: 20_000,
  onEnd: async () => undefined,
});
const SETTLED_WITHIN_MS = 30_000;

/** How a process ended; code 0 acknowledges its work. */
export type ProcessResult = {
  readonly code: number | null;
  readonly output: string;
  /** Its stderr, if it was captured. */
  readonly errorOutput: string;
};

/** A collection under way. */
export type RunningCollection = {
  readonly collection: number;
  readonly child: Child;
  readonly register: CountingRegister;
  /** Resolves when the process has exited. */
  readonly ended: Promise<ProcessResult>;
};

export type CollectionOptions = {
  /** How long its lease lasts, ms; `null` = `bin/pompa collect` itself, with its usual lease. */
  readonly leaseMs: number | null;
  /** Receives the number of each request to the register. */
  readonly onRequest?: (number: number, child: Child) => void;
  /** Whether its stderr is captured; otherwise it goes to the common log. */
  readonly captureStderr?: boolean;
};

export class ServiceProcesses {
  readonly world: ControlledCountry;
  readonly oracle: Oracle;
  readonly publications = new PublicationLog();
  readonly servers: readonly ServedProcess[];
  readonly dataDir: string;
  readonly #options: ServiceProcessesOptions;
  readonly #folder: string;
  readonly #log: number;
  readonly #children = new Set<Child>();

  constructor(options: ServiceProcessesOptions = defaultOptions()) {
    this.#options = options;
    this.#folder = options.folder;
    this.dataDir = path.join(this.#folder, 'data');
    this.world = controlledCountry(Date.now());
    this.oracle = new Oracle(this.world);
    this.#log = openSync(path.join(this.#folder, 'output.log'), 'a');
    const { oracle, publications } = this;
    const { answeredWithinMs, servers = TWO_SERVERS, readerPauseMs: pauseMs } = options;
    const serverOptions = { log: this.#log, oracle, publications, answeredWithinMs, pauseMs };
    this.servers = [...servers].map(
      ([name, own]) => new ServedProcess({ ...serverOptions, name, settings: { ...this.settings, ...own } }),
    );
  }

  /** Starts the servers, publishes once, and starts the readers. */
  async open(leaseMs: number | null): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start(0)));
    const first = await this.collect({ leaseMs });
    const { code } = await first.ended;
    if (code !== 0) throw new Error(`the first collection ended with ${code}: ${this.log()}`);
    await this.waitUntilServed(first.collection);
    for (const server of this.servers) server.startReading();
  }

  /** Ends every process and deletes everything. */
  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end()));
    for (const child of this.#children) {
      sigkill(child.pid);
      await child.end();
    }
    await this.#options.onEnd();
    if (this.#options.database === undefined) await this.#endEmbeddedDatabase();
    closeSync(this.#log);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #endEmbeddedDatabase(): Promise<void> {
    const supervisor = await supervisorPid(await homeOf(this.dataDir));
    // The supervisor would exit by itself after its last user; SIGTERM saves two seconds.
    if (supervisor !== undefined) process.kill(supervisor, 'SIGTERM');
    await removeEmbeddedDatabase(this.dataDir);
  }

  /** Starts a collection with its own prices. */
  async collect({ leaseMs, onRequest, captureStderr = false }: CollectionOptions): Promise<RunningCollection> {
    const collection = this.publications.nextCollection();
    const register = await openRegister(this.world, collection, (number) => onRequest?.(number, child));
    const settings = { ...this.settings, REGISTER_URL: register.url };
    const errors = captureStderr ? 'pipe' : this.#log;
    const child: Child =
      leaseMs === null
        ? startChild('bin/pompa', ['collect', 'register'], settings, errors)
        : startChild(
            'test/resilience/processes/collector.ts',
            [String(leaseMs), JSON.stringify(this.world.units)],
            settings,
            errors,
          );
    const ended = this.#endOf(child).finally(() => register.close());
    return { collection, child, register, ended };
  }

  /** Starts an import of daily prices. */
  importDays(rows: readonly { date: string; station: string; fuel: string; price: number }[]) {
    const file = path.join(this.#folder, `days-${performance.now()}.json`);
    writeFileSync(file, JSON.stringify(rows));
    const child = startChild('bin/pompa', ['import', 'history', file], this.settings, this.#log);
    return { child, ended: this.#endOf(child).finally(() => rmSync(file, { force: true })) };
  }

  /** Waits until every server answers with the prices of a collection. */
  async waitUntilServed(collection: number): Promise<void> {
    let last: unknown;
    const serves = (server: ServedProcess) => async () => {
      last = await server.collection().catch((error: Error) => error.message);
      return last === collection;
    };
    for (const server of this.servers) {
      await waitFor(`answers of collection ${collection}`, SETTLED_WITHIN_MS, serves(server)).catch((error: Error) => {
        throw new Error(`${error.message}; last seen: ${last}`);
      });
    }
  }

  /** How to reach the database; of the embedded one directly, so that its supervisor does not know. */
  async connection(): Promise<Connection> {
    if (this.#options.database !== undefined) return this.#options.database;
    const home = await homeOf(this.dataDir);
    const host = findSocketDirectory(home) as string;
    return { host, port: PORT, user: DATABASE_NAME, password: readPassword(home), database: DATABASE_NAME };
  }

  /** The open log file of the processes. */
  get logFile(): number {
    return this.#log;
  }

  /** The last lines that the processes logged. */
  log(): string {
    return readFileSync(path.join(this.#folder, 'output.log'), 'utf8').split('\n').slice(-60).join('\n');
  }

  async #endOf(child: Child): Promise<ProcessResult> {
    this.#children.add(child);
    const { stdout, stderr } = child.process;
    const [output, errorOutput] = await Promise.all([
      stdout === null ? '' : text(stdout),
      stderr === null ? '' : text(stderr),
      once(child.process, 'exit'),
    ]);
    this.#children.delete(child);
    return { code: child.process.exitCode, output, errorOutput };
  }

  /** The settings of the processes. */
  get settings(): Record<string, string> {
    return {
      DATA_DIR: this.dataDir,
      DATABASE_URL: '',
      PORT: '0',
      ...TRUST_LOOPBACK,
      SOURCES: 'register',
      REGISTER_URL: 'http://127.0.0.1:9/pmonsvc/Gas',
      REGISTER_PAUSE_MS: '0',
      REGISTER_PARALLEL: '16',
      LOG_LEVEL: 'warn',
      // Killed processes write no coverage data, and the others would only lose time with it.
      NODE_V8_COVERAGE: '',
      // The same cache as bin/pompa sets.
      NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../../node_modules/.cache/pompa'),
      ...this.#options.settings,
    };
  }
}
