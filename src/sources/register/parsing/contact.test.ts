import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContact } from './contact.ts';

for (const [sent, hours, phone] of [
  ['Non-Stop; Blueline: 0800 0800 11', 'Non-Stop', '0800 0800 11'],
  ['NON STOP', 'NON STOP', null],
  ['Program: 06:00-22:00; Tel: 021 123 4567', '06:00-22:00', '021 123 4567'],
  ['L-V 06.00-22.00; S-D 07.00-21.00', 'L-V 06.00-22.00; S-D 07.00-21.00', null],
  ['06.00-22.00/07.00-21.00', '06.00-22.00/07.00-21.00', null],
  ['Non-Stop, tel. +40 21 123 4567', 'Non-Stop', '+40 21 123 4567'],
  ['0265/250.250; Orar 6-22', '6-22', '0265/250.250'],
  ['Telefon: (0040) 721 123 456', null, '0040) 721 123 456'],
  ['0721123456|0722123456', null, '0721123456'],
  ['Luni-Vineri 08:00 - 20:00, Duminica inchis', 'Luni-Vineri 08:00 - 20:00, Duminica inchis', null],
  ['statie moderna', null, null],
  ['', null, null],
  [null, null, null],
  [{ phone: '0800' }, null, null],
] as const) {
  test(`${JSON.stringify(sent)} → hours ${hours}, telephone ${phone}`, () => {
    assert.deepEqual(readContact(sent), { hours, phone });
  });
}

test('a very long text is parsed quickly and the result is bounded', () => {
  const { hours } = readContact(`Non-Stop${' 0'.repeat(100_000)}`);
  assert.ok((hours ?? '').length <= 200);
});
