/** PostgreSQL as a cluster on this machine: three servers with Patroni, etcd, and HAProxy that leads to the leader. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../../src/store/embedded/client-sockets.ts';
import { query, waitFor } from '../../support/database/embedded-database.ts';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';
import { snippetsOf } from '../../support/documented-code.ts';
import { type Child, startChild } from '../../support/processes/child-process.ts';
import { lastingPort } from '../../support/processes/free-port.ts';
import { makePostgresFolder } from '../../support/processes/postgres-user.ts';
import type { NodeLinkCommand, NodeLinkReply, NodeLinks, NodePorts } from '../processes/node-links.ts';
import { DOCUMENTED_PAGE, type Member, PatroniNode } from './patroni-node.ts';
import { ended, runAsPostgres, signalTrees, startAsPostgres } from './postgres-processes.ts';

const NODES = ['pg1', 'pg2', 'pg3'];
const PACKAGES = ['postgresql-15', 'patroni', 'etcd-server', 'haproxy'];
const PROGRAMS = ['patroni', 'patronictl', 'etcd', 'haproxy'];
const POSTGRES = '/usr/lib/postgresql/15/bin/postgres';
const OWNER = { user: 'pompa', password: 'POMPA_PASSWORD' };
/** By database. */
const PREPARATION: readonly [string, string][] = [
  ['postgres', `create role ${OWNER.user} login password '${OWNER.password}'`],
  ['postgres', `create database pompa owner ${OWNER.user} encoding 'UTF8'`],
  ['pompa', 'create table public.test_beats (at timestamptz)'],
  ['pompa', `alter table public.test_beats owner to ${OWNER.user}`],
];
const PREPARED_WITHIN_MS = 60_000;
/** The first start copies the database twice; a server that comes back may be copied anew. */
const HEALTHY_WITHIN_MS = 120_000;
const WRITABLE_WITHIN_MS = 60_000;
const POLL_MS = 25;
const LOG_LINES = 20;

export class PatroniCluster {
  /** The address of the database through HAProxy, as Pompa has it. */
  readonly connection: Connection;
  readonly nodes: readonly PatroniNode[];
  readonly #folder: string;
  readonly #logs: string;
  readonly #links: Child;
  readonly #programs: readonly ChildProcess[];

  /** Installs what is missing, and starts everything; resolves when both standbys have caught up. */
  static async start(): Promise<PatroniCluster> {
    install();
    const folder = makePostgresFolder('pompa-patroni');
    const logs = await mkdtemp(path.join(os.tmpdir(), 'pompa-patroni-log-'));
    const etcd = await lastingPort();
    const ports = await nodePorts(etcd);
    const links = startChild('test/resilience/processes/node-links.ts', [JSON.stringify(ports)], {
      NODE_V8_COVERAGE: '',
    });
    try {
      return await PatroniCluster.#startOn({ folder, logs, links, ports, etcd });
    } catch (error) {
      await links.end();
      throw error;
    }
  }

