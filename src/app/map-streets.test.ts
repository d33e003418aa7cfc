import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStreetTurns } from './map-streets.ts';

test('tiles are drawn one at a time, and waiting networks in turn', async () => {
  const takeTurn = createStreetTurns();
  const order: string[] = [];
  let drawing = 0;
  const draw = async (client: string) => {
    const endTurn = await takeTurn(client);
    if (endTurn === null) return;
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

test('a client that asks for far more tiles than a map shows is refused, and another is not', async () => {
  const takeTurn = createStreetTurns();
  const first = await takeTurn('192.0.2.1');
  const flood = Array.from({ length: 60 }, () => takeTurn('192.0.2.1'));
  const other = takeTurn('198.51.100.1');
  assert.deepEqual(
    await Promise.all(flood.slice(40)),
    Array.from({ length: 20 }, () => null),
  );
  const served = flood.slice(0, 40).map(async (turn) => {
    const endTurn = await turn;
    endTurn?.();
    return endTurn !== null;
  });
  first?.();
  const endOther = await other;
  assert.notEqual(endOther, null);
  endOther?.();
  assert.ok((await Promise.all(served)).every((isServed) => isServed));
});
