import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SingleFlight } from './single-flight.ts';

describe('a single flight', () => {
  test('is shared by all callers with its key until it settles', async () => {
    const flights = new SingleFlight<number>();
    const { promise, resolve } = Promise.withResolvers<number>();
    const started = flights.start('a', () => promise);
    assert.equal(flights.get('a'), started);
    assert.equal(flights.get('b'), undefined);
    assert.equal(flights.size, 1);
    resolve(7);
    assert.equal(await started, 7);
    assert.equal(flights.get('a'), undefined);
    assert.equal(flights.size, 0);
  });

  test('ends when it fails, too', async () => {
    const flights = new SingleFlight<number>();
    await assert.rejects(
      flights.start('a', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(flights.size, 0);
  });

  test('does not remove its successor when it ends after being replaced', async () => {
    const flights = new SingleFlight<number>();
    const first = Promise.withResolvers<number>();
    const second = Promise.withResolvers<number>();
    const replaced = flights.start('a', () => first.promise);
    const running = flights.start('a', () => second.promise);
    first.resolve(1);
    assert.equal(await replaced, 1);
    assert.equal(flights.get('a'), running);
    second.resolve(2);
    assert.equal(await running, 2);
    assert.equal(flights.size, 0);
  });
});
