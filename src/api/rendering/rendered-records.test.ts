import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aFact, aStation } from '../../../test/support/builders/snapshot-builders.ts';
import type { PriceVerdict } from '../../domain/prices/price-verdict.ts';
import type { StationRecord } from '../../snapshot/snapshot.ts';
import { stationRecord } from '../contract/contract.ts';
import { openRecord, RenderedRecords, utf8AsLatin1 } from './rendered-records.ts';

const observed = { day: '2026-11-19', at: null, text: 'joi, 19 noiembrie, după-amiază' };
const fact = aFact({ observed });
const verdicts: PriceVerdict[] = [
  { kind: 'trusted', price: 7_450, fact: aFact() },
  { kind: 'doubtful', price: 7_451, fact, reason: 'stale', since: 20_000 },
  { kind: 'expired', lastConfirmedAt: 5 },
  { kind: 'incoherent' },
  { kind: 'unknown', reason: 'unpublished' },
];
const stations = [
  aStation(),
  aStation({
    address: 'Șoseaua Ștefan cel Mare 1, "La pod"',
    name: 'Stația lui Ion',
    franchise: true,
    priceNote: 'la pompă',
    hours: 'L-D 0-24',
    services: ['cafea', 'spălătorie'],
    phone: '0264',
    suspectCoordinates: true,
    approximateCoordinates: true,
  }),
];
const records = stations.flatMap((station) =>
  verdicts.map((verdict): StationRecord => ({ station, fuel: 'petrol', verdict })),
);
/** The bytes of a text, one character each. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
const expected = records.map((record) => bytesOf(JSON.stringify(stationRecord(record))));

describe('rendered records', () => {
  test('are what the contract makes of them, the same each time, whatever their station has', async () => {
    for (let time = 0; time < 2; time += 1) {
      const rendered = await RenderedRecords.render(records);
      assert.deepEqual(
        records.map((_, index) => `${rendered.text(index)}}`),
        expected,
      );
    }
    assert.equal(`${openRecord(records[6] as StationRecord)}}`, expected[6]);
  });

  test('have their fields in the order that clients see', async () => {
    const rendered = await RenderedRecords.render(records);
    assert.equal(
      Buffer.from(`${rendered.text(6)}}`, 'latin1').toString(),
      '{"id":"0a1b2c3d4e5f","brand":"Petrom","oras":"Cluj-Napoca","judet":"Cluj","adresa":"Șoseaua Ștefan cel Mare 1, \\"La pod\\"",' +
        '"lat":46.75,"lng":23.59,"tip":"benzina_standard","pret":7.451,"nesigur":true,"motiv_nesigur":"observatie_veche",' +
        '"nesigur_din":"2024-10-04","pret_masurat_la":"joi, 19 noiembrie, după-amiază","nume":"Stația lui Ion","franciza":true,' +
        '"nota_pret":"la pompă","program":"L-D 0-24","servicii":"cafea, spălătorie","telefon":"0264","coord_suspecta":true,' +
        '"approximate_coords":true,"observat_la":"2026-11-19"}',
    );
  });

  test('are joined as a list, with a field more where it is asked for', async () => {
    const rendered = await RenderedRecords.render(records);
    assert.equal(rendered.join('[', [6, 0], ']'), `[${expected[6]},${expected[0]}]`);
    assert.equal(rendered.join('[', [], ']'), '[]');
    const more = JSON.parse(rendered.joinWithFields([',"x":1', ',"x":2'], '[', [0, 1], ']')) as { x: number }[];
    assert.deepEqual(
      more.map(({ x }) => x),
      [1, 2],
    );
  });
});

test('a text is its bytes, one character each', () => {
  for (const text of ['', 'Calea Turzii 178', 'Șoseaua 1', 'café', '⛽🚗'])
    assert.equal(utf8AsLatin1(text), bytesOf(text), text);
});
