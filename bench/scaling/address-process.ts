/**
 * A process that serves an address together with others, over a made-up country, as if each request had a key:
 * `socket RECORDS` on the socket that it has inherited, as a process of `serve --processes` does; `cluster RECORDS PORT
 * PROCESSES` starts that many workers of `node:cluster` and gives them connections in turn.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { SOCKET_FD } from '../../src/app/processes/supervisor-messages.ts';
import { SOME_KEY } from '../../test/support/service/open-access.ts';
import { benchApis } from '../processes/bench-api.ts';

/** The processes that answer, once they do. */
export type AddressReady = { readonly pids: readonly number[] };

const HOST = '127.0.0.1';
const [kind, records, port, processes] = process.argv.slice(2);

process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());
if (kind === 'cluster' && cluster.isPrimary) await startWorkers(Number(processes));
else await serve();

async function startWorkers(count: number): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const workers = Array.from({ length: count }, () => cluster.fork());
  await Promise.all(workers.map((worker) => once(worker, 'listening')));
  tell(workers.map((worker) => worker.process.pid as number));
}

async function serve(): Promise<void> {
  const api = await benchApis(Number(records))(SOME_KEY);
  await api.listen(kind === 'cluster' ? { host: HOST, port: Number(port) } : { host: HOST, fd: SOCKET_FD });
  if (kind !== 'cluster') tell([process.pid]);
}

function tell(pids: readonly number[]): void {
  process.send?.({ pids } satisfies AddressReady);
}
