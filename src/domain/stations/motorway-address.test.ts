import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMotorwayAddress } from './motorway-address.ts';

test('a service area is known by its motorway and kilometre', () => {
  for (const address of ['Autostrada A1, km 49+900', 'A2 km 65', 'Autostrada Soarelui Km 36', 'A 10, KM 12'])
    assert.equal(isMotorwayAddress(address), true, address);
});

test('a street, a national road and an exit towards a motorway are none', () => {
  for (const address of ['Str. Autostrăzii 12', 'DN 1, km 8+600', 'Calea Turzii 178', 'Bd. Eroilor 7A, km 3'])
    assert.equal(isMotorwayAddress(address), false, address);
});
