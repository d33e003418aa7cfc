/** Two servers and a worker on a database behind PgBouncer in transaction mode. */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import { Clients, type KeyHolder } from '../../resilience/engine/clients.ts';
import { ServiceProcesses } from '../../resilience/engine/service-processes.ts';
import { insertKeys } from '../../support/builders/key-fixture.ts';
import { type Child, startChild } from '../../support/processes/child-process.ts';
import { type PompaResult, runPompa } from '../../support/processes/pompa-process.ts';
import { PostgresServer } from './database-server.ts';
import { PgBouncer } from './pgbouncer.ts';

const POOL_SIZE = 4;
const ROLE = { user: 'pompa', database: 'pompa' };
/** A role that owns nothing. */
export const APP_ROLE = 'pompa_app';
const ANSWERED_WITHIN_MS = 20_000;
const SEED = 5;

export type PooledOptions = {
  /** Whether DATABASE_DIRECT_URL is set. */
  readonly hasDirect: boolean;
  /** Settings of all processes. */
  readonly settings?: Readonly<Record<string, string>>;
};

export class PooledService {
  readonly server: PostgresServer;
  readonly bouncer: PgBouncer;
  readonly processes: ServiceProcesses;
  /** The addresses of the database. */
  readonly settings: Readonly<Record<string, string>>;
  readonly #folder: string;
  #worker: Child | undefined;

  private constructor(server: PostgresServer, bouncer: PgBouncer, { hasDirect, settings = {} }: PooledOptions) {
    this.server = server;
    this.bouncer = bouncer;
    this.#folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-pooled-'));
    this.settings = {
      DATABASE_URL: bouncer.url(ROLE),
      ...(hasDirect && { DATABASE_DIRECT_URL: server.url(ROLE) }),
    };
    this.processes = new ServiceProcesses({
      folder: this.#folder,
      settings: { ...this.settings, ...settings },
      answeredWithinMs: ANSWERED_WITHIN_MS,
      onEnd: async () => undefined,
    });
  }

  /** Starts everything on an empty database, and publishes once; answers are read and checked from then on. */
  static async start(options: PooledOptions): Promise<PooledService> {
    const server = await PostgresServer.start();
    await server.sql(
      `create role pompa login; alter role pompa set statement_timeout = '15s'; create role ${APP_ROLE} login`,
    );
    await server.sql('create database pompa owner pompa');
    const bouncer = await PgBouncer.start(server, ['postgres', ROLE.user, APP_ROLE], POOL_SIZE);
    const service = new PooledService(server, bouncer, options);
    try {
      await service.processes.open(null);
      service.#worker = startChild('bin/pompa', ['worker'], service.processes.settings, service.processes.logFile);
      return service;
    } catch (error) {
      const log = service.processes.log();
      await service.close();
      throw new Error(`${(error as Error).message}\n${log}`, { cause: error });
    }
  }

  /** The addresses of both servers. */
  get addresses(): readonly string[] {
    return this.processes.servers.map(({ address }) => address);
  }

  /** Collects and publishes; resolves once both servers answer with the new prices. */
  async publish(): Promise<void> {
    const { collection, ended } = await this.processes.collect({ leaseMs: null });
    const { code } = await ended;
    if (code !== 0) throw new Error(`the collection ended with ${code}: ${this.processes.log()}`);
    await this.processes.waitUntilServed(collection);
  }

  /** Issues keys with a quota. */
  async issueKeys(count: number, quota: number): Promise<string[]> {
    const client = new pg.Client(this.server.url({ database: 'pompa' }));
    await client.connect();
    return insertKeys(client, count, quota).finally(() => client.end());
  }

  /** Asks both servers with these keys, and as visitors, while `work` runs; resolves with what was answered. */
  async whileClientsAsk(keys: readonly { key: string; quota: number }[], work: (clients: Clients) => Promise<unknown>) {
    const holders: KeyHolder[] = keys.map((each) => ({
      ...{ ...each, accepted: 0, lost: 0, unavailable: 0, used: new Set<number>() },
    }));
    const clients = new Clients({
      ...{ seed: SEED, holders, servers: this.processes.servers },
      onViolation: (sentence) => this.processes.publications.addViolation(sentence),
    });
    clients.start();
    await work(clients).finally(() => clients.stop());
    return clients;
  }

  /** Requests that the database has counted for a key. */
  async counted(key: string): Promise<number> {
    const [row] = await this.server.sql(
      `select total::int from key_usage join key_secrets using (key_id) where sha256 = '\\x${hashApiKey(key)}'`,
      'pompa',
    );
    return Number(row?.total);
  }

  /** Runs a command with the addresses of the database. */
  command(words: string, more: Record<string, string> = {}): Promise<PompaResult> {
    return runPompa(this.#folder, words.split(' '), { ...this.settings, ...more });
  }

  /** Stops the pooler under whatever is under way, and starts it again after some time. */
  async restartBouncer(downMs: number): Promise<void> {
    await this.bouncer.stop();
    await sleep(downMs);
    await this.bouncer.start();
  }

  async close(): Promise<void> {
    await this.#worker?.end();
    await this.processes.close();
    await this.bouncer.stop();
    await this.server.end();
  }
}
