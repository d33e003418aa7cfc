import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStreetTurns } from './map-streets.ts';

test('tiles are drawn one at a time, and waiting networks in turn', async () => {
  const takeTurn = createStreetTurns();
  const order: string[] = [];
  let drawing = 0;
  const draw = async (client: string) => {
    const endTurn = await takeTurn(client);
    drawing += 1;
    assert.equal(drawing, 1);
    order.push(client);
    await null;
    drawing -= 1;
    endTurn();
  };
  const flood = Array.from({ length: 20 }, () => draw('192.0.2.1'));
  await Promise.all([...flood, draw('198.51.100.1')]);
  assert.ok(order.indexOf('198.51.100.1') <= 2, order.join(' '));
  assert.equal(order.length, 21);
});
