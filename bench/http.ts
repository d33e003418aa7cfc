/** CPU of the server per price read, compared with nginx sending the same bytes from files. `--long`: longer rounds. */

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

const RECORDS = 6_000;
const ROUNDS = LONG ? 11 : 5;
const SECONDS = LONG ? 4 : 1;
const WARM_UP_SECONDS = LONG ? 3 : 1;
const NGINX_PORT = 18_089;
const STATIONS_PATH = '/api/v1/statii';

type BenchCase = { readonly name: string; readonly target: LoadTarget; readonly most: number };

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
  const minime = { port: open, paths: ['/api/v1/preturi/minime'], coding: 'br' };
  const cities = { port: open, paths: ['/api/v1/preturi'], coding: 'br' };
  const whole = { port: keyed, paths: [STATIONS_PATH], coding: 'br' };
  const cases: BenchCase[] = [
    { name: '/preturi/minime, br', target: minime, most: 1.6 },
    { name: '/preturi without a key, br', target: cities, most: 1.6 },
    { name: '/statii whole, br', target: whole, most: 1.8 },
  ];
  const more: BenchCase[] = [
    { name: '/preturi/minime, plain', target: { ...minime, coding: 'identity' }, most: 1.6 },
    { name: '/preturi without a key, plain', target: { ...cities, coding: 'identity' }, most: 1.6 },
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

/** Alternates the rounds, so that other load on the machine affects both. */
async function compareCase(
  folder: string,
  { name, target, most }: BenchCase,
  path: string,
  peer: NginxServer | null,
  ask: RunTargetLoad,
) {
  const own: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(microseconds(await ask(target)));
    if (peer === null) continue;
    const copy = { ...target, port: peer.port, paths: [path] };
    theirs.push(microseconds(await runLoad(folder, copy, SECONDS, peer.pids)));
  }
  if (peer === null) return reportMetric(name, median(own), 'µs CPU');
  note(`${name}: ${median(own).toFixed(1)} µs, nginx ${median(theirs).toFixed(1)} µs`);
  reportMetric(name, median(own.map((cost, i) => cost / (theirs[i] as number))), '× nginx', { most });
}

/** Compares answers that are made per request with the prerendered one, in alternating rounds. */
async function compareWithMinime(open: number, keyed: number, ask: RunTargetLoad): Promise<void> {
  const { histories, search } = benchRequestTargets(RECORDS);
  const plain = (paths: readonly string[]) => ({ port: open, paths, coding: 'identity' });
  const minime = plain(['/api/v1/preturi/minime']);
  const history = plain(histories);
  const near = plain(search.repeated);
  const first = plain(search.new);
  const wide = { port: keyed, paths: searchesAroundBucharest(), coding: 'br' };
  for (const target of [minime, history, near, first, wide]) await ask(target, WARM_UP_SECONDS);
  const shares: [number, number][] = [];
  const wideCosts: number[] = [];
  const costs: FourCosts[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = [await ask(minime), await ask(history), await ask(near), await ask(first)];
    const [base, days, five, unrepeated] = asked.map(microseconds) as FourCosts;
    shares.push([base / days, base / five]);
    costs.push([base, days, five, unrepeated]);
    wideCosts.push(microseconds(await ask(wide)) / 1000);
  }
  const middle = (index: 0 | 1 | 2 | 3) => `${median(costs.map((each) => each[index])).toFixed(1)} µs`;
  note(
    `plain: /preturi/minime ${middle(0)}, /istoric ${middle(1)}, 5 km ${middle(2)}, 5 km never requested before ${middle(3)}`,
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
  reportMetric('50 km around București, br', median(wideCosts), 'ms CPU', { most: 3 });
}

type FourCosts = [number, number, number, number];

function microseconds({ requests, cpuMs }: LoadMeasurement): number {
  return (cpuMs * 1000) / requests;
}
