/** Another process on the same database, controlled by messages. Run as a program, this file is that process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { inProcess, type LimitCommand, type LimitCommands, type LimitProcess } from './limit-commands.ts';

type WorkerCommand = { readonly id: number; readonly work: LimitCommand };
type WorkerReply = { readonly id: number; readonly out?: unknown; readonly failed?: string };

/** Starts the process on a database URL. */
export async function workerProcess(url: string): Promise<LimitProcess> {
  const child = fork(import.meta.filename, [url], { stdio: 'inherit' });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = once(child, 'message');
  await ready;
  child.on('message', ({ id, out, failed }: WorkerReply) => {
    const { resolve, reject } = pending.get(id) as PromiseWithResolvers<unknown>;
    pending.delete(id);
    if (failed === undefined) resolve(out);
    else reject(new Error(failed));
  });
  let commandCount = 0;
  return {
    run<K extends keyof LimitCommands>(kind: K, given: LimitCommands[K]['in']) {
      commandCount += 1;
      const answer = Promise.withResolvers<unknown>();
      pending.set(commandCount, answer);
      child.send({ id: commandCount, work: { kind, in: given } });
      return answer.promise as Promise<LimitCommands[K]['out']>;
    },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

if (import.meta.main) {
  const local = await inProcess(process.argv[2] as string);
  process.on('message', ({ id, work }: WorkerCommand) => {
    local.run(work.kind, work.in).then(
      (out) => process.send?.({ id, out } satisfies WorkerReply),
      (error: Error) => process.send?.({ id, failed: error.stack ?? error.message } satisfies WorkerReply),
    );
  });
  process.once('disconnect', () => void local.close().then(() => process.exit()));
  process.send?.('ready');
}
