import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import type { StoredPrice } from '../../domain/prices/facts.ts';
import { addPricesOf, toPriceColumns } from './price-columns.ts';

const AT = Date.parse('2026-11-20T08:00Z');
const PRICE: StoredPrice = {
  station: 'a1',
  source: 'register',
  unit: '1:petrol',
  fuel: 'petrol',
  price: 7_190,
  observed: { day: '2026-11-20', at: AT, text: '20.11.2026 10:00' },
  sinceDay: 20_776,
  changed: true,
  readAt: AT + 1,
  missingSince: AT + 2,
};

/** Everything that may be missing, and what could be taken for it. */
const PRICES: readonly StoredPrice[] = [
  PRICE,
  { ...PRICE, fuel: 'diesel', price: null, missingSince: null, changed: false },
  { ...PRICE, station: 'b2', observed: null },
  { ...PRICE, station: 'b2', fuel: 'lpg', observed: { day: '2026-11-21', at: null, text: null }, readAt: 0 },
  { ...PRICE, station: '', unit: '', price: 0, observed: { day: '2026-11-21', at: 0, text: '' }, missingSince: 0 },
];

function readBack(known: Map<string, string>): StoredPrice[] {
  const prices: StoredPrice[] = [];
  addPricesOf(deserialize(serialize(toPriceColumns(PRICES))), known, prices);
  return prices;
}

test('prices are the same after they were columns', () => {
  assert.deepEqual(readBack(new Map()), PRICES);
  assert.deepEqual(toPriceColumns([]).texts, []);
});

test('a text that is known already is that object', () => {
  // Another text than the one that is read, since equal texts cannot be told apart.
  const known = new Map([['register', 'the known one']]);
  assert.deepEqual(
    readBack(known),
    PRICES.map((price) => ({ ...price, source: 'the known one' })),
  );
  assert.equal(known.get('1:petrol'), '1:petrol');
});
