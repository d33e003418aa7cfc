/** The bytes of an answer in each content coding. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { brotliParams } from './brotli-params.ts';
import type { Encoding, Negotiated } from './negotiation.ts';
import { unpooled } from './unpooled.ts';

type Coding = Exclude<Encoding, 'identity'>;
type Compressor = {
  readonly compressSync: (plain: Buffer) => Buffer;
  readonly compress: (plain: Buffer) => Promise<Buffer>;
};

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const zstd = promisify(zlib.zstdCompress);

/**
 * Size of the pieces in which a compressor makes its output, about as long as the output itself. The last one stays in
 * memory for as long as the compressor does, which may be until the next full collection of garbage.
 */
const outputChunk = ({ length }: Buffer) => ({
  chunkSize: Math.min(Math.max(Math.ceil(length / USUAL_RATIO), MIN_CHUNK_BYTES), MAX_CHUNK_BYTES),
});
const USUAL_RATIO = 8;
const MIN_CHUNK_BYTES = 1_024;
const MAX_CHUNK_BYTES = 64 * 1024;

function createCompressors(levels: Readonly<Record<Coding, number>>): Readonly<Record<Coding, Compressor>> {
  const br = (plain: Buffer) => ({ params: brotliParams(levels.br, plain.length), ...outputChunk(plain) });
  const gz = (plain: Buffer) => ({ level: levels.gzip, ...outputChunk(plain) });
  const zs = (plain: Buffer) => ({
    params: { [zlib.constants.ZSTD_c_compressionLevel]: levels.zstd },
    ...outputChunk(plain),
  });
  return {
    br: {
      compressSync: (plain) => zlib.brotliCompressSync(plain, br(plain)),
      compress: (plain) => brotli(plain, br(plain)).then((coded) => unpooled(coded)),
    },
    gzip: {
      compressSync: (plain) => zlib.gzipSync(plain, gz(plain)),
      compress: (plain) => gzip(plain, gz(plain)).then((coded) => unpooled(coded)),
    },
    zstd: {
      compressSync: (plain) => zlib.zstdCompressSync(plain, zs(plain)),
      compress: (plain) => zstd(plain, zs(plain)).then((coded) => unpooled(coded)),
    },
  };
}

/** For a body that many requests share, and for one made for a single request. */
const COMPRESSORS = {
  shared: createCompressors({ br: 5, gzip: 6, zstd: 3 }),
  singleUse: createCompressors({ br: 1, gzip: 1, zstd: 1 }),
};

/** A single-use body smaller than this is sent uncompressed. */
const MIN_COMPRESSIBLE_BYTES = 1_000;
/**
 * A body larger than this is compressed in the thread pool, since it would hold up the event loop for half a
 * millisecond to one. In the pool an answer for one request costs up to four times the CPU: while it waits its text
 * grows old, and stays in memory until the next full collection of garbage.
 */
const MAX_SYNC_BYTES = { shared: 128 * 1024, singleUse: 512 * 1024 };

/** For texts that are compressed on the event loop, one after another: it saves each a buffer to be collected. */
const scratch = Buffer.allocUnsafeSlow(MAX_SYNC_BYTES.singleUse);

type BodyUse = 'shared' | 'singleUse' | 'uncompressed';

/** Bytes, or a string with one character per byte, which is cheaper to create and to send once. */
export type Bytes = Buffer | string;

/** One body, encoded on first use and then remembered. */
export class Body {
  readonly #bytes: Bytes;
  readonly #use: BodyUse;
  #shared: boolean;
  readonly #coded = new Map<Coding, Buffer | Promise<Buffer>>();

  private constructor(bytes: Bytes, use: BodyUse) {
    this.#bytes = bytes;
    this.#use = use;
    this.#shared = use === 'shared';
  }

  /** A body that many requests share: compressed well. */
  static shared(plain: Buffer | string): Body {
    return new Body(unpooled(typeof plain === 'string' ? Buffer.from(plain) : plain), 'shared');
  }

