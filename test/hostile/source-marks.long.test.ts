/** What readers of lists spend on texts with thousands of marks on one character. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTankerkoenig } from '../../src/clients/tankerkoenig-answer.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { infoWindow } from '../../src/simulation/feeds/simulated-rompetrol.ts';
import { rompetrolSource } from '../../src/sources/rompetrol/rompetrol.ts';
import { readListInProcess } from '../fuzz/price-lists.ts';
import { sweepOf } from '../fuzz/single-answer.ts';
import { aGermanList, aGermanRow } from '../support/simulators/german-source.ts';

const ROWS = 100;
const rows = Array.from({ length: ROWS }, (_, index) => index);
const marks = (length: number) => `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`;
const letters = (length: number) => 'ș'.repeat(length + 1);
const rompetrol = rompetrolSource(loadGazetteer());

/** Each reads 100 rows with the longest texts that its source may send. */
const READERS: Readonly<Record<string, (text: (length: number) => string) => Promise<unknown>>> = {
  "Rompetrol's products": (text) =>
    sweepOf(
      rompetrol,
      rows.map((id) => {
        const place = { name: `Rompetrol ${id}`, county: 'Cluj', city: 'Cluj-Napoca', lat: 46.74, lng: 23.59 };
        const infowindow = infoWindow('x', { 'Efix 95': '8.88 LEI/L', [text(6_000)]: '8.88 LEI/L' });
        return { id, ...place, address: text(6_000), services: [], infowindow };
      }),
    ),
  'a price list': (text) =>
    readListInProcess({
      name: 'ours',
      contentType: 'text/csv',
      body: Buffer.from(
        ['brand,station,fuel,price,name,address,city,county', ...rows.map((id) => rowOf(id, text(1_600)))].join('\n'),
      ),
      map: null,
    }),
  'German stations': async (text) =>
    readTankerkoenig({
      status: 200,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(aGermanList(rows.map(() => aGermanRow({ name: text(298), place: text(298) }))))),
    }),
};

const rowOf = (id: number, text: string) => `${text},${id},${text},8.88,${text},${text},${text},${text}`;

describe('texts with thousands of marks on one character', () => {
  for (const [name, read] of Object.entries(READERS)) {
    test(`cost no more than letters: ${name}`, async (t) => {
      await read(letters);
      const plain = await cpuMs(() => read(letters));
      const hostile = await cpuMs(() => read(marks));
      t.diagnostic(`${hostile} ms of CPU, letters ${plain} ms`);
      assert.ok(hostile <= 3 * plain + 100, `${hostile} ms of CPU, letters ${plain} ms`);
    });
  }
});

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
