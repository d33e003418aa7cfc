import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LinkPreview } from './link-preview.ts';
import { PreviewPictures } from './preview-pictures.ts';
import { DrawingTooSlow } from './rasterizer.ts';

const preview = (path: string, price = '9,59'): LinkPreview => ({
  language: 'ro',
  path,
  kicker: 'Prețuri carburanți',
  subject: 'Cluj-Napoca',
  note: '24 de benzinării',
  figures: [{ name: 'Benzină', prefix: 'de la', price }],
  day: '20 noiembrie 2026',
  simulated: false,
});

/** Pictures of a given size whose drawings are counted; each ends when it is let go. */
function counting({ bytes = 100, isHeld = false } = {}) {
  const waiting: (() => void)[] = [];
  const drawn = { count: 0, atOnce: 0, mostAtOnce: 0 };
  let now = 0;
  const pictures = new PreviewPictures({
    clock: () => now,
    rasterize: async () => {
      drawn.count += 1;
      drawn.atOnce += 1;
      drawn.mostAtOnce = Math.max(drawn.mostAtOnce, drawn.atOnce);
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      drawn.atOnce -= 1;
      return Buffer.alloc(bytes);
    },
  });
  return { pictures, drawn, waiting, pass: (ms: number) => (now += ms) };
}

/** Lets each drawing end as soon as it has begun, until all requests are answered. */
async function finishAll<T>(requests: readonly Promise<T>[], waiting: (() => void)[]): Promise<T[]> {
  let isDone = false;
  const all = Promise.all(requests).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    waiting.shift()?.();
    await new Promise(setImmediate);
  }
  return all;
}

describe('the pictures of link previews', () => {
  it('are drawn once, and again when their content has changed', async () => {
    const { pictures, drawn } = counting();
    const first = await pictures.draw(preview('/a'), '192.0.2.1');
    assert.equal(pictures.cached(preview('/a')), first);
    assert.equal(await pictures.draw(preview('/a'), '192.0.2.1'), first);
    assert.equal(drawn.count, 1);
    assert.equal(pictures.cached(preview('/a', '9,60')), undefined);
    await pictures.draw(preview('/a', '9,60'), '192.0.2.1');
    assert.equal(drawn.count, 2);
    assert.equal(pictures.cachedBytes, 100, 'the earlier one is forgotten');
  });

  it('are drawn once for all who ask at the same time, one after another', async () => {
    const { pictures, drawn, waiting } = counting({ isHeld: true });
    const requests = [1, 2, 3, 4].flatMap((client) =>
      ['/a', '/b'].map((path) => pictures.draw(preview(path), `192.0.${client}.1`)),
    );
    const answers = await finishAll(requests, waiting);
    assert.equal(answers.filter((png) => png === null).length, 0);
    assert.deepEqual(drawn, { count: 2, atOnce: 0, mostAtOnce: 1 });
  });

  it('wait in a queue that is bounded for one client and for all', async () => {
    const { pictures, drawn, waiting } = counting({ isHeld: true });
    const own = Array.from({ length: 50 }, (_, index) => pictures.draw(preview(`/own-${index}`), '192.0.2.1'));
    const ofOne = await finishAll(own, waiting);
    assert.equal(ofOne.filter((png) => png !== null).length, 5, 'one is drawn, four wait');
    const many = Array.from({ length: 100 }, (_, index) =>
      pictures.draw(preview(`/many-${index}`), `198.51.${index}.1`),
    );
    const ofAll = await finishAll(many, waiting);
    assert.equal(ofAll.filter((png) => png !== null).length, 33);
    assert.equal(drawn.count, 38);
  });

  it('are drawn for one network at a bounded rate, which costs other networks nothing', async () => {
    const { pictures, drawn, pass } = counting();
    const askFor = async (count: number, client: string, name: string) => {
      const answers: (Buffer | null)[] = [];
      for (let index = 0; index < count; index += 1)
        answers.push(await pictures.draw(preview(`/${name}-${index}`), client));
      return answers.filter((png) => png !== null).length;
    };
    assert.equal(await askFor(100, '192.0.2.1', 'a'), 20);
    assert.equal(await askFor(10, '192.0.2.2', 'b'), 0, 'its neighbour');
    assert.equal(await askFor(1, '198.51.100.1', 'c'), 1);
    pass(10_000);
    assert.equal(await askFor(100, '192.0.2.1', 'd'), 5);
    assert.equal(drawn.count, 26);
  });

  it('are drawn for all networks at a bounded rate', async () => {
    const { pictures, drawn, pass } = counting();
    const flood = async (name: string) => {
      for (let index = 0; index < 200; index += 1) await pictures.draw(preview(`/${name}-${index}`), `10.${index}.0.1`);
    };
    await flood('a');
    assert.equal(drawn.count, 60);
    pass(5_000);
    await flood('b');
    assert.equal(drawn.count, 80);
  });

  it('are cached within a bound of bytes, the latest ones', async () => {
    const { pictures, pass } = counting({ bytes: 3_000_000 });
    for (let index = 0; index < 12; index += 1) {
      await pictures.draw(preview(`/${index}`), '192.0.2.1');
      pass(60_000);
    }
    assert.equal(pictures.cachedBytes, 15_000_000);
    assert.equal(pictures.cached(preview('/6')), undefined);
    assert.ok(pictures.cached(preview('/7')) && pictures.cached(preview('/11')));
  });

  it('are refused like those for which too many wait if the machine is too busy to draw them in time', async () => {
    let isSlow = true;
    const pictures = new PreviewPictures({
      rasterize: async () => {
        if (isSlow) throw new DrawingTooSlow('not within 5 s');
        return Buffer.alloc(10);
      },
    });
    assert.equal(await pictures.draw(preview('/a'), '192.0.2.1'), null);
    isSlow = false;
    assert.equal((await pictures.draw(preview('/a'), '192.0.2.1'))?.length, 10);
  });

  it('can be asked for again after one could not be drawn', async () => {
    let isBroken = true;
    const pictures = new PreviewPictures({
      rasterize: async () => {
        if (isBroken) throw new Error('broken');
        return Buffer.alloc(10);
      },
    });
    await assert.rejects(pictures.draw(preview('/a'), '192.0.2.1'), /broken/);
    isBroken = false;
    assert.equal((await pictures.draw(preview('/a'), '192.0.2.1'))?.length, 10);
  });
});
