/** A process that answers readers and sweeps a register in the same thread, as `serve` does with its own database. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDownloader } from '../../../src/clients/http/download.ts';
import { DEFAULT_RANGES } from '../../../src/domain/fuel.ts';
import { MAX_ANSWER_BYTES } from '../../../src/sources/register/parsing/register-ids.ts';
import { registerSource } from '../../../src/sources/register/register.ts';

export type ServingReady = { readonly url: string };

export type SweepReport = {
  /** Why the source failed; `null` = it did not. */
  readonly failed: string | null;
  /** The most CPU time of the serving thread between two turns of its event loop, ms: so long no reader is answered. */
  readonly longestTurnMs: number;
  /** How far the peak of the resident memory lies above what was in use before, MB. */
  readonly growthMb: number;
};

/** Units of the sweep, all five fuels of each: as many answers as it takes to give up on a source. */
const UNITS = Array.from({ length: 20 }, (_, index) => 1_000 + index);

const server = createServer((_, response) => response.end('prices'));
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } satisfies ServingReady);
});
process.on('message', ({ register }: { register: string }) => {
  void sweepAndWatch(register).then((report) => process.send?.(report));
});

async function sweepAndWatch(base: string): Promise<SweepReport> {
  const before = process.memoryUsage.rss();
  const turns = watchTurns();
  const failed = await sweep(base).then(
    () => null,
    (error: Error) => error.message,
  );
  const peak = process.resourceUsage().maxRSS * 1024;
  return { failed, longestTurnMs: turns.stop(), growthMb: Math.max(0, peak - before) / 1e6 };
}

async function sweep(base: string): Promise<void> {
  const downloader = createDownloader({
    userAgent: 'Pompa test',
    timeoutMs: 600_000,
    maxBytes: MAX_ANSWER_BYTES,
    retries: 0,
    pauseMs: 0,
    parallel: 2,
    allowPrivate: true,
  });
  try {
    await registerSource({ units: UNITS }).sweep({
      fetch: (target, options) => downloader.download(`${base}/${target}`, options),
      parallel: 2,
      now: Date.now(),
      ranges: DEFAULT_RANGES,
      unitsWithRows: new Set(),
      extraUnits: [],
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  } finally {
    await downloader.close();
  }
}

/** CPU time, not time by the clock, so that a busy machine does not count. */
function watchTurns(): { stop(): number } {
  let longest = 0;
  let last = process.threadCpuUsage();
  let running = true;
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      running = false;
      return longest;
    },
  };
}
