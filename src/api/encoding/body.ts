/** The bytes of an answer in each content coding. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { brotliParams } from './brotli-params.ts';
import type { Encoding, Negotiated } from './negotiation.ts';

type Coding = Exclude<Encoding, 'identity'>;
type Compressor = {
  readonly compressSync: (plain: Buffer) => Buffer;
  readonly compress: (plain: Buffer) => Promise<Buffer>;
};

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const zstd = promisify(zlib.zstdCompress);

/** Room for what comes out. Node's own 64 KB would be made, and for a kept body held, for each answer of a few KB. */
const outputChunk = ({ length }: Buffer) => ({
  chunkSize: Math.min(Math.max(length, MIN_CHUNK_BYTES), MAX_CHUNK_BYTES),
});
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
      compress: (plain) => brotli(plain, br(plain)).then(exactCopy),
    },
    gzip: {
      compressSync: (plain) => zlib.gzipSync(plain, gz(plain)),
      compress: (plain) => gzip(plain, gz(plain)).then(exactCopy),
    },
    zstd: {
      compressSync: (plain) => zlib.zstdCompressSync(plain, zs(plain)),
      compress: (plain) => zstd(plain, zs(plain)).then(exactCopy),
    },
  };
}

/** For a body that many requests will share, and for one made for a single request. */
const COMPRESSORS = {
  kept: createCompressors({ br: 5, gzip: 6, zstd: 3 }),
  once: createCompressors({ br: 1, gzip: 1, zstd: 1 }),
};

/** The bytes alone, without the room that was left for more of them. */
function exactCopy(coded: Buffer): Buffer {
  const exact = Buffer.allocUnsafeSlow(coded.length);
  coded.copy(exact);
  return exact;
}

/** Below this many bytes a body made for one request goes out plain. */
const MIN_COMPRESSIBLE_BYTES = 1_000;
/** Above this many bytes compression leaves the event loop for the thread pool. */
const THREAD_POOL_BYTES = 128 * 1024;

type BodyUse = 'kept' | 'once' | 'plain';

/** Bytes, or a string that holds one character per byte: cheaper to make and to send when used once. */
export type Bytes = Buffer | string;

/** One body, coded when first asked for and then remembered. */
export class Body {
  readonly #bytes: Bytes;
  readonly #use: BodyUse;
  #shared: boolean;
  readonly #coded = new Map<Coding, Buffer | Promise<Buffer>>();

  private constructor(bytes: Bytes, use: BodyUse) {
    this.#bytes = bytes;
    this.#use = use;
    this.#shared = use === 'kept';
  }

  /** A body that many requests will share: coded well. */
  static shared(plain: Buffer | string): Body {
    return new Body(typeof plain === 'string' ? Buffer.from(plain) : plain, 'kept');
  }

  /** A text for one request: coded cheaply, and not at all when tiny. */
  static singleUse(text: string): Body {
    return new Body(Buffer.from(text), 'once');
  }

  /** As `once`, of a string that holds one character per byte. */
  static singleUseLatin1(bytes: string): Body {
    return new Body(bytes, 'once');
  }

  /** A body that is never coded, because it is compressed by its nature. */
  static uncompressed(plain: Buffer): Body {
    return new Body(plain, 'plain');
  }

  /** The bytes as they are. */
  get plain(): Buffer {
    return typeof this.#bytes === 'string' ? Buffer.from(this.#bytes, 'latin1') : this.#bytes;
  }

  /** Whether other requests will be given this very body. */
  get shared(): boolean {
    return this.#shared;
  }

  /** Marks a body made for one request as one that others will be given too. */
  markShared(): void {
    this.#shared = true;
  }

  /** How many bytes the plain body has. */
  get length(): number {
    return this.#bytes.length;
  }

  /** The coding this body goes out in for a client. */
  chooseEncoding({ best, identityAllowed }: Negotiated): Encoding {
    if (this.#use === 'plain') return 'identity';
    return identityAllowed && this.#use === 'once' && this.#bytes.length < MIN_COMPRESSIBLE_BYTES ? 'identity' : best;
  }

  /** The bytes in a coding: at once, or as a promise when they are many and not coded yet. */
  encoded(encoding: 'identity'): Bytes;
  encoded(encoding: Coding): Buffer | Promise<Buffer>;
  encoded(encoding: Encoding): Bytes | Promise<Buffer>;
  encoded(encoding: Encoding): Bytes | Promise<Buffer> {
    if (encoding === 'identity') return this.#bytes;
    const known = this.#coded.get(encoding);
    if (known) return known;
    const compressor = COMPRESSORS[this.#use === 'kept' ? 'kept' : 'once'][encoding];
    const { plain } = this;
    return this.#remember(
      encoding,
      plain.length > THREAD_POOL_BYTES
        ? compressor.compress(plain)
        : this.#exactIfShared(compressor.compressSync(plain)),
    );
  }

  /** Codes the body in every coding, in the thread pool, so that no request waits for it. */
  async compressAll(): Promise<void> {
    const { br, gzip, zstd } = COMPRESSORS.kept;
    const make = async (encoding: Coding, coder: Compressor) => {
      if (!this.#coded.has(encoding)) this.#coded.set(encoding, await coder.compress(this.plain));
    };
    await Promise.all([make('br', br), make('gzip', gzip), make('zstd', zstd)]);
  }

  /** Puts a better coded form in place; `false` = the one that is there is no larger. */
  replaceIfSmaller(encoding: Coding, bytes: Buffer): boolean {
    const known = this.#coded.get(encoding);
    if (known instanceof Buffer && known.length <= bytes.length) return false;
    this.#coded.set(encoding, bytes);
    return true;
  }

  /** Bytes of one request are gone soon: they need not be moved. */
  #exactIfShared(coded: Buffer): Buffer {
    return this.#shared ? exactCopy(coded) : coded;
  }

  #remember(encoding: Coding, bytes: Buffer | Promise<Buffer>): Buffer | Promise<Buffer> {
    this.#coded.set(encoding, bytes);
    if (bytes instanceof Promise) {
      // A better form may have come before it.
      const current = () => this.#coded.get(encoding) === bytes;
      bytes.then(
        (done) => current() && this.#coded.set(encoding, done),
        () => current() && this.#coded.delete(encoding),
      );
    }
    return bytes;
  }
}
