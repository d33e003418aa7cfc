/**
 * CPU of the server per price read, compared with nginx sending the same bytes from files, and hot reads with a bare
 * loop that only reads and writes. `--long`: longer rounds.
 */
import net from 'node:net';

import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { startChild, waitUntilIdle } from '../test/support/processes/child-process.ts';
import { GENERATOR, type LoadMeasurement, type LoadTarget, runLoad } from './harness/load.ts';
import { NGINX_MISSING, NGINX_VERSION, type NginxServer, startNginx } from './harness/nginx.ts';
import { benchRequestTargets, searchesAroundBucharest } from './harness/request-targets.ts';
import type { ApiPorts } from './processes/api.ts';
import type { BareLoopReady, BareLoopSettings } from './processes/bare-loop.ts';

const RECORDS = 6_000;
const ROUNDS = LONG ? 11 : 5;
const SECONDS = LONG ? 4 : 1;
const WARM_UP_SECONDS = LONG ? 3 : 1;
const NGINX_PORT = 18_089;
const STATIONS_PATH = '/api/v1/statii';

/** The ten cheapest trusted prices of a search. */
const CHEAPEST = 'tip=benzina_standard&sort=pret&fara_nesigure=1&cu_pret=1&limita=10';
/** Connections of hot reads. */
const HOT_CONNECTIONS = 64;

type BenchCase = {
  readonly name: string;
  readonly target: LoadTarget;
  readonly most: number;
  /** Whether it is compared with the bare loop, too. */
  readonly isHot?: true;
};

heading(
  `/preturi, /statii and the rest over ${RECORDS} records; load by ${GENERATOR}; peer ${NGINX_VERSION ?? NGINX_MISSING}`,
);
await withTempFolder(async (folder) => {
  const server = startChild('bench/processes/api.ts', [String(RECORDS)]);
  try {
    const { open, keyed } = await server.next<ApiPorts>();
    await waitUntilIdle(server.pid);
    const ask = (target: LoadTarget, seconds = SECONDS) => runLoad(folder, target, seconds, [server.pid]);
    await compareWithNginx(folder, open, keyed, ask);
    await compareWithMinime(open, keyed, ask);
  } finally {
    await server.end();
  }
});
finishReport();

type RunTargetLoad = (target: LoadTarget, seconds?: number) => Promise<LoadMeasurement>;

async function compareWithNginx(folder: string, open: number, keyed: number, ask: RunTargetLoad): Promise<void> {
  const hot = { port: open, coding: 'br', connections: HOT_CONNECTIONS };
  const minime = { ...hot, paths: ['/api/v1/preturi/minime'] };
  const cities = { ...hot, paths: ['/api/v1/preturi'] };
  const whole = { port: keyed, paths: [STATIONS_PATH], coding: 'br' };
  const cases: BenchCase[] = [
    { name: '/preturi/minime, br', target: minime, most: 0.95, isHot: true },
    { name: '/preturi without a key, br', target: cities, most: 0.95, isHot: true },
    { name: '/statii whole, br', target: whole, most: 1.8 },
  ];
  const more: BenchCase[] = [
    { name: '/preturi/minime, plain', target: { ...minime, coding: 'identity' }, most: 0.95, isHot: true },
    { name: '/preturi without a key, plain', target: { ...cities, coding: 'identity' }, most: 0.95, isHot: true },
    { name: '/statii whole, gzip', target: { ...whole, coding: 'gzip' }, most: 1.8 },
  ];
  if (LONG) cases.push(...more);
  const copied = cases.map(({ target }, index) => {
    const { port, paths, coding } = target;
    return { name: `case${index}`, port, path: paths[0] as string, coding };
  });
  for (const { target } of cases) await ask(target, WARM_UP_SECONDS);
  const peer = NGINX_VERSION === null ? null : await startNginx(folder, NGINX_PORT, copied);
  try {
    for (const [index, each] of cases.entries()) await compareCase(folder, each, `/case${index}`, peer, ask);
  } finally {
    await peer?.end();
  }
}

