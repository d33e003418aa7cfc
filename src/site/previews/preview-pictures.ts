/**
 * The pictures of link previews: drawn when asked for, one at a time, and kept within a bound of bytes. A flood of
 * addresses costs others nothing: what waits is bounded for each client and for all, and so is how much is drawn.
 */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import { drawPreview } from './draw-preview.ts';
import { type LinkPreview, previewEdition } from './link-preview.ts';
import { createRasterizer, type Rasterize } from './rasterizer.ts';

/** About 80 kB each. */
const MAX_KEPT_BYTES = 16_000_000;
/** More than pictures fit into the bytes. */
const MAX_KEPT = 2_000;
/** One at a time. */
const TURNS = { slots: 1, slotsPerClient: 1, slotsPerNetwork: 1, maxWaiting: 32, maxWaitingPerClient: 4 };
/** What waits for its turn for longer is refused. */
const MAX_WAIT_MS = 2_000;
/** Drawings of one network: somebody who shares a page needs one or two. */
const NETWORK_DRAWINGS = { burst: 20, perSecond: 0.5, maxKeys: 10_000 };
/** Drawings in all: a part of one core at the most. */
const ALL_DRAWINGS = { burst: 60, perSecond: 4, maxKeys: 1 };
const ALL = 'all';

export type PreviewPicturesOptions = {
  /** Turns SVG into PNG; in a worker thread if left out. */
  readonly rasterize?: Rasterize;
  /** Milliseconds that never go back. */
  readonly clock?: () => number;
};

/** A drawn picture: the same buffer for as long as it is kept. */
type KeptPicture = { readonly edition: string; readonly png: Buffer };

export class PreviewPictures {
  readonly #rasterize: Rasterize;
  readonly #kept = new BoundedMap<KeptPicture>(MAX_KEPT);
  readonly #turns = new FairSemaphore(TURNS);
  readonly #ofNetwork: TokenBuckets;
  readonly #ofAll: TokenBuckets;
  #keptBytes = 0;

  constructor({ rasterize = createRasterizer(), clock }: PreviewPicturesOptions = {}) {
    this.#rasterize = rasterize;
    this.#ofNetwork = new TokenBuckets({ ...NETWORK_DRAWINGS, ...(clock && { clock }) });
    this.#ofAll = new TokenBuckets({ ...ALL_DRAWINGS, ...(clock && { clock }) });
  }

  /** Bytes of the pictures that are kept. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** The picture of a preview, if it is drawn already. */
  kept(preview: LinkPreview): Buffer | undefined {
    const known = this.#kept.get(preview.path);
    return known?.edition === previewEdition(preview) ? known.png : undefined;
  }

  /** The picture as PNG; `null` = too many are asked for, by this client or by all. Rejects if it cannot be drawn. */
  async draw(preview: LinkPreview, client: string): Promise<Buffer | null> {
    const network = clientNetwork(client);
    const release = await this.#turns.acquire({ client, network }, AbortSignal.timeout(MAX_WAIT_MS));
    if (release === null) return null;
    try {
      // Whoever waited before may have asked for the same picture.
      const known = this.kept(preview);
      if (known !== undefined) return known;
      if (!this.#ofAll.hasToken(ALL) || !this.#ofNetwork.tryTake(network)) return null;
      this.#ofAll.tryTake(ALL);
      const png = await this.#rasterize(drawPreview(preview));
      this.#keep(preview, png);
      return png;
    } finally {
      release();
    }
  }

  #keep(preview: LinkPreview, png: Buffer): void {
    this.#forget(preview.path);
    while (this.#kept.size > 0 && (this.#kept.isFull || this.#keptBytes + png.length > MAX_KEPT_BYTES))
      this.#forgetOldest();
    this.#kept.set(preview.path, { edition: previewEdition(preview), png });
    this.#keptBytes += png.length;
  }

  #forget(path: string): void {
    this.#keptBytes -= this.#kept.get(path)?.png.length ?? 0;
    this.#kept.delete(path);
  }

  #forgetOldest(): void {
    let isFirst = true;
    this.#kept.deleteOldestWhile(({ png }) => {
      if (!isFirst) return false;
      isFirst = false;
      this.#keptBytes -= png.length;
      return true;
    });
  }
}
