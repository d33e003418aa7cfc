/**
 * Relays the publication of a process to its followers: announced, and held as bytes that are packed once, however
 * many ask for them.
 */
import { randomBytes } from 'node:crypto';
import {
  MAX_CHAINED_SERVERS,
  PUBLICATION_FORMAT,
  type PublicationAnnouncement,
} from '../../domain/prices/publication-announcement.ts';
import { digestOf, type PackedPart, PartPacker } from './publication-parts.ts';
import type { LoadedState } from './read-changes.ts';

/** The announcement as it is sent, and the SHA-256 of its bytes. */
export type SentAnnouncement = { readonly text: string; readonly digest: string };

/** How a publication came to this process. */
type Origin = Pick<PublicationAnnouncement, 'servers' | 'isFromDatabase' | 'isLoop'>;

export class PublicationRelay {
  /** Identifies this process in the announcements of all that follow it. */
  readonly id = randomBytes(8).toString('hex');
  readonly #settings: string;
  readonly #packer = new PartPacker();
  readonly #listeners = new Set<() => void>();
  #state: Pick<LoadedState['facts'], 'version' | 'publishedAt'> = { version: 0, publishedAt: null };
  #origin: Origin = { servers: [], isFromDatabase: false, isLoop: false };
  #parts: readonly PackedPart[] = [];
  /** Those announced before: whoever read that announcement may still be asking for them. */
  #earlier: readonly PackedPart[] = [];
  #sent: SentAnnouncement;
  #packing: Promise<unknown> = Promise.resolve();
  #newest: LoadedState | null = null;
  #isClosed = false;

  /** `settings` is the digest of those by which this process judges. */
  constructor(settings: string) {
    this.#settings = settings;
    this.#sent = this.#announcement();
  }

  get sent(): SentAnnouncement {
    return this.#sent;
  }

  /** The bytes of a part, as they are sent; `undefined` = there is none with this digest, or no longer. */
  part(digest: string): Buffer | undefined {
    return [...this.#parts, ...this.#earlier].find((part) => part.digest === digest)?.bytes;
  }

  /** Packs what this process has read, and then relays it; of several while one is packed, only the last. */
  relay(state: LoadedState, isFromDatabase: boolean): Promise<void> {
    this.#newest = state;
    const packed = this.#packing.then(async () => {
      if (this.#newest !== state || this.#isClosed) return;
      const parts = await this.#packer.pack(state);
      // Meanwhile another may have come from the server that this one follows.
      if (this.#newest !== state) return;
      const origin = isFromDatabase ? { servers: [], isFromDatabase, isLoop: false } : this.#origin;
      this.forward(state.facts, parts, origin);
    });
    this.#packing = packed.catch(() => undefined);
    return packed;
  }

  /** Forwards parts that are packed already, as they came from the server that this process follows. */
  forward({ version, publishedAt }: LoadedState['facts'], parts: readonly PackedPart[], origin: Origin): void {
    this.#newest = null;
    this.#earlier = this.#parts;
    this.#parts = parts;
    this.#state = { version, publishedAt };
    this.updateOrigin(origin);
  }

  /** Announces another way by which the same publication comes. */
  updateOrigin({ servers, isFromDatabase, isLoop }: Origin): void {
    this.#origin = { servers, isFromDatabase, isLoop };
    const sent = this.#announcement();
    if (sent.digest === this.#sent.digest) return;
    this.#sent = sent;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Why this process must not follow the last of these chained servers; `null` = it may. */
  loopIn(servers: readonly string[]): string | null {
    if (servers.includes(this.id)) return 'FOLLOW_URL leads back to this server: it follows itself';
    if (servers.length < MAX_CHAINED_SERVERS) return null;
    return `this server would be the ${servers.length + 1}th in a chain of servers that follow each other, and at most ${MAX_CHAINED_SERVERS} may: they form a loop, or must be followed nearer to the first`;
  }

  /** Resolves when another announcement than the one with this digest is there; at the latest after `ms`. */
  whenChanged(digest: string | null, ms: number, gone: AbortSignal): Promise<void> {
    const isOver = () => this.#isClosed || gone.aborted || this.#sent.digest !== digest;
    if (isOver()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const end = () => resolve();
    this.#listeners.add(end);
    gone.addEventListener('abort', end);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#listeners.delete(end);
      gone.removeEventListener('abort', end);
    });
  }

  /** How many followers wait for a change. */
  get waiting(): number {
    return this.#listeners.size;
  }

  /** The process stops: nobody waits any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const listener of [...this.#listeners]) listener();
    await this.#packing;
  }

  #announcement(): SentAnnouncement {
    const { servers, isFromDatabase, isLoop } = this.#origin;
    const announcement: PublicationAnnouncement = {
      format: PUBLICATION_FORMAT,
      ...this.#state,
      parts: this.#parts.map(({ name, digest, bytes }) => ({ name, digest, bytes: bytes.length })),
      servers: [...servers, this.id],
      ...{ isFromDatabase, isLoop, settings: this.#settings },
    };
    const text = JSON.stringify(announcement);
    return { text, digest: digestOf(text) };
  }
}
