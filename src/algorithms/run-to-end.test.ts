import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from './run-to-end.ts';

test('runs a generator to its end and returns its result', () => {
  const done: string[] = [];
  const result = runToEnd(
    (function* () {
      done.push('one');
      yield;
      done.push('two');
      yield;
      return 3;
    })(),
  );
  assert.deepEqual([result, done], [3, ['one', 'two']]);
});
