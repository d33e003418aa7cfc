/** The real readers read damaged and expensive answers of the register and of Tankerkönig. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTankerkoenig } from '../../src/clients/tankerkoenig-answer.ts';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { Rejections } from '../../src/domain/reports/observation.ts';
import { itemsBody } from '../../src/simulation/register/register-rows.ts';
import { answerXml } from '../../src/simulation/register/register-xml.ts';
import { sampleProductRow, sampleServiceRow, sampleStationRow } from '../../src/simulation/register/sample-rows.ts';
import { countRejections } from '../../src/sources/register/merge-task-rows.ts';
import { parseRows } from '../../src/sources/register/parsing/parse-rows.ts';
import { parseReply } from '../../src/sources/register/parsing/register-reply.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBodies } from './mutations.ts';

const STATIONS = ['R1', 'R2', '39'].map((id) => ({ id, network: 'PETROM', unit: 179_132, lat: 44.43, lng: 26.1 }));
const ITEMS = itemsBody(
  STATIONS.map((station) => sampleStationRow(station)),
  STATIONS.map(({ id, network }, index) => sampleProductRow(id, network, 'petrol', 7.5 + index)),
  STATIONS.map(({ id }) => sampleServiceRow(id, '1', 'Magazin')),
  [],
);
const BODIES: Readonly<Record<string, Buffer>> = {
  JSON: Buffer.from(JSON.stringify(ITEMS)),
  XML: Buffer.from(answerXml('GasItems', ITEMS)),
};

for (const [format, body] of Object.entries(BODIES)) {
  test(`the register: a damaged answer in ${format} is read soundly or refused`, async (t) => {
    const { cases, read } = await fuzz(t, mutatedBodies(body), async (damaged) => readRegister(damaged));
    assert.ok(read > cases / 10 && cases - read > cases / 10, `${read} of ${cases} were read`);
  });
}

/** The number of prices read; `null` = the answer was refused. Throws when it accepts what it must not. */
function readRegister(body: Buffer): number | null {
  const reply = parseReply({ status: 200, contentType: '', body });
  if (reply.kind === 'wrong-shape') assert.ok(reply.why.length < 300, reply.why);
  if (reply.kind !== 'items') return null;
  const rows = parseRows(reply.items, { fuel: 'petrol', ranges: DEFAULT_RANGES, today: 20_777 });
  const rejections = new Rejections();
  countRejections([rows], rejections);
  for (const { price, station } of rows.prices) {
    assert.ok(price === null || (Number.isInteger(price) && price > 0 && price <= 1_000_000), `price ${price}`);
    assert.ok(rows.stations.includes(station));
  }
  for (const { name, address, services, lat, lng } of rows.stations) {
    assert.ok(name.length <= 200 && address.length <= 200 && services.length <= 40);
    assert.doesNotMatch(name + address, /[\p{Cc}\p{Bidi_Control}]/u);
    assert.ok((lat === null) === (lng === null) && Math.abs(lat ?? 0) <= 90 && Math.abs(lng ?? 0) <= 180);
  }
  for (const samples of Object.values(rejections.samples())) assert.ok(samples.every((one) => one.length <= 200));
  return rows.prices.length;
}

const GERMAN = Buffer.from(
  JSON.stringify({
    ok: true,
    stations: [1, 2].map((dist) => ({
      ...{ id: 'a', name: 'ARAL', brand: 'ARAL', street: 'Weg', houseNumber: '1', postCode: 1067, place: 'Dresden' },
      ...{ lat: 51.05, lng: 13.74, dist, e5: 1.789, e10: 1.729, diesel: null, isOpen: true },
    })),
  }),
);

test('Tankerkönig: a damaged answer is read soundly or refused', async (t) => {
  const { cases, read } = await fuzz(t, mutatedBodies(GERMAN), async (body) => {
    const answer = readTankerkoenig({ status: 200, contentType: 'application/json', body });
    if ('failed' in answer) return null;
    for (const { e5, e10, diesel, name } of answer.stations) {
      for (const price of [e5, e10, diesel]) assert.ok(price === null || (Number.isInteger(price) && price > 0));
      assert.ok(name.length <= 300);
    }
    return answer.stations.length;
  });
  assert.ok(read > cases / 10 && cases - read > cases / 10, `${read} of ${cases} were read`);
});
