import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMainThread, threadId, type Worker } from 'node:worker_threads';
import { createRasterizer } from './rasterizer.ts';

/** A thread whose code draws nothing: it answers with its own number, or does what the SVG says. */
const worker = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (svg) => {
      if (svg === 'silence') return;
      if (svg === 'failure') return parentPort.postMessage({ failed: 'no such picture' });
      if (svg === 'exit') process.exit(1);
      if (svg === 'crash') throw new Error('crashed while idle');
      parentPort.postMessage({ png: new Uint8Array([threadId]) });
    });
  `)}`,
);

const threadOf = async (drawing: Promise<Buffer>) => (await drawing)[0] as number;

describe('the rasterizer', () => {
  it('draws with the fonts that come along', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><text y="8" font-size="8">ș</text></svg>';
    const png = await createRasterizer()(svg);
    assert.deepEqual([...png.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(''), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [20, 10]);
  });

  it('draws in one thread, and in another one after a picture failed', async () => {
    const draw = createRasterizer({ worker });
    const first = await threadOf(draw('picture'));
    assert.ok(isMainThread && first !== threadId);
    assert.equal(await threadOf(draw('picture')), first);
    await assert.rejects(draw('failure'), /no such picture/);
    assert.notEqual(await threadOf(draw('picture')), first);
  });

  it('draws on after its thread died while it drew nothing, which ends no process', async () => {
    const draw = createRasterizer({ worker });
    const started = Promise.withResolvers<Worker>();
    process.once('worker', started.resolve);
    const first = await threadOf(draw('picture'));
    const thread = await started.promise;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    // The test waits for the thread, which does not keep a process alive.
    thread.ref();
    thread.postMessage('crash');
    await ended;
    assert.notEqual(await threadOf(draw('picture')), first);
  });

  it('refuses a picture whose thread ends or takes too long, and draws the next', async () => {
    const draw = createRasterizer({ worker, timeoutMs: 20_000 });
    await assert.rejects(draw('exit'), /the thread that draws pictures ended/);
    assert.ok((await threadOf(draw('picture'))) > 0);
    const impatient = createRasterizer({ worker, timeoutMs: 1 });
    await assert.rejects(impatient('silence'), { name: 'DrawingTooSlow', message: /not drawn within 0.001 s/ });
  });
});
