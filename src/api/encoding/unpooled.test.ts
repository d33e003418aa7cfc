import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unpooled } from './unpooled.ts';

describe('bytes to keep', () => {
  test('are a copy of those that share their memory with others', () => {
    const bytes = Buffer.from('prețuri');
    const kept = unpooled(bytes);
    assert.deepEqual(kept, bytes);
    assert.equal(kept.buffer.byteLength, bytes.length);
    assert.ok(bytes.buffer.byteLength > bytes.length);
  });

  test('are themselves if nothing shares their memory', () => {
    const bytes = Buffer.alloc(100_000, 'a');
    assert.equal(unpooled(bytes), bytes);
  });

  test('are a copy where room is wanted before them', () => {
    const bytes = Buffer.alloc(100_000, 'a');
    const kept = unpooled(bytes, 5);
    assert.equal(kept.length, 100_005);
    assert.deepEqual(kept.subarray(5), bytes);
  });
});
