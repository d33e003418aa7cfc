import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aNational,
  aNetwork,
  aSnapshot,
  aStation,
  prices,
  recordsOf,
  TODAY,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage } from '../../../../test/support/service/site-builders.ts';

describe('the page of a network', () => {
  const snapshot = aSnapshot({
    networks: [{ network: aNetwork(), prices: prices({ petrol: 9_650, diesel: 10_400 }) }],
    national: aNational({ petrol: 9_600 }),
    records: ['00000000000a', '00000000000b'].flatMap((id, index) =>
      recordsOf(aStation({ id }), { petrol: trusted(9_600 + 100 * index), diesel: trusted(10_400) }),
    ),
  });
  const text = readPage('/retea/petrom', { snapshot });

  it('has the mean of the API against that of the market', () => {
    assert.match(text, /<title>Prețuri Petrom azi: 2 benzinării, benzina 9,65, motorina 10,40 lei<\/title>/);
    assert.match(
      text,
      /Benzină<\/th><td class="num mean" data-column="Rețeaua">9,65<\/td><td [^>]+>9,60<\/td><td [^>]+>\+5 bani</,
    );
  });

  it('says whether its stations have the same price', () => {
    assert.match(text, /Benzină<\/th>.*<td [^>]+>între 9,60 și 9,70<\/td>/);
    assert.match(text, /Motorină<\/th>.*<td [^>]+>același preț peste tot<\/td>/);
  });

  it('has the stations of any fuel at an address of its own', () => {
    const diesel = readPage('/retea/petrom?tip=motorina', { snapshot });
    assert.match(diesel, /<h2>Cele mai ieftine stații, la motorină<\/h2>/);
    assert.match(diesel, /<link rel="canonical" href="[^"]*\/retea\/petrom">/);
  });

  it('says how many stations share the lowest price where the list shows only some of them', () => {
    const pageOf = (count: number) => {
      const records = Array.from({ length: count }, (_, at) =>
        recordsOf(aStation({ id: `${at}`.padStart(12, '0') }), { petrol: trusted(9_660) }),
      ).flat();
      return readPage('/retea/petrom', {
        snapshot: aSnapshot({ networks: [{ network: aNetwork(), prices: prices({ petrol: 9_660 }) }], records }),
      });
    };
    assert.match(pageOf(25), /25 de benzinării au cel mai mic preț, 9,66 lei pe litru; mai jos sunt 20 dintre ele\./);
    assert.doesNotMatch(pageOf(20), /au cel mai mic preț/);
  });

  it('names the price that nine of ten stations share', () => {
    const spreadOf = (...given: number[]) => {
      const records = given.flatMap((price, at) =>
        recordsOf(aStation({ id: `${at}`.padStart(12, '0') }), { petrol: trusted(price) }),
      );
      const page = readPage('/retea/petrom', {
        snapshot: aSnapshot({ networks: [{ network: aNetwork(), prices: prices({ petrol: 9_600 }) }], records }),
      });
      return /Benzină<\/th>.*<td [^>]+>([^<]*)<\/td>/.exec(page)?.[1];
    };
    const nine = Array<number>(9).fill(9_600);
    assert.equal(spreadOf(...nine, 9_700), '9,60 la 9 din 10');
    assert.equal(spreadOf(...nine.slice(1), 9_700), 'între 9,60 și 9,70');
    assert.equal(spreadOf(9_600), 'o singură stație');
  });

  it('has the past of the chosen fuel, with the band of its stations', () => {
    const past = [8, 9].map((price, index) => ({
      ...{ day: TODAY - 2 + index, stations: 3, mean: price * 1_000 },
      ...{ min: 7_900, p10: 7_950, median: 8_000, p90: 9_100, max: 9_200 },
    }));
    const statistics = (scope: string, fuel: string) => (scope === 'network:petrom' && fuel === 'diesel' ? past : []);
    const given = { snapshot: { ...snapshot, statistics } };
    const page = readPage('/retea/petrom?tip=motorina', given);
    assert.match(page, /<h2>Prețul motorinei în ultimele 90 de zile<\/h2>\s*<figure/);
    assert.match(page, /8 din 10 benzinării Petrom/);
    assert.match(page, /<details class="chart-table">/);
    assert.doesNotMatch(readPage('/retea/petrom', given), /în ultimele 90 de zile/);
  });

  it('does not exist for a network without a station', () => {
    assert.equal(aSite({ snapshot })('/retea/mol').status, 404);
  });
});
