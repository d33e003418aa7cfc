import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { terminalText } from './terminal-text.ts';

/** What a terminal obeys, hides or turns around. */
const STEERING = ['\u0000', '\u0007', '\b', '\r', '\u001b', '\u007f', '\u009b', '\u0090', '\u202e', '\u2066', '\u200f'];

describe('a text on the way to a terminal', () => {
  test('contains no control character: each is escaped', () => {
    const title = terminalText('\u001b]0;pwned\u0007\u001b[2J');
    assert.equal(title, '\\u001b]0;pwned\\u0007\\u001b[2J');
    for (const sign of STEERING) assert.match(terminalText(`a${sign}b`), /^a\\u[0-9a-f]{4}b$/);
  });

  test('keeps letters, lines and columns', () => {
    const text = 'Știrbei – 6,59 lei\t“bun”\nal doilea rând: 👍🏽 ע';
    assert.equal(terminalText(text), text);
  });

  test('that is JSON keeps its meaning', () => {
    const value = { comment: STEERING.join('x') };
    assert.deepEqual(JSON.parse(terminalText(JSON.stringify(value))), value);
  });
});
