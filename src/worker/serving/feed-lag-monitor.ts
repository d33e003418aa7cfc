/** Warns when the feed of changes lags behind what is served: then it looks up to date, and is not. */
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { StateInterval } from '../../domain/changes/told-state.ts';
import { MAX_UNTOLD_MS, type ServedPublication, untoldSince } from '../../domain/changes/untold.ts';

export class FeedLagMonitor {
  readonly #outage: WarnOnce;
  /** The newest, and when it was first seen here. */
  #published: ServedPublication = { version: 0, since: 0 };

  constructor(log: { info(message: string): void; warn(message: string): void }) {
    this.#outage = new WarnOnce({
      warn: (since) =>
        log.warn(`changes of served prices are not told since ${since}: is a worker running? See pompa doctor`),
      onRecovery: () => log.info('all changes of served prices are told'),
    });
  }

  /** Compares what was told with the publication of now, epoch ms. */
  observe(told: StateInterval | null, version: number, now: number): void {
    if (version !== this.#published.version) this.#published = { version, since: now };
    const since = untoldSince(told, this.#published, now);
    if (since === null) this.#outage.succeeded();
    else if (now - since > MAX_UNTOLD_MS) this.#outage.failed(new Date(since).toISOString());
  }
}
