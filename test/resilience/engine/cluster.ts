/** The processes of one run on a DATA_DIR of its own: two that serve, and whatever collects and imports. */
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Connection } from '../../../src/store/embedded/client-sockets.ts';
import { NAME, readPassword } from '../../../src/store/embedded/cluster.ts';
import { removeCluster } from '../../../src/store/embedded/remove.ts';
import { PORT, runFolder } from '../../../src/store/embedded/socket-directory.ts';
import { type Child, start } from '../../support/child-process.ts';
import { BEHIND_LOOPBACK } from '../../support/client-addresses.ts';
import { homeOf, keeperOf, sigkill, until } from '../../support/embedded-database.ts';
import { openRegister, type SmallCountry, smallCountry, type TellingRegister } from './controlled-country.ts';
import { Oracle } from './oracle.ts';
import { Publications } from './publications.ts';
import { Server } from './served-process.ts';

const SERVERS = ['A', 'B'];

export type Setting = {
  /** A folder that is there, for everything on disk; deleted in the end. */
  readonly folder: string;
  /** What its processes are told otherwise than usual. */
  readonly settings: Readonly<Record<string, string>>;
  /** How long an answer may take, ms. */
  readonly answeredWithinMs: number;
  /** Called when all its processes have ended, before the database is deleted. */
  readonly onEnd: () => Promise<void>;
};

const usual = (): Setting => ({
  folder: mkdtempSync(path.join(os.tmpdir(), 'pompa-crash-')),
  settings: {},
  answeredWithinMs: 5_000,
  onEnd: async () => undefined,
});
const SETTLED_WITHIN_MS = 30_000;

/** How a program ended: acknowledged = exit 0. */
export type Ended = {
  readonly code: number | null;
  readonly said: string;
  /** What it said on stderr, where that was listened to. */
  readonly complaint: string;
};

/** A collection under way. */
export type Running = {
  readonly collection: number;
  readonly child: Child;
  readonly register: TellingRegister;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>;
};

export type CollectPlan = {
  /** How long its lease lasts, ms; `null` = `bin/pompa collect` itself, with the lease of every day. */
  readonly leaseMs: number | null;
  /** Told the number of each question it asks the register. */
  readonly onQuestion?: (number: number, child: Child) => void;
  /** Whether its stderr is listened to; else it goes to the log of all. */
  readonly heard?: boolean;
};

export class Stage {
  readonly world: SmallCountry;
  readonly oracle: Oracle;
  readonly publications = new Publications();
  readonly servers: readonly Server[];
  readonly dataDir: string;
  readonly #setting: Setting;
  readonly #folder: string;
  readonly #log: number;
  readonly #children = new Set<Child>();

  constructor(setting: Setting = usual()) {
    this.#setting = setting;
    this.#folder = setting.folder;
    this.dataDir = path.join(this.#folder, 'data');
    this.world = smallCountry(Date.now());
    this.oracle = new Oracle(this.world);
    this.#log = openSync(path.join(this.#folder, 'said.log'), 'a');
    const { oracle, publications } = this;
    const { answeredWithinMs } = setting;
    const parts = { settings: this.settings, log: this.#log, oracle, publications, answeredWithinMs };
    this.servers = SERVERS.map((name) => new Server({ ...parts, name }));
  }

  /** Starts the serving processes, publishes once, and lets the readers loose. */
  async open(leaseMs: number): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start(0)));
    const first = await this.collect({ leaseMs });
    const { code } = await first.ended;
    if (code !== 0) throw new Error(`the first collection ended with ${code}: ${this.log()}`);
    await this.settle(first.collection);
    for (const server of this.servers) server.read();
  }

  /** Ends every process it started and deletes everything. */
  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end()));
    for (const child of this.#children) {
      sigkill(child.pid);
      await child.end();
    }
    await this.#setting.onEnd();
    const keeper = await keeperOf(await homeOf(this.dataDir));
    // With its last user gone it would end by itself; asked to, it does so two seconds sooner.
    if (keeper !== undefined) process.kill(keeper, 'SIGTERM');
    await removeCluster(this.dataDir);
    closeSync(this.#log);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Begins a collection with prices of its own. */
  async collect({ leaseMs, onQuestion, heard = false }: CollectPlan): Promise<Running> {
    const collection = this.publications.next();
    const register = await openRegister(this.world, collection, (number) => onQuestion?.(number, child));
    const settings = { ...this.settings, REGISTER_URL: register.url };
    const errors = heard ? 'pipe' : this.#log;
    const child: Child =
      leaseMs === null
        ? start('bin/pompa', ['collect', 'register'], settings, errors)
        : start(
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
    const child = start('bin/pompa', ['import', 'history', file], this.settings, this.#log);
    return { child, ended: this.#endOf(child).finally(() => rmSync(file, { force: true })) };
  }

  /** Waits until every serving process answers with a collection. */
  async settle(collection: number): Promise<void> {
    let last: unknown;
    const serves = (server: Server) => async () => {
      last = await server.collection().catch((error: Error) => error.message);
      return last === collection;
    };
    for (const server of this.servers) {
      await until(`answers of collection ${collection}`, SETTLED_WITHIN_MS, serves(server)).catch((error: Error) => {
        throw new Error(`${error.message}; at last: ${last}`);
      });
    }
  }

  /** The way to the database that makes nobody a user of it: the keeper does not know of it. */
  async connection(): Promise<Connection> {
    const home = await homeOf(this.dataDir);
    const host = runFolder(home) as string;
    return { host, port: PORT, user: NAME, password: readPassword(home), database: NAME };
  }

  /** Open file for what its processes log. */
  get said(): number {
    return this.#log;
  }

  /** What the processes said last. */
  log(): string {
    return readFileSync(path.join(this.#folder, 'said.log'), 'utf8').split('\n').slice(-60).join('\n');
  }

  async #endOf(child: Child): Promise<Ended> {
    this.#children.add(child);
    const { stdout, stderr } = child.process;
    const [said, complaint] = await Promise.all([
      stdout === null ? '' : text(stdout),
      stderr === null ? '' : text(stderr),
      once(child.process, 'exit'),
    ]);
    this.#children.delete(child);
    return { code: child.process.exitCode, said, complaint };
  }

  /** What its processes are told. */
  get settings(): Record<string, string> {
    return {
      DATA_DIR: this.dataDir,
      DATABASE_URL: '',
      PORT: '0',
      ...BEHIND_LOOPBACK,
      SOURCES: 'register',
      REGISTER_URL: 'http://127.0.0.1:9/pmonsvc/Gas',
      REGISTER_PAUSE_MS: '0',
      REGISTER_PARALLEL: '16',
      LOG_LEVEL: 'warn',
      // Processes that are killed leave no coverage, and the others need not spend their time on it.
      NODE_V8_COVERAGE: '',
      // As bin/pompa does for itself.
      NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../../node_modules/.cache/pompa'),
      ...this.#setting.settings,
    };
  }
}