  /** Starts the programs; `links` lead to them. */
  static async #startOn({ folder, logs, links, ports, etcd }: Start): Promise<PatroniCluster> {
    const logOf = (name: string) => openSync(path.join(logs, `${name}.log`), 'a');
    const linked = await links.next<Record<string, NodeLinks>>();
    const nodes = await Promise.all(
      NODES.map((name) =>
        PatroniNode.create({
          ...{ name, log: logOf(name), folder: path.join(folder, name) },
          ...{ ports: ports[name] as NodePorts, links: (linked[name] as NodeLinks).cluster },
        }),
      ),
    );
    const proxy = await lastingPort();
    const haproxy = await startProxy({ folder, log: logOf('haproxy') }, proxy, linked);
    const programs = [startEtcd({ folder, log: logOf('etcd') }, etcd, await lastingPort()), haproxy];
    const cluster = new PatroniCluster({ folder, logs, links, nodes, programs, proxy });
    try {
      for (const node of nodes) node.start();
      const { leader } = await cluster.untilHealthy();
      for (const [database, sql] of PREPARATION) await leader.run(database, sql, PREPARED_WITHIN_MS);
      return cluster;
    } catch (error) {
      const tail = cluster.log();
      await cluster.close();
      throw new Error(`${(error as Error).message}\n${tail}`, { cause: error });
    }
  }

  private constructor(options: {
    folder: string;
    logs: string;
    links: Child;
    nodes: readonly PatroniNode[];
    programs: readonly ChildProcess[];
    proxy: number;
  }) {
    this.#folder = options.folder;
    this.#logs = options.logs;
    this.#links = options.links;
    this.nodes = options.nodes;
    this.#programs = options.programs;
    this.connection = { host: '127.0.0.1', port: options.proxy, database: 'pompa', ...OWNER };
  }

  /** The same as a setting. */
  get url(): string {
    return this.urlOf(this.connection.port);
  }

  /** The address of the database on the server that listens on this port. */
  urlOf(port: number): string {
    const { user, password, host, database } = this.connection;
    return `postgres://${user}:${password}@${host}:${port}/${database}`;
  }

  /** Waits until there is a leader, and both standbys follow it, one of them synchronous. */
  async untilHealthy(): Promise<{ readonly leader: PatroniNode }> {
    let last: Member[] | null = null;
    const check = async () => {
      last = await this.#members();
      return last !== null && isHealthy(last) ? last : null;
    };
    const members = await waitFor('a healthy cluster', HEALTHY_WITHIN_MS, check).catch((error: Error) => {
      throw new Error(`${error.message}; last seen: ${JSON.stringify(last)}\n${this.log()}`);
    });
    const leader = this.nodes.find(({ name }) => name === members.find(({ role }) => role === 'leader')?.name);
    if (leader === undefined) throw new Error('no leader');
    return { leader };
  }

  /** Waits until another server than this one accepts a write; `at` is by `performance.now()`. */
  async untilWritable(except: PatroniNode): Promise<{ readonly leader: PatroniNode; readonly at: number }> {
    const others = this.nodes.filter((node) => node !== except);
    const end = performance.now() + WRITABLE_WITHIN_MS;
    while (performance.now() < end) {
      for (const leader of others) {
        const wrote = await leader.run('pompa', 'insert into test_beats values (now())').then(
          () => true,
          () => false,
        );
        if (wrote) return { leader, at: performance.now() };
      }
      await sleep(POLL_MS);
    }
    throw new Error(`no server took over within ${WRITABLE_WITHIN_MS} ms\n${this.log()}`);
  }

  /** Waits until a write through HAProxy succeeds; resolves with the moment, by `performance.now()`. */
  async untilWritableThroughProxy(): Promise<number> {
    const end = performance.now() + WRITABLE_WITHIN_MS;
    while (performance.now() < end) {
      const wrote = await query(this.connection, 'insert into test_beats values (now())').then(
        () => true,
        () => false,
      );
      if (wrote) return performance.now();
      await sleep(POLL_MS);
    }
    throw new Error(`HAProxy leads to no leader within ${WRITABLE_WITHIN_MS} ms\n${this.log()}`);
  }

  /** Parts a server from etcd and the other servers, or from HAProxy; or joins it again. */
  async link(node: PatroniNode, links: NodeLinkCommand['links'], kind: NodeLinkCommand['kind']): Promise<void> {
    this.#links.send({ node: node.name, links, kind } satisfies NodeLinkCommand);
    await this.#links.next<NodeLinkReply>();
  }

  /** Has the leader hand over on purpose, as an operator does. */
  async switchover(): Promise<void> {
    const [{ file, folder }] = this.nodes as [PatroniNode];
    await runAsPostgres(folder, ['patronictl', '-c', file, 'switchover', '--force', 'pompa']);
  }

  /** The last lines that each program logged. */
  log(): string {
    return readdirSync(this.#logs)
      .map(
        (name) =>
          `${name}\n${readFileSync(path.join(this.#logs, name), 'utf8').split('\n').slice(-LOG_LINES).join('\n')}`,
      )
      .join('\n');
  }

  /** Kills everything, and deletes it. */
  async close(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    const pids = this.#programs.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
    await signalTrees(this.#folder, 'KILL', pids);
    await Promise.all(this.#programs.map(ended));
    await this.#links.end();
    await runAsPostgres(this.#folder, ['rm', '-r', this.#folder]);
    await rm(this.#logs, { recursive: true });
  }

  /** As the first server knows them that answers. */
  async #members(): Promise<Member[] | null> {
    for (const node of this.nodes) {
      const members = await node.members();
      if (members !== null) return members;
    }
    return null;
  }
}

function install(): void {
  const isThere = () => PROGRAMS.every((name) => findProgram([name]) !== null) && existsSync(POSTGRES);
  if (isThere()) return;
  if (!installDebianPackages(PACKAGES) || !isThere())
    throw new Error(`${PACKAGES.join(', ')} of Debian could not be installed, see above`);
}

async function nodePorts(etcd: number): Promise<Record<string, NodePorts>> {
  const ports: Record<string, NodePorts> = {};
  for (const name of NODES) ports[name] = { postgres: await lastingPort(), rest: await lastingPort(), etcd };
  return ports;
}

function isHealthy(members: readonly Member[]): boolean {
  const [leader] = members.filter(({ role, state }) => role === 'leader' && state === 'running');
  const standbys = members.filter(
    ({ role, state, timeline, lag }) =>
      role !== 'leader' && /^(running|streaming)$/.test(state) && timeline === leader?.timeline && lag === 0,
  );
  const hasSynchronous = standbys.some(({ role }) => role === 'sync_standby');
  return leader !== undefined && standbys.length === NODES.length - 1 && hasSynchronous;
}

/** What the programs of a cluster are started with. */
type Start = {
  readonly folder: string;
  readonly logs: string;
  readonly links: Child;
  readonly ports: Record<string, NodePorts>;
  readonly etcd: number;
};

type Own = { readonly folder: string; readonly log: number };

function startEtcd({ folder, log }: Own, port: number, peerPort: number): ChildProcess {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const addresses = {
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'enable-v2': 'true',
  };
  const options = Object.entries({ 'data-dir': path.join(folder, 'etcd'), ...addresses });
  return startAsPostgres(folder, ['etcd', ...options.flatMap(([name, value]) => `--${name}=${value}`)], log);
}

/** HAProxy with the file of the documentation. */
async function startProxy(
  { folder, log }: Own,
  port: number,
  links: Readonly<Record<string, NodeLinks>>,
): Promise<ChildProcess> {
  const [documented = ''] = snippetsOf(DOCUMENTED_PAGE, 'haproxy');
  const file = path.join(folder, 'haproxy.cfg');
  let servers = 0;
  const text = documented
    .replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`)
    .replace(/^( *server (\w+)) [\d.]+:5432 check port 8008$/gm, (_, server: string, name: string) => {
      servers += 1;
      return `${server} 127.0.0.1:${links[name]?.proxy.postgres} check port ${links[name]?.proxy.rest}`;
    });
  if (servers !== NODES.length || !text.includes(`:${port}\n`))
    throw new Error(`${DOCUMENTED_PAGE}: the file of HAProxy has other lines than this test replaces`);
  await runAsPostgres(folder, ['sh', '-c', `printf %s '${text.replaceAll("'", `'\\''`)}' > ${file}`]);
  return startAsPostgres(folder, [findProgram(['haproxy']) ?? 'haproxy', '-db', '-f', file], log);
}
