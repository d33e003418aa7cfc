import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { FakeSink } from '../../../test/support/changes/fake-sink.ts';
import { EPOCH, ToldFeed } from '../../../test/support/changes/told-changes.ts';
import { changeTest } from './change-filter.ts';
import { type EventSink, eventsOf, streamChanges } from './change-stream.ts';

function start(t: TestContext, filter = {}) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const feed = new ToldFeed();
  const sink = new FakeSink();
  let ends = 0;
  streamChanges(sink as unknown as EventSink, {
    ...{ log: feed.log, place: { epoch: EPOCH, seq: 0, ahead: null }, test: changeTest(filter) },
    sharedEvents: (entries) => Buffer.from(eventsOf(entries, (seq) => `${EPOCH}.${seq}`)),
    onEnd: () => {
      ends += 1;
    },
  });
  return { feed, sink, ends: () => ends, tick: (ms: number) => t.mock.timers.tick(ms) };
}

describe('a stream', () => {
  test('says at once where it is, so that a client without an event goes on from there', (t) => {
    assert.equal(start(t).sink.text, `retry: 1000\nid: ${EPOCH}.0\n\n`);
  });

  test('sends a comment every 15 seconds, with the place that filtered changes moved', (t) => {
    const { feed, sink, tick } = start(t, { county: 'IS' });
    feed.tellSome(3);
    sink.taken();
    tick(14_999);
    assert.equal(sink.taken(), '');
    tick(1);
    assert.equal(sink.taken(), `:\nid: ${EPOCH}.3\n\n`);
  });

  test('ends after 60 seconds and listens no more', (t) => {
    const { feed, sink, ends, tick } = start(t);
    tick(59_999);
    assert.equal(sink.state, 'open');
    tick(1);
    assert.deepEqual([sink.state, ends(), feed.log.listeners], ['ended', 1, 0]);
    sink.emit('close');
    assert.equal(ends(), 1);
  });

  test('hands a reader that takes nothing no more than a chunk, and goes on when it reads', (t) => {
    const { feed, sink } = start(t);
    sink.taken();
    sink.writableNeedDrain = true;
    feed.tellSome(2);
    assert.equal(sink.taken(), '');
    sink.writableNeedDrain = false;
    sink.emit('drain');
    assert.equal(sink.taken().match(/^data: /gm)?.length, 2);
  });

  test('sends a reader that takes nothing no comments either: its connection is found stalled', (t) => {
    const { sink, tick } = start(t);
    sink.taken();
    sink.writableNeedDrain = true;
    tick(30_000);
    assert.equal(sink.taken(), '');
  });

  test('cuts a reader for whom more than 1 MB waits', (t) => {
    const { feed, sink, ends } = start(t);
    sink.writableNeedDrain = true;
    feed.tellSome(3_000);
    assert.equal(sink.state, 'open', 'less waits yet');
    feed.tellSome(2_000);
    assert.deepEqual([sink.state, ends()], ['reset', 1]);
  });

  test('cuts a reader whose connection does not move, also once the stream has ended', (t) => {
    const { feed, sink, ends, tick } = start(t);
    sink.writableNeedDrain = true;
    feed.tellSome(1);
    tick(60_000);
    assert.equal(sink.state, 'ended');
    sink.emit('timeout');
    assert.deepEqual([sink.state, ends()], ['reset', 1]);
  });
});