/** Alternates the rounds, so that other load on the machine affects all. */
async function compareCase(
  folder: string,
  { name, target, most, isHot }: BenchCase,
  path: string,
  peer: NginxServer | null,
  ask: RunTargetLoad,
) {
  const loop = isHot ? await startBareLoop(target) : null;
  const own: number[] = [];
  const theirs: number[] = [];
  const bare: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      own.push(microseconds(await ask(target)));
      if (loop !== null)
        bare.push(microseconds(await runLoad(folder, { ...target, port: loop.port }, SECONDS, [loop.pid])));
      if (peer === null) continue;
      const copy = { ...target, port: peer.port, paths: [path] };
      theirs.push(microseconds(await runLoad(folder, copy, SECONDS, peer.pids)));
    }
  } finally {
    await loop?.end();
  }
  if (loop !== null) note(`${name}: a bare loop ${median(bare).toFixed(1)} µs`);
  if (peer === null) return reportMetric(name, median(own), 'µs CPU');
  note(`${name}: ${median(own).toFixed(1)} µs, nginx ${median(theirs).toFixed(1)} µs`);
  reportMetric(name, median(own.map((cost, i) => cost / (theirs[i] as number))), '× nginx', { most });
}

/** Starts a loop that sends the answer of a target, head included. */
async function startBareLoop(target: LoadTarget) {
  const answer = await rawAnswer(target);
  const child = startChild('bench/processes/bare-loop.ts');
  child.send({ answer } satisfies BareLoopSettings);
  const { port } = await child.next<BareLoopReady>();
  return { port, pid: child.pid, end: () => child.end() };
}

/** An answer as it is sent, one character per byte. */
async function rawAnswer({ port, paths, coding }: LoadTarget): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(`GET ${paths[0]} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: ${coding}\r\n\r\n`);
  let text = '';
  for await (const part of socket) {
    text += part;
    const length = /\r\nContent-Length: (\d+)\r\n/.exec(text)?.[1];
    const bodyStart = text.indexOf('\r\n\r\n') + 4;
    if (length !== undefined && text.length === bodyStart + Number(length)) break;
  }
  return text;
}

/** Compares answers that are made per request with the prerendered one, in alternating rounds. */
async function compareWithMinime(open: number, keyed: number, ask: RunTargetLoad): Promise<void> {
  const { histories, search } = benchRequestTargets(RECORDS);
  const plain = (paths: readonly string[]) => ({ port: open, paths, coding: 'identity' });
  const minime = plain(['/api/v1/preturi/minime']);
  const history = plain(histories);
  const near = plain(search.repeated);
  const first = plain(search.new);
  const cheapest = plain(search.new.map((path) => `${path}&${CHEAPEST}`));
  const wide = { port: keyed, paths: searchesAroundBucharest(), coding: 'br' };
  for (const target of [minime, history, near, first, cheapest, wide]) await ask(target, WARM_UP_SECONDS);
  const shares: [number, number][] = [];
  const wideCosts: number[] = [];
  const costs: Costs[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = [await ask(minime), await ask(history), await ask(near), await ask(first), await ask(cheapest)];
    const [base, days, five, unrepeated, ten] = asked.map(microseconds) as Costs;
    shares.push([base / days, base / five]);
    costs.push([base, days, five, unrepeated, ten]);
    wideCosts.push(microseconds(await ask(wide)) / 1000);
  }
  const middle = (index: 0 | 1 | 2 | 3 | 4) => `${median(costs.map((each) => each[index])).toFixed(1)} µs`;
  note(
    `plain: /preturi/minime ${middle(0)}, /istoric ${middle(1)}, 5 km ${middle(2)}, 5 km never requested before ${middle(3)}, its ten cheapest ${middle(4)}`,
  );
  reportMetric('/istoric of 30 days, of /preturi/minime', 100 * median(shares.map(([share]) => share)), '%', {
    least: 50,
  });
  reportMetric(
    `5 km, ${search.records} records, of /preturi/minime`,
    100 * median(shares.map(([, share]) => share)),
    '%',
    {
      least: 50,
    },
  );
  const tenCheapest = costs.map(([, , , unrepeated, ten]) => ten / unrepeated);
  reportMetric('the ten cheapest within 5 km of a new point', median(tenCheapest), '× the search', { most: 1 });
  reportMetric('50 km around București, br', median(wideCosts), 'ms CPU', { most: 3 });
}

/** µs of the national prices, a history, a repeated search, a new one, and the ten cheapest of a new one. */
type Costs = [number, number, number, number, number];

function microseconds({ requests, cpuMs }: LoadMeasurement): number {
  return (cpuMs * 1000) / requests;
}
