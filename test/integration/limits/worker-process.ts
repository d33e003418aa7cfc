/** Another process on the same database, told what to do by messages. Run as a program it is that process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Doer, doer, type Work, type Works } from './limit-commands.ts';

type Order = { readonly id: number; readonly work: Work };
type Done = { readonly id: number; readonly out?: unknown; readonly failed?: string };

/** Starts it, on a database address. */
export async function elsewhere(url: string): Promise<Doer> {
  const child = fork(import.meta.filename, [url], { stdio: 'inherit' });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = once(child, 'message');
  await ready;
  child.on('message', ({ id, out, failed }: Done) => {
    const { resolve, reject } = waiting.get(id) as PromiseWithResolvers<unknown>;
    waiting.delete(id);
    if (failed === undefined) resolve(out);
    else reject(new Error(failed));
  });
  let orders = 0;
  return {
    do<K extends keyof Works>(kind: K, given: Works[K]['in']) {
      orders += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(orders, answer);
      child.send({ id: orders, work: { kind, in: given } });
      return answer.promise as Promise<Works[K]['out']>;
    },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

if (import.meta.main) {
  const here = await doer(process.argv[2] as string);
  process.on('message', ({ id, work }: Order) => {
    here.do(work.kind, work.in).then(
      (out) => process.send?.({ id, out } satisfies Done),
      (error: Error) => process.send?.({ id, failed: error.stack ?? error.message } satisfies Done),
    );
  });
  process.once('disconnect', () => void here.close().then(() => process.exit()));
  process.send?.('ready');
}
