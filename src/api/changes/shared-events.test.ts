import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { FakeSink } from '../../../test/support/changes/fake-sink.ts';
import { EPOCH, ToldFeed } from '../../../test/support/changes/told-changes.ts';
import { ChangeFeed, type FoundPlace } from './change-feed.ts';

const STREAMS = 40;

/** Takes so many parts, then none until it drains: as a socket whose buffer is full. */
class NarrowSink extends FakeSink {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override write(part: string | Buffer): boolean {
    this.#taken += 1;
    this.writableNeedDrain = this.#taken === this.#most;
    return super.write(part);
  }

  drain(): void {
    this.#taken = 0;
    this.writableNeedDrain = false;
    this.emit('drain');
  }
}

/** Streams of as many keys, all at the end of the feed. */
function openStreams(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const told = new ToldFeed();
  const feed = new ChangeFeed(told.log);
  const open = (place: FoundPlace, key = 0) => {
    const sink = new NarrowSink((key % 3) + 2);
    feed.answerStream({ place, filter: {}, key }).stream?.start(sink as unknown as ServerResponse);
    return sink;
  };
  const sinks = Array.from({ length: STREAMS }, (_, index) => open({ epoch: EPOCH, seq: 0, ahead: null }, index + 1));
  return { told, open, sinks };
}

const buffersOf = (sinks: readonly FakeSink[]) => sinks.flatMap(({ parts }) => parts.filter(Buffer.isBuffer));

test('the events of a publication are made once for all streams, however many parts they come in', (t) => {
  const { told, sinks } = openStreams(t);
  told.tellSome(1_000);
  for (let round = 1; round < 5; round += 1) for (const sink of sinks) sink.drain();
  assert.equal(buffersOf(sinks).length, 5 * STREAMS);
  assert.equal(new Set(buffersOf(sinks)).size, 5);
  for (const { parts } of sinks)
    assert.equal(
      Buffer.concat(parts.filter(Buffer.isBuffer))
        .toString()
        .match(/^data: /gm)?.length,
      1_000,
    );
});

test('the events of an earlier epoch are sent to nobody, though they have the same numbers', (t) => {
  const { told, open, sinks } = openStreams(t);
  told.tellSome(1);
  told.tell([{ seq: 1 }], { epoch: 'epoch_02' });
  const later = open({ epoch: 'epoch_02', seq: 0, ahead: null });
  assert.match(buffersOf(sinks).join(''), new RegExp(`^id: ${EPOCH}\\.1\n`));
  assert.match(buffersOf([later]).join(''), /^id: epoch_02\.1\n/);
});
