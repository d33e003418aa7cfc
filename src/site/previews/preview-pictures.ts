/**
 * The pictures of link previews: drawn when asked for, one at a time, and cached within a bound of bytes. A flood of
 * addresses costs others nothing: what waits is bounded for each client and for all, and so is how much is drawn.
 */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import { drawPreview } from './draw-preview.ts';
import { type LinkPreview, previewFingerprint } from './link-preview.ts';
import { createRasterizer, DrawingTooSlow, type Rasterize } from './rasterizer.ts';

/** About 80 kB each. */
const MAX_CACHED_BYTES = 16_000_000;
/** More than pictures fit into the bytes. */
const MAX_CACHED = 2_000;
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

/** A drawn picture: the same buffer for as long as it is cached. */
type CachedPicture = { readonly fingerprint: string; readonly png: Buffer };

export class PreviewPictures {
  readonly #rasterize: Rasterize;
  readonly #cached = new BoundedMap<CachedPicture>(MAX_CACHED);
  readonly #turns = new FairSemaphore(TURNS);
  readonly #ofNetwork: TokenBuckets;
  readonly #ofAll: TokenBuckets;
  #cachedBytes = 0;

  constructor({ rasterize = createRasterizer(), clock }: PreviewPicturesOptions = {}) {
    this.#rasterize = rasterize;
    this.#ofNetwork = new TokenBuckets({ ...NETWORK_DRAWINGS, ...(clock && { clock }) });
    this.#ofAll = new TokenBuckets({ ...ALL_DRAWINGS, ...(clock && { clock }) });
  }

  /** Bytes of the pictures that are cached. */
  get cachedBytes(): number {
    return this.#cachedBytes;
  }

  /** The picture of a preview, if it is drawn already. */
  cached(preview: LinkPreview): Buffer | undefined {
    const known = this.#cached.get(preview.path);
    return known?.fingerprint === previewFingerprint(preview) ? known.png : undefined;
  }

  /**
   * The picture as PNG; `null` = too many are asked for, by this client or by all, or the machine is too busy to draw
   * it in time. Rejects if it cannot be drawn.
   */
  async draw(preview: LinkPreview, client: string): Promise<Buffer | null> {
    const network = clientNetwork(client);
    const release = await this.#turns.acquire({ client, network }, AbortSignal.timeout(MAX_WAIT_MS));
    if (release === null) return null;
    try {
      // Whoever waited before may have asked for the same picture.
      const known = this.cached(preview);
      if (known !== undefined) return known;
      if (!this.#ofAll.hasToken(ALL) || !this.#ofNetwork.tryTake(network)) return null;
      this.#ofAll.tryTake(ALL);
      const png = await this.#rasterize(drawPreview(preview));
      this.#cache(preview, png);
      return png;
    } catch (error) {
      if (error instanceof DrawingTooSlow) return null;
      throw error;
    } finally {
      release();
    }
  }

  #cache(preview: LinkPreview, png: Buffer): void {
    this.#forget(preview.path);
    while (this.#cached.size > 0 && (this.#cached.isFull || this.#cachedBytes + png.length > MAX_CACHED_BYTES))
      this.#forgetOldest();
    this.#cached.set(preview.path, { fingerprint: previewFingerprint(preview), png });
    this.#cachedBytes += png.length;
  }

  #forget(path: string): void {
    this.#cachedBytes -= this.#cached.get(path)?.png.length ?? 0;
    this.#cached.delete(path);
  }

  #forgetOldest(): void {
    let isFirst = true;
    this.#cached.deleteOldestWhile(({ png }) => {
      if (!isFirst) return false;
      isFirst = false;
      this.#cachedBytes -= png.length;
      return true;
    });
  }
}
