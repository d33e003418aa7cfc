/**
 * Requests per second and CPU per request of two serving processes on one address, compared with one: on sockets of
 * their own (SO_REUSEPORT), as `serve --processes` does, and by `node:cluster`, which hands out connections in turn.
 * Nginx with one and two workers is the reference for small answers. Then the memory of each process of
 * `serve --processes 2`. `--long`: longer rounds.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import type { BoundSocket } from 'node:net';
import path from 'node:path';
import { bindSockets } from '../../src/app/processes/bind-sockets.ts';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../../test/support/benchmark-report.ts';
import { TRUST_LOOPBACK } from '../../test/support/builders/client-addresses.ts';
import { syntheticCountry } from '../../test/support/builders/synthetic-country.ts';
import { seedDatabase, withDatabaseServer } from '../../test/support/database/bench-database.ts';
import {
  childrenOf,
  listeningAddress,
  RUNTIME_FLAGS,
  residentMb,
  startChild,
  stopProcess,
  waitUntilIdle,
} from '../../test/support/processes/child-process.ts';
import { GENERATOR, type LoadMeasurement, type LoadTarget, runLoad } from '../harness/load.ts';
import { NGINX_MISSING, NGINX_VERSION, type NginxServer, startNginx } from '../harness/nginx.ts';
import { searchesAroundBucharest } from '../harness/request-targets.ts';
import type { AddressReady } from './address-process.ts';

const RECORDS = 6_000;
const ROUNDS = LONG ? 11 : 5;
const SECONDS = LONG ? 4 : 2;
const PROGRAM = path.join(import.meta.dirname, 'address-process.ts');
const CLUSTER_PORT = 18_093;
/** With one worker, and with two. */
const NGINX_PORT = { 1: 18_094, 2: 18_095 };

type Load = Omit<LoadTarget, 'port'>;
/** All records around, compressed for each request: the load generator takes a small part of what they cost. */
const SEARCHES: Load = { paths: searchesAroundBucharest(), coding: 'br', connections: 64 };
const LOWEST: Load = { paths: ['/api/v1/preturi/minime'], coding: 'br', connections: 64 };

/** What serves an address: the processes that answer, all whose CPU counts, and the core that is left to the load. */
type Service = {
  readonly port: number;
  readonly answering: readonly number[];
  readonly all: readonly number[];
  readonly generatorCore?: number;
  /** Where nginx has the answers of ours. */
  readonly paths?: readonly string[];
};

heading(`One address served by two processes, ${RECORDS} records; load by ${GENERATOR}`);
await withTempFolder(async (folder) => {
  await compareThroughput(folder);
  await measureMemory(folder);
});
finishReport();

async function compareThroughput(folder: string): Promise<void> {
  const [alone, shared] = await Promise.all([bindSockets('127.0.0.1', 0, 1), bindSockets('127.0.0.1', 0, 2)]);
  const clustered = startChild('bench/scaling/address-process.ts', ['cluster', `${RECORDS}`, `${CLUSTER_PORT}`, '2']);
  const children = [...alone.sockets, ...shared.sockets].map(startOnSocket);
  try {
    const [single, ...pair] = await Promise.all(children.map(ready));
    const workers = (await clustered.next<AddressReady>()).pids;
    // Else the kernel moves the generator to the core of the process that wakes it up.
    const one = { ...serviceOf(alone.port, single as number[]), generatorCore: 1 };
    const two = serviceOf(shared.port, pair.flat());
    const inTurn = { port: CLUSTER_PORT, answering: workers, all: [clustered.pid, ...workers] };
    // One process leaves the other core to the load generator.
    pin(one.answering, [0]);
    for (const { answering } of [two, inTurn]) pin(answering, [0, 1]);
    // Until then they compress what they serve.
    for (const pid of [...one.answering, ...two.answering, ...inTurn.answering]) await waitUntilIdle(pid);
    const compare = async (name: string, load: Load, targets: Targets) =>
      reportRounds(name, await loadByTurns(folder, load, { one, two, inTurn }), targets);
    await compare('searches of 50 km with a key, compressed', SEARCHES, { speed: 1.8, cpu: 1.1 });
    if (NGINX_VERSION === null) {
      note(NGINX_MISSING);
      await compare('/preturi/minime', LOWEST, { cpu: 1.1 });
    } else await compareWithNginx(folder, { one, two, inTurn });
    if (GENERATOR === 'wrk') await compare('/preturi/minime, new connections', { ...LOWEST, newConnections: true }, {});
  } finally {
    await Promise.all([clustered.end(), ...children.map(stopProcess)]);
  }
}

/** The least speed and the most CPU of two processes, as multiples of one's. */
type Targets = { readonly speed?: number; readonly cpu?: number };
type Services = Readonly<Record<'one' | 'two' | 'inTurn', Service>>;
type Rounds<Name extends string> = Readonly<Record<Name, readonly LoadMeasurement[]>>;

/** `/preturi/minime`, with nginx of one and of two workers in the same rounds. */
async function compareWithNginx(folder: string, services: Services): Promise<void> {
  const copied = [{ name: 'minime', port: services.one.port, path: LOWEST.paths[0] as string, coding: LOWEST.coding }];
  const servers: NginxServer[] = [];
  const start = async (workers: 1 | 2): Promise<Service> => {
    const own = path.join(folder, `nginx-${workers}`);
    mkdirSync(own);
    const server = await startNginx(own, NGINX_PORT[workers], copied, workers);
    servers.push(server);
    pin(server.pids, [0, 1]);
    return { ...serviceOf(server.port, server.pids), paths: ['/minime'] };
  };
  try {
    const peers = { oneWorker: { ...(await start(1)), generatorCore: 1 }, twoWorkers: await start(2) };
    const rounds = await loadByTurns(folder, LOWEST, { ...services, ...peers });
    reportRounds('/preturi/minime', rounds, { cpu: 1.1 });
    const { one, two, oneWorker, twoWorkers } = rounds;
    const ofPeer = multiples(twoWorkers, oneWorker, microseconds);
    reportMetric('/preturi/minime: CPU per request of two workers of nginx', median(ofPeer), '× one');
    // The generator needs a core as well: two servers and it share two cores, so each request costs more.
    const beside = multiples(two, one, microseconds).map((own, round) => own / (ofPeer[round] as number));
    reportMetric('the multiple of two processes, beside that of nginx', median(beside), '× nginx', { most: 1.1 });
  } finally {
    for (const server of servers) await server.end();
  }
}

