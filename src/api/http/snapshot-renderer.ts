/** Renders each snapshot and swaps it in whole. */
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import { compressBrotliBest } from '../encoding/best-compression.ts';
import { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import type { Log } from '../response/log.ts';
import { PrerenderedResponses, type ServedSnapshot } from './fast-path/prerendered-responses.ts';

export class SnapshotRenderer {
  readonly #endpoints: readonly Endpoint[];
  readonly #log: Log;
  #served: ServedSnapshot;
  #latestSnapshot: Snapshot;
  #refreshing: Promise<void> = Promise.resolve();
  #recompression = new AbortController();

  private constructor(endpoints: readonly Endpoint[], log: Log, served: ServedSnapshot) {
    this.#endpoints = endpoints;
    this.#log = log;
    this.#latestSnapshot = served.rendered.snapshot;
    this.#served = served;
    this.#recompress(served);
  }

  /** Serves the first snapshot, once its answers are rendered. */
  static async start(endpoints: readonly Endpoint[], log: Log, rendered: RenderedSnapshot): Promise<SnapshotRenderer> {
    return new SnapshotRenderer(endpoints, log, await prerender(endpoints, rendered));
  }

  /** What is served now. */
  get served(): ServedSnapshot {
    return this.#served;
  }

  /**
   * Renders a snapshot, then replaces `served` by it and its bytes; resolves once it, or a later one, is served. Calls
   * made meanwhile wait; of those, only the last is rendered.
   */
  refresh(snapshot: Snapshot): Promise<void> {
    this.#latestSnapshot = snapshot;
    const refreshed = this.#refreshing.then(() => this.#renderLatest());
    this.#refreshing = refreshed.catch(() => undefined);
    return refreshed;
  }

  /** Stops the recompression. */
  close(): void {
    this.#recompression.abort();
  }

  async #renderLatest(): Promise<void> {
    const snapshot = this.#latestSnapshot;
    if (this.#served.rendered.snapshot === snapshot) return;
    // The current answers are about to be replaced: the CPU is for their successors.
    this.#recompression.abort();
    const served = await prerender(this.#endpoints, await RenderedSnapshot.render(snapshot));
    this.#served = served;
    this.#recompress(served);
  }

  #recompress({ prerendered }: ServedSnapshot): void {
    this.#recompression = new AbortController();
    const { signal } = this.#recompression;
    prerendered
      .recompress((plain) => compressBrotliBest(plain, signal))
      .catch((err) => this.#log.warn({ err }, 'the best compression failed; answers stay as they are'));
  }
}

async function prerender(endpoints: readonly Endpoint[], rendered: RenderedSnapshot): Promise<ServedSnapshot> {
  return { rendered, prerendered: await PrerenderedResponses.render(endpoints, rendered) };
}
