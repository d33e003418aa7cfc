import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import { abortable } from './abortable.ts';

describe('abortable work', () => {
  test('settles as the work does, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    assert.equal(await abortable(signal, async () => 7), 7);
    await assert.rejects(
      abortable(signal, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  test('rejects with the reason as soon as the signal is aborted', async () => {
    const stop = new AbortController();
    const waiting = abortable(stop.signal, () => new Promise(() => undefined));
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });

  test('does not start when the signal is aborted already', async () => {
    let begun = false;
    const work = async () => {
      begun = true;
    };
    await assert.rejects(abortable(AbortSignal.abort(new Error('enough')), work), /enough/);
    assert.equal(begun, false);
  });
});