  /** A text for one request: compressed fast, and not at all if tiny. A string, because some are cached after all. */
  static singleUse(text: string): Body {
    return Body.singleUseLatin1(Buffer.from(text).toString('latin1'));
  }

  /** Like `singleUse`, for a string with one character per byte. */
  static singleUseLatin1(bytes: string): Body {
    return new Body(bytes, 'singleUse');
  }

  /** A body that is never compressed, because its format already is. */
  static uncompressed(plain: Buffer): Body {
    return new Body(plain, 'uncompressed');
  }

  /** The unencoded bytes. */
  get plain(): Buffer {
    return typeof this.#bytes === 'string' ? Buffer.from(this.#bytes, 'latin1') : this.#bytes;
  }

  /** Whether other requests receive this same body. */
  get shared(): boolean {
    return this.#shared;
  }

  /** Marks a single-use body as one that other requests receive too. */
  markShared(): void {
    this.#shared = true;
  }

  /** The length of the unencoded body in bytes. */
  get length(): number {
    return this.#bytes.length;
  }

  /** The coding in which a client receives this body. */
  chooseEncoding({ best, identityAllowed }: Negotiated): Encoding {
    if (this.#use === 'uncompressed') return 'identity';
    return identityAllowed && this.#use === 'singleUse' && this.#bytes.length < MIN_COMPRESSIBLE_BYTES
      ? 'identity'
      : best;
  }

  /** The bytes in a coding: directly, or as a promise if they are many and not encoded yet. */
  encoded(encoding: 'identity'): Bytes;
  encoded(encoding: Coding): Buffer | Promise<Buffer>;
  encoded(encoding: Encoding): Bytes | Promise<Buffer>;
  encoded(encoding: Encoding): Bytes | Promise<Buffer> {
    if (encoding === 'identity') return this.#bytes;
    const known = this.#coded.get(encoding);
    if (known) return known;
    const use = this.#use === 'shared' ? 'shared' : 'singleUse';
    const compressor = COMPRESSORS[use][encoding];
    return this.#remember(
      encoding,
      this.length > MAX_SYNC_BYTES[use]
        ? compressor.compress(this.plain)
        : this.#exactIfShared(compressor.compressSync(this.#borrowPlain())),
    );
  }

  /** Encodes the body in every coding, in the thread pool, so that no request has to wait for it. */
  async compressAll(): Promise<void> {
    const { br, gzip, zstd } = COMPRESSORS.shared;
    const make = async (encoding: Coding, coder: Compressor) => {
      if (!this.#coded.has(encoding)) this.#coded.set(encoding, await coder.compress(this.plain));
    };
    await Promise.all([make('br', br), make('gzip', gzip), make('zstd', zstd)]);
  }

  /** Replaces an encoding by a smaller one; `false` = the present one is no larger. */
  replaceIfSmaller(encoding: Coding, bytes: Buffer): boolean {
    const known = this.#coded.get(encoding);
    if (known instanceof Buffer && known.length <= bytes.length) return false;
    this.#coded.set(encoding, bytes);
    return true;
  }

  /** The unencoded bytes, only until the next body borrows the scratch buffer. */
  #borrowPlain(): Buffer {
    if (typeof this.#bytes !== 'string') return this.#bytes;
    return scratch.subarray(0, scratch.write(this.#bytes, 'latin1'));
  }

  /** Single-use bytes are freed soon, so they need not be copied. */
  #exactIfShared(coded: Buffer): Buffer {
    return this.#shared ? unpooled(coded) : coded;
  }

  #remember(encoding: Coding, bytes: Buffer | Promise<Buffer>): Buffer | Promise<Buffer> {
    this.#coded.set(encoding, bytes);
    if (bytes instanceof Promise) {
      // `replaceIfSmaller` may have replaced it meanwhile.
      const current = () => this.#coded.get(encoding) === bytes;
      bytes.then(
        (done) => current() && this.#coded.set(encoding, done),
        () => current() && this.#coded.delete(encoding),
      );
    }
    return bytes;
  }
}
