/** One server of the cluster: Patroni and its PostgreSQL, with the file of the documentation. */
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { snippetsOf } from '../../support/documented-code.ts';
import type { NodePorts } from '../processes/node-links.ts';
import { ended, runAsPostgres, signalTrees, startAsPostgres } from './postgres-processes.ts';

export const DOCUMENTED_PAGE = 'docs/HIGH-AVAILABILITY.md';
/** Shorter than the documented ones, so that a test has many fail-overs; Patroni of Debian 12 takes them. */
export const TIMES = { ttl: 8, loop_wait: 2, retry_timeout: 3 };
const SUPERUSER = { user: 'postgres', password: 'SUPERUSER_PASSWORD' };
const CONNECT_MS = 500;
const STATEMENT_MS = 1_000;

export type PatroniNodeOptions = {
  readonly name: string;
  /** Where it listens itself. `etcd` is that of the cluster. */
  readonly ports: NodePorts;
  /** Where others reach it, and it reaches etcd. */
  readonly links: NodePorts;
  /** Its own folder. */
  readonly folder: string;
  /** Open file for what it logs. */
  readonly log: number;
};

export class PatroniNode {
  readonly #options: PatroniNodeOptions;
  #patroni: ChildProcess | undefined;

  /** Writes its file. */
  static async create(options: PatroniNodeOptions): Promise<PatroniNode> {
    const node = new PatroniNode(options);
    await runAsPostgres(options.folder, ['mkdir', '-p', options.folder]);
    const quoted = node.#configuration().replaceAll("'", `'\\''`);
    await runAsPostgres(options.folder, ['sh', '-c', `umask 077; printf %s '${quoted}' > ${node.file}`]);
    return node;
  }

  private constructor(options: PatroniNodeOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** The file of Patroni. */
  get file(): string {
    return path.join(this.#options.folder, 'patroni.yml');
  }

  get folder(): string {
    return this.#options.folder;
  }

  /** Where its PostgreSQL listens. */
  get port(): number {
    return this.#options.ports.postgres;
  }

  /** Starts Patroni, which starts PostgreSQL. */
  start(): void {
    const { folder, log } = this.#options;
    this.#patroni = startAsPostgres(folder, ['patroni', this.file], log);
  }

  /** Kills Patroni, PostgreSQL and all of their processes. */
  async kill(): Promise<void> {
    const roots = await this.#roots();
    await signalTrees(this.folder, 'KILL', roots);
    if (this.#patroni !== undefined) await ended(this.#patroni);
  }

  /** Stops all of its processes, as a machine that hangs does. */
  async freeze(): Promise<void> {
    await signalTrees(this.folder, 'STOP', await this.#roots());
  }

  async thaw(): Promise<void> {
    await signalTrees(this.folder, 'CONT', await this.#roots());
  }

  /** What this server knows of the cluster; `null` while it does not answer. */
  async members(): Promise<Member[] | null> {
    const url = `http://127.0.0.1:${this.#options.ports.rest}/cluster`;
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(STATEMENT_MS) });
      return answer.ok ? ((await answer.json()) as { members: Member[] }).members : null;
    } catch {
      return null;
    }
  }

  /** Runs one statement as the superuser, directly; by default it rejects soon. */
  async run(database: string, sql: string, withinMs = STATEMENT_MS): Promise<void> {
    const client = new pg.Client({
      ...{ host: '127.0.0.1', port: this.#options.ports.postgres, database, ...SUPERUSER },
      ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: withinMs },
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      // A server that hangs would never answer the closing message.
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
  }

  /** Patroni, and the postmaster, which is no child of it. */
  async #roots(): Promise<number[]> {
    const pidFile = path.join(this.folder, 'data/postmaster.pid');
    const postmaster = await runAsPostgres(this.folder, ['sh', '-c', `head -n 1 ${pidFile} 2>/dev/null || true`]);
    return [this.#patroni?.pid, Number(postmaster)].filter((pid) => pid !== undefined && pid > 0) as number[];
  }

  #configuration(): string {
    const { name, ports, links, folder } = this.#options;
    const [documented = ''] = snippetsOf(DOCUMENTED_PAGE, 'yaml');
    const own: [string | RegExp, string][] = [
      [/^name: .*$/m, `name: ${name}`],
      ['  listen: 10.0.0.11:8008', `  listen: 127.0.0.1:${ports.rest}`],
      ['  connect_address: 10.0.0.11:8008', `  connect_address: 127.0.0.1:${links.rest}`],
      // Otherwise Patroni asks etcd for addresses of its own, past the link.
      [/^ {2}hosts: .*$/m, `  hosts: 127.0.0.1:${links.etcd}\n  use_proxies: true`],
      ...Object.entries(TIMES).map(([key, seconds]): [RegExp, string] => [
        new RegExp(`^    ${key}: \\d+$`, 'm'),
        `    ${key}: ${seconds}`,
      ]),
      ['  listen: 10.0.0.11:5432', `  listen: 127.0.0.1:${ports.postgres}`],
      ['  connect_address: 10.0.0.11:5432', `  connect_address: 127.0.0.1:${links.postgres}`],
      ['/var/lib/postgresql/15/pompa', path.join(folder, 'data')],
      ['      parameters:\n', `      parameters:\n        unix_socket_directories: ''\n`],
      ['replicator 10.0.0.0/24', 'replicator 127.0.0.1/32'],
      ['all all 10.0.0.0/24', 'all all 127.0.0.1/32'],
    ];
    return own.reduce((text, [from, to]) => {
      const isThere = typeof from === 'string' ? text.includes(from) : from.test(text);
      if (!isThere) throw new Error(`${DOCUMENTED_PAGE}: the file of Patroni has no ${from}`);
      return text.replace(from, to);
    }, documented);
  }
}

/** As Patroni tells it. */
export type Member = {
  readonly name: string;
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | 'unknown';
};
