import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inTurn } from './rendering-turn.ts';

/** One turn at a time, and a record of what happens. */
function recorded(refuseFrom = Number.POSITIVE_INFINITY) {
  const events: string[] = [];
  let turns = 0;
  const takeTurn = async () => {
    turns += 1;
    if (turns >= refuseFrom) return null;
    events.push('begin');
    return () => void events.push('end');
  };
  return { events, takeTurn };
}

describe('a turn of rendering', () => {
  test('gives way while the page waits for something outside', async () => {
    const { events, takeTurn } = recorded();
    const page = await inTurn(takeTurn, async (outsideTurn) => {
      events.push('ask');
      const answer = await outsideTurn(Promise.resolve('reviews').finally(() => events.push('answer')));
      events.push('render');
      return answer;
    });
    assert.equal(page, 'reviews');
    assert.deepEqual(events.slice(0, 6), ['begin', 'ask', 'end', 'answer', 'begin', 'render']);
    assert.equal(events.at(-1), 'end');
  });

  test('ends when the page cannot be made, and when what it waits for fails', async () => {
    for (const fail of [() => Promise.reject(new Error('no page')), () => assert.fail('no page')]) {
      const { events, takeTurn } = recorded();
      await assert.rejects(() => inTurn(takeTurn, (outsideTurn) => outsideTurn(fail())), /no page/);
      assert.equal(events.at(-1), 'end');
    }
  });

  test('may be refused at first, and when the page wants to go on', async () => {
    assert.equal(await inTurn(recorded(1).takeTurn, () => 'page'), 'refused');
    assert.equal(await inTurn(recorded(2).takeTurn, (outsideTurn) => outsideTurn(Promise.resolve('page'))), 'refused');
  });
});
