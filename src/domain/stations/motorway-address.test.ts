import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMotorwayAddress, motorwayPosition } from './motorway-address.ts';

const POSITIONS: readonly (readonly [
  address: string,
  ref: string | null,
  km: number | null,
  towards: string | null,
])[] = [
  ['Autostrada A1 km 36 sens București-Pitești', 'A1', 36, 'Pitești'],
  ['A2, KM 68+500', 'A2', 68.5, null],
  ['AUTOSTRADA BUCURESTI-PLOIESTI KM 13', 'A3', 13, null],
  ['Autostrada A1, km 49+900, sensul de mers spre București', 'A1', 49.9, 'București'],
  ['Autostrada Soarelui Km 36', 'A2', 36, null],
  ['A 10, KM 12', 'A10', 12, null],
  ['A-3 km. 34,5, directia Ploiesti', 'A3', 34.5, 'Ploiesti'],
  ['Autostrada Bucuresti - Constanta, km 105+050, sens Bucuresti - Constanta', 'A2', 105.05, 'Constanta'],
  ['Autostrada Sibiu-Nadlac (A1) km 262 sens Cluj-Napoca – Nădlac', 'A1', 262, 'Nădlac'],
  ['Autostrada Sebes-Turda km 25, 517785 Aiud', 'A10', 25, null],
  ['[simulat] Autostrada A1, sens Timișoara', 'A1', null, 'Timișoara'],
  ['Spațiu servicii Autostrada km 17', null, 17, null],
  ['Parcare A7 Km41, 077190', 'A7', 41, null],
];

const ELSEWHERE = [
  ...['Str. Autostrăzii 12', 'DN 1, km 8+600', 'Calea Turzii 178', 'Bd. Eroilor 7A, km 3'],
  ...[
    'Str. A1',
    'Str. A1 nr. 5, km 3',
    'Strada A 2, Ploiești',
    'Șos. A1 km 3',
    'DN1 km 3, A1 km 7',
    'Bl. A1, km 4',
    'Șos. Alexandriei, bl. A10 km 6',
  ],
  ...['Ieșirea spre autostrada A1, km 12', 'Nod autostrada A3, km 4', 'DN 7 km 340, lângă autostrada A1'],
  ...['Autostrada', 'Zona A1, hala 4', 'Sat Autostradeni, A1'],
];

test('a service area is known by its motorway, kilometre and direction', () => {
  for (const [address, ref, km, towards] of POSITIONS)
    assert.deepEqual(motorwayPosition(address), { ref, km, towards }, address);
});

test('a street, a building, a national road and an exit towards a motorway are none', () => {
  for (const address of ELSEWHERE) assert.equal(isMotorwayAddress(address), false, address);
});
