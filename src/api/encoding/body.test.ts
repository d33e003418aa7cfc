import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { timed } from '../../../test/support/stopwatch.ts';
import { BodyCache } from '../rendering/body-cache.ts';
import { utf8AsLatin1 } from '../rendering/rendered-records.ts';
import { compressBrotliBest } from './best-compression.ts';
import { Body } from './body.ts';
import { brotliParams } from './brotli-params.ts';
import { ENCODINGS } from './negotiation.ts';

const decoders = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  zstd: zlib.zstdDecompressSync,
  identity: (bytes: Buffer) => bytes,
};
const text = 'preț '.repeat(60_000);

test('every coding decodes to the same bytes, for small and large, shared and single-use bodies', async () => {
  for (const plain of ['{}', text]) {
    for (const body of [Body.shared(plain), Body.singleUse(plain), Body.singleUseLatin1(utf8AsLatin1(plain))]) {
      for (const encoding of ENCODINGS) {
        assert.equal(
          decoders[encoding](Buffer.from((await body.encoded(encoding)) as string, 'latin1')).toString(),
          plain,
        );
        assert.ok((await body.encoded(encoding)) === body.encoded(encoding), 'encoded once');
      }
    }
  }
});

test('encodes a large body off the event loop, once for all who wait', () => {
  const body = Body.shared(text);
  const first = body.encoded('br');
  assert.ok(first instanceof Promise);
  assert.equal(body.encoded('br'), first);
});

test('encodes a text for one request at once, up to half a megabyte', async () => {
  const texts = ['a', 'b'].map((letter) => letter.repeat(500_000));
  const bodies = texts.map((each) => Body.singleUse(each));
  const coded = bodies.map((body) => body.encoded('br'));
  assert.deepEqual(
    coded.map((bytes) => bytes instanceof Buffer && decoders.br(bytes).toString()),
    texts,
  );
  const longer = 'c'.repeat(600_000);
  const later = Body.singleUse(longer).encoded('br');
  assert.ok(later instanceof Promise);
  assert.equal(decoders.br(await later).toString(), longer);
});

test('keeps the encoded bytes without unused buffer space', async () => {
  const shared = Body.singleUseLatin1(utf8AsLatin1('preț '.repeat(600)));
  shared.markShared();
  const prepared = Body.shared('preț '.repeat(600));
  await prepared.compressAll();
  for (const body of [Body.shared('preț '.repeat(600)), Body.shared(text), shared, prepared]) {
    for (const encoding of ['br', 'gzip', 'zstd'] as const) {
      const coded = await body.encoded(encoding);
      assert.equal(coded.buffer.byteLength, coded.length, encoding);
    }
  }
});

test('returns a precompressed body synchronously', async () => {
  const body = Body.shared(text);
  await body.compressAll();
  for (const encoding of ENCODINGS) assert.ok(body.encoded(encoding) instanceof Buffer);
});

test('compresses bodies of up to 64 kB at quality 11, larger ones at 10', async () => {
  const list = Buffer.from(
    JSON.stringify(Array.from({ length: 4_000 }, (_, at) => ({ at, price: (at * 7_919) % 10_007 }))),
  );
  for (const [plain, quality] of [
    [list.subarray(0, 65_536), 11],
    [list.subarray(0, 65_537), 10],
  ] as const) {
    const sizes = [10, 11].map(
      (each) => zlib.brotliCompressSync(plain, { params: brotliParams(each, plain.length) }).length,
    );
    assert.notEqual(sizes[0], sizes[1], 'the qualities differ');
    const best = await compressBrotliBest(plain, new AbortController().signal);
    assert.equal(best?.length, sizes[quality - 10]);
  }
});

test('compresses to the same text at best quality, and stops when aborted', async () => {
  const plain = Buffer.from(text);
  const best = await compressBrotliBest(plain, new AbortController().signal);
  assert.equal(best && zlib.brotliDecompressSync(best).toString(), text);
  const stop = new AbortController();
  const given = compressBrotliBest(randomBytes(8_000_000), stop.signal);
  stop.abort();
  const { ms, result } = await timed(() => given);
  assert.equal(result, null);
  assert.ok(ms < 2_000, `${ms} ms`);
  assert.equal(await compressBrotliBest(plain, AbortSignal.abort()), null);
});

test('creates cached bodies once and evicts the oldest beyond the size limit', () => {
  const cache = new BodyCache(100);
  let made = 0;
  const make = () => {
    made += 1;
    return Body.shared('x'.repeat(40));
  };
  for (const name of ['a', 'b', 'a', 'b']) cache.get(name, make);
  assert.equal(made, 2);
  cache.get('c', make);
  cache.get('b', make);
  assert.equal(made, 3, 'b is still cached');
  cache.get('a', make);
  assert.equal(made, 4, 'a was evicted');
  cache.get('huge', () => Body.shared('x'.repeat(1_000)));
  assert.equal(cache.get('huge', make).length, 1_000, 'the newest body is cached whatever its size');
});

test('caches bodies of unbounded names from their second request on', () => {
  const cache = new BodyCache(100);
  let made = 0;
  const make = () => {
    made += 1;
    return Body.shared('x');
  };
  for (const name of ['a', 'b', 'a', 'b', 'a', 'b']) cache.getCachingRepeats(name, make);
  assert.equal(made, 4);
  for (let point = 0; point < 3_000; point += 1) cache.getCachingRepeats(`${point}`, make);
  cache.getCachingRepeats('0', make);
  assert.equal(made, 3_005, 'names requested once are forgotten eventually');
});

test('the names of cached bodies count in their size', () => {
  const cache = new BodyCache(1_000);
  let made = 0;
  const make = () => {
    made += 1;
    return Body.shared('x');
  };
  const name = (letter: string) => letter.repeat(600);
  cache.get(name('a'), make);
  cache.get(name('b'), make);
  cache.get(name('a'), make);
  assert.equal(made, 3, 'a was evicted');
});

test('long names requested once are forgotten before they fill memory', () => {
  const cache = new BodyCache(10_000_000);
  let made = 0;
  const ask = (name: string) =>
    cache.getCachingRepeats(name, () => {
      made += 1;
      return Body.shared('x');
    });
  ask('first');
  for (let i = 0; i < 30; i += 1) ask(`${i} ${'x'.repeat(10_000)}`);
  ask('first');
  ask('first');
  ask('first');
  assert.equal(made, 33, 'first was forgotten once, then seen again and cached');
});

test('a shared body keeps no more memory than its bytes', async () => {
  const body = Body.shared('x'.repeat(300));
  assert.equal(body.plain.buffer.byteLength, 300);
  for (const coding of ['br', 'gzip', 'zstd'] as const) {
    const coded = await body.encoded(coding);
    assert.equal(coded.buffer.byteLength, coded.length, coding);
  }
});