/** Alternates the services, so that other work on the machine affects all. */
async function loadByTurns<Name extends string>(
  folder: string,
  load: Load,
  services: Readonly<Record<Name, Service>>,
): Promise<Rounds<Name>> {
  const rounds = Object.fromEntries(Object.keys(services).map((name) => [name, []])) as unknown as Record<
    Name,
    LoadMeasurement[]
  >;
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of Object.keys(services) as Name[]) {
      const { all, answering: _, ...target } = services[name];
      const measured = await runLoad(folder, { ...load, ...target }, SECONDS, all);
      // The first one only warms up.
      if (round >= 0) rounds[name].push(measured);
    }
  }
  return rounds;
}

function reportRounds(name: string, rounds: Rounds<keyof Services>, targets: Targets): void {
  const { one, two, inTurn } = rounds;
  const figures = (of: (measured: LoadMeasurement) => number, digits: number) =>
    Object.entries(rounds).map(([kind, measured]) => `${kind} ${median(measured.map(of)).toFixed(digits)}`);
  note(
    `${name}: requests a second: ${figures(perSecond, 0).join(', ')}; CPU per request, µs: ${figures(microseconds, 1).join(', ')}`,
  );
  const ratio = (kind: readonly LoadMeasurement[], of: (measured: LoadMeasurement) => number) =>
    median(multiples(kind, one, of));
  reportMetric(`${name}: speed of two processes`, ratio(two, perSecond), '× one', leastOf(targets.speed));
  reportMetric(`${name}: their CPU per request`, ratio(two, microseconds), '× one', mostOf(targets.cpu));
  reportMetric(`${name}: speed by node:cluster`, ratio(inTurn, perSecond), '× one');
  reportMetric(`${name}: its CPU per request`, ratio(inTurn, microseconds), '× one');
}

/** A figure of each round as a multiple of the peer's in the same round. */
function multiples(
  measured: readonly LoadMeasurement[],
  peer: readonly LoadMeasurement[],
  of: (measured: LoadMeasurement) => number,
): number[] {
  return measured.map((each, round) => of(each) / of(peer[round] as LoadMeasurement));
}

function leastOf(least: number | undefined) {
  return least === undefined ? undefined : { least };
}

function mostOf(most: number | undefined) {
  return most === undefined ? undefined : { most };
}

function perSecond({ requests, seconds }: LoadMeasurement): number {
  return requests / seconds;
}

function microseconds({ requests, cpuMs }: LoadMeasurement): number {
  return (cpuMs * 1000) / requests;
}

function startOnSocket(socket: BoundSocket): ChildProcess {
  return fork(PROGRAM, ['socket', String(RECORDS)], {
    execArgv: RUNTIME_FLAGS,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', socket.fd()],
  });
}

async function ready(child: ChildProcess): Promise<readonly number[]> {
  const [message] = await once(child, 'message');
  return (message as AddressReady).pids;
}

function serviceOf(port: number, pids: readonly number[]): Service {
  return { port, answering: pids, all: pids };
}

/** Runs each process on a core of its own, in turn. */
function pin(pids: readonly number[], cores: readonly number[]): void {
  for (const [index, pid] of pids.entries()) {
    const core = String(cores[index % cores.length]);
    if (spawnSync('taskset', ['-acp', core, String(pid)]).status !== 0) note(`process ${pid} could not be pinned`);
  }
}

/** The memory of `serve --processes 2`, at rest after some load. */
async function measureMemory(folder: string): Promise<void> {
  await withDatabaseServer(folder, async (create) => {
    const store = await create('processes');
    await seedDatabase(store, syntheticCountry(RECORDS, Date.now()));
    const serve = startChild('bin/pompa', ['serve', '--processes', '2', '--no-worker'], {
      ...{ DATABASE_URL: store.url, DATA_DIR: path.join(folder, 'data'), PORT: '0', LOG_LEVEL: 'warn' },
      ...{ SOURCES: 'register', CONTACT: 'bench@example.org', ...TRUST_LOOPBACK },
    });
    try {
      const port = Number(new URL(await listeningAddress(serve)).port);
      await waitUntilHealthy(port);
      const pids = childrenOf(serve.pid);
      await runLoad(folder, { ...LOWEST, port }, SECONDS, pids);
      for (const pid of pids) await waitUntilIdle(pid);
      for (const [index, pid] of pids.entries()) reportMemory(`process ${index + 1}`, pid, 230);
      reportMemory('supervisor', serve.pid, 100);
    } finally {
      await serve.end();
    }
  });
}

async function waitUntilHealthy(port: number): Promise<void> {
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isHealthy()));
}

function reportMemory(name: string, pid: number, most: number): void {
  reportMetric(`${name}: resident`, residentMb(pid).now, 'MB', { most });
  reportMetric(`${name}: its own, which no other process shares`, ownMb(pid), 'MB');
}

function ownMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].map(([, value]) => Number(value));
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}
