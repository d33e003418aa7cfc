/** What a price read costs the server, beside nginx sending the same bytes from files. `--long` for longer rounds. */

import { start, untilIdle } from '../test/support/child-process.ts';
import { conclude, figure, heading, inFolder, LONG, median, note } from '../test/support/report.ts';
import { GENERATOR, load, type Measured, type Target } from './harness/load.ts';
import { GET_NGINX, NGINX, type Peer, startNginx } from './harness/nginx.ts';
import { aroundBucharest, lookedFor } from './harness/request-targets.ts';
import type { Ports } from './processes/api.ts';

const RECORDS = 6_000;
const ROUNDS = LONG ? 11 : 5;
const SECONDS = LONG ? 4 : 1;
const WARM_UP_SECONDS = LONG ? 3 : 1;
const NGINX_PORT = 18_089;
const FULL = '/api/v1/statii';

type Case = { readonly name: string; readonly target: Target; readonly most: number };

heading(`/preturi, /statii and the rest over ${RECORDS} records; load by ${GENERATOR}; peer ${NGINX ?? GET_NGINX}`);
await inFolder(async (folder) => {
  const server = start('bench/processes/api.ts', [String(RECORDS)]);
  try {
    const { open, keyed } = await server.next<Ports>();
    await untilIdle(server.pid);
    const ask = (target: Target, seconds = SECONDS) => load(folder, target, seconds, [server.pid]);
    await besideNginx(folder, open, keyed, ask);
    await besideMinime(open, keyed, ask);
  } finally {
    await server.end();
  }
});
conclude();

type AskUs = (target: Target, seconds?: number) => Promise<Measured>;

async function besideNginx(folder: string, open: number, keyed: number, ask: AskUs): Promise<void> {
  const minime = { port: open, paths: ['/api/v1/preturi/minime'], coding: 'br' };
  const cities = { port: open, paths: ['/api/v1/preturi'], coding: 'br' };
  const whole = { port: keyed, paths: [FULL], coding: 'br' };
  const cases: Case[] = [
    { name: '/preturi/minime, br', target: minime, most: 1.6 },
    { name: '/preturi without a key, br', target: cities, most: 1.6 },
    { name: '/statii whole, br', target: whole, most: 1.8 },
  ];
  const more: Case[] = [
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
  const peer = NGINX === null ? null : await startNginx(folder, NGINX_PORT, copied);
  try {
    for (const [index, each] of cases.entries()) await compare(folder, each, `/case${index}`, peer, ask);
  } finally {
    await peer?.end();
  }
}

/** Rounds by turns, so that whatever else the machine does falls on both. */
async function compare(folder: string, { name, target, most }: Case, path: string, peer: Peer | null, ask: AskUs) {
  const own: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(microseconds(await ask(target)));
    if (peer === null) continue;
    const copy = { ...target, port: peer.port, paths: [path] };
    theirs.push(microseconds(await load(folder, copy, SECONDS, peer.pids)));
  }
  if (peer === null) return figure(name, median(own), 'µs CPU');
  note(`${name}: ${median(own).toFixed(1)} µs, nginx ${median(theirs).toFixed(1)} µs`);
  figure(name, median(own.map((cost, i) => cost / (theirs[i] as number))), '× nginx', { most });
}

/** The answers that are put together for each request, by turns with the one that is ready-made. */
async function besideMinime(open: number, keyed: number, ask: AskUs): Promise<void> {
  const { histories, search } = lookedFor(RECORDS);
  const plain = (paths: readonly string[]) => ({ port: open, paths, coding: 'identity' });
  const minime = plain(['/api/v1/preturi/minime']);
  const history = plain(histories);
  const near = plain(search.repeated);
  const first = plain(search.new);
  const wide = { port: keyed, paths: aroundBucharest(), coding: 'br' };
  for (const target of [minime, history, near, first, wide]) await ask(target, WARM_UP_SECONDS);
  const shares: [number, number][] = [];
  const wideCosts: number[] = [];
  const costs: Four[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = [await ask(minime), await ask(history), await ask(near), await ask(first)];
    const [base, days, five, alone] = asked.map(microseconds) as Four;
    shares.push([base / days, base / five]);
    costs.push([base, days, five, alone]);
    wideCosts.push(microseconds(await ask(wide)) / 1000);
  }
  const middle = (index: 0 | 1 | 2 | 3) => `${median(costs.map((each) => each[index])).toFixed(1)} µs`;
  note(
    `plain: /preturi/minime ${middle(0)}, /istoric ${middle(1)}, 5 km ${middle(2)}, 5 km never asked before ${middle(3)}`,
  );
  figure('/istoric of 30 days, of /preturi/minime', 100 * median(shares.map(([share]) => share)), '%', { least: 50 });
  figure(`5 km, ${search.records} records, of /preturi/minime`, 100 * median(shares.map(([, share]) => share)), '%', {
    least: 50,
  });
  figure('50 km around București, br', median(wideCosts), 'ms CPU', { most: 3 });
}

type Four = [number, number, number, number];

function microseconds({ requests, cpuMs }: Measured): number {
  return (cpuMs * 1000) / requests;
}
