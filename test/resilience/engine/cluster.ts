/** The processes of one run on a DATA_DIR of its own: two that serve, and whatever collects and imports. */
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Connection } from '../../../src/store/embedded/client-sockets.ts';
import { DATABASE_NAME, readPassword } from '../../../src/store/embedded/cluster.ts';
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

const SERVERS = ['A', 'B'];

export type ClusterOptions = {
  /** A folder that is there, for everything on disk; deleted in the end. */
  readonly folder: string;
  /** What its processes are told otherwise than usual. */
  readonly settings: Readonly<Record<string, string>>;
  /** How long an answer may take, ms. */
  readonly answeredWithinMs: number;
  /** Called when all its processes have ended, before the database is deleted. */
  readonly onEnd: () => Promise<void>;
};

const defaultOptions = (): ClusterOptions => ({
  folder: mkdtempSync(path.join(os.tmpdir(), 'pompa-crash-')),
  settings: {},
  answeredWithinMs: 20_000,
  onEnd: async () => undefined,
});
const SETTLED_WITHIN_MS = 30_000;

/** How a program ended: acknowledged = exit 0. */
export type ProcessResult = {
  readonly code: number | null;
  readonly output: string;
  /** What it said on stderr, where that was listened to. */
  readonly errorOutput: string;
};

/** A collection under way. */
export type RunningCollection = {
  readonly collection: number;
  readonly child: Child;
  readonly register: CountingRegister;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ProcessResult>;
};

export type ClusterCollectOptions = {
  /** How long its lease lasts, ms; `null` = `bin/pompa collect` itself, with the lease of every day. */
  readonly leaseMs: number | null;
  /** Told the number of each question it asks the register. */
  readonly onRequest?: (number: number, child: Child) => void;
  /** Whether its stderr is listened to; else it goes to the log of all. */
  readonly captureStderr?: boolean;
};

export class Cluster {
  readonly world: ControlledCountry;
  readonly oracle: Oracle;
  readonly publications = new PublicationLog();
  readonly servers: readonly ServedProcess[];
  readonly dataDir: string;
  readonly #options: ClusterOptions;
  readonly #folder: string;
  readonly #log: number;
  readonly #children = new Set<Child>();

  constructor(options: ClusterOptions = defaultOptions()) {
    this.#options = options;
    this.#folder = options.folder;
    this.dataDir = path.join(this.#folder, 'data');
    this.world = controlledCountry(Date.now());
    this.oracle = new Oracle(this.world);
    this.#log = openSync(path.join(this.#folder, 'said.log'), 'a');
    const { oracle, publications } = this;
    const { answeredWithinMs } = options;
    const serverOptions = { settings: this.settings, log: this.#log, oracle, publications, answeredWithinMs };
    this.servers = SERVERS.map((name) => new ServedProcess({ ...serverOptions, name }));
  }

  /** Starts the serving processes, publishes once, and lets the readers loose. */
  async open(leaseMs: number): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start(0)));
    const first = await this.collect({ leaseMs });
    const { code } = await first.ended;
    if (code !== 0) throw new Error(`the first collection ended with ${code}: ${this.log()}`);
    await this.waitUntilServed(first.collection);
    for (const server of this.servers) server.startReading();
  }

  /** Ends every process it started and deletes everything. */
  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end()));
    for (const child of this.#children) {
      sigkill(child.pid);
      await child.end();
    }
    await this.#options.onEnd();
    const supervisor = await supervisorPid(await homeOf(this.dataDir));
    // With its last user gone it would end by itself; asked to, it does so two seconds sooner.
    if (supervisor !== undefined) process.kill(supervisor, 'SIGTERM');
    await removeEmbeddedDatabase(this.dataDir);
    closeSync(this.#log);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Begins a collection with prices of its own. */
  async collect({ leaseMs, onRequest, captureStderr = false }: ClusterCollectOptions): Promise<RunningCollection> {
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

  /** Begins an import of daily prices. */
  importDays(rows: readonly { date: string; station: string; fuel: string; price: number }[]) {
    const file = path.join(this.#folder, `days-${performance.now()}.json`);
    writeFileSync(file, JSON.stringify(rows));
    const child = startChild('bin/pompa', ['import', 'history', file], this.settings, this.#log);
    return { child, ended: this.#endOf(child).finally(() => rmSync(file, { force: true })) };
  }

  /** Waits until every serving process answers with a collection. */
  async waitUntilServed(collection: number): Promise<void> {
    let last: unknown;
    const serves = (server: ServedProcess) => async () => {
      last = await server.collection().catch((error: Error) => error.message);
      return last === collection;
    };
    for (const server of this.servers) {
      await waitFor(`answers of collection ${collection}`, SETTLED_WITHIN_MS, serves(server)).catch((error: Error) => {
        throw new Error(`${error.message}; at last: ${last}`);
      });
    }
  }

  /** The way to the database that makes nobody a user of it: the keeper does not know of it. */
  async connection(): Promise<Connection> {
    const home = await homeOf(this.dataDir);
    const host = findSocketDirectory(home) as string;
    return { host, port: PORT, user: DATABASE_NAME, password: readPassword(home), database: DATABASE_NAME };
  }

  /** Open file for what its processes log. */
  get logFile(): number {
    return this.#log;
  }

  /** What the processes said last. */
  log(): string {
    return readFileSync(path.join(this.#folder, 'said.log'), 'utf8').split('\n').slice(-60).join('\n');
  }

  async #endOf(child: Child): Promise<ProcessResult> {
    this.#children.add(child);
    const { stdout, stderr } = child.process;
    const [said, complaint] = await Promise.all([
      stdout === null ? '' : text(stdout),
      stderr === null ? '' : text(stderr),
      once(child.process, 'exit'),
    ]);
    this.#children.delete(child);
    return { code: child.process.exitCode, output: said, errorOutput: complaint };
  }

  /** What its processes are told. */
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
      // Processes that are killed leave no coverage, and the others need not spend their time on it.
      NODE_V8_COVERAGE: '',
      // As bin/pompa does for itself.
      NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../../node_modules/.cache/pompa'),
      ...this.#options.settings,
    };
  }
}
