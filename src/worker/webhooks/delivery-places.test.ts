import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryPlaces } from './delivery-places.ts';

/** Takes a place for deliveries of different keys to different hosts, but as `same` says; returns how many got one. */
function taken(places: DeliveryPlaces, count: number, lane: 'prompt' | 'slow', same: object = {}, from = 0): number {
  const each = (n: number) => ({ delivery: n, key: n, host: `host-${n}`, ...same });
  return Array.from({ length: count }, (_, n) => places.take(each(from + n), lane)).filter((place) => place !== null)
    .length;
}

test('a key has one place, and a host eight, in each lane', () => {
  const places = new DeliveryPlaces();
  assert.equal(taken(places, 3, 'prompt', { key: -1 }), 1);
  assert.equal(taken(places, 3, 'slow', { key: -1 }, 10), 1);
  assert.deepEqual(places.full('prompt'), { keys: [-1], hosts: [] });
  assert.equal(taken(places, 20, 'prompt', { host: 'shared' }, 20), 8);
  assert.deepEqual(places.full('prompt').hosts, ['shared']);
});

test('there are 64 places for prompt addresses and 256 for slow ones, which do not take those of the others', () => {
  const places = new DeliveryPlaces();
  assert.equal(taken(places, 300, 'slow'), 256);
  assert.equal(taken(places, 100, 'prompt', {}, 1_000), 64);
});

test('a delivery that takes long gives its place to others, until 512 are under way', () => {
  const places = new DeliveryPlaces();
  const moved = Array.from({ length: 600 }, (_, n) => {
    const place = places.take({ delivery: n, key: n, host: `host-${n}` }, 'prompt');
    if (place !== null) places.moveToSlow(place);
    return place;
  });
  assert.equal(moved.filter((place) => place !== null).length, 512);
  assert.deepEqual([places.hasFree('prompt'), places.hasFree('slow')], [false, false]);
  const [first] = moved;
  assert.ok(first);
  places.release(first);
  assert.deepEqual([places.hasFree('prompt'), places.hasFree('slow')], [true, false]);
});

test('a delivery under way is not begun again', () => {
  const places = new DeliveryPlaces();
  const due = { delivery: 1, key: 1, host: 'a' };
  assert.ok(places.take(due, 'prompt'));
  assert.equal(places.take({ ...due, key: 2 }, 'slow'), null);
});
