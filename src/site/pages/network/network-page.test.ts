import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aSite, readPage } from '../../../../test/support/builders/site-builders.ts';
import {
  aNational,
  aNetwork,
  aSnapshot,
  aStation,
  prices,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';

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
      /Benzină<\/th><td class="num mean">9,65<\/td><td class="num">9,60<\/td><td class="num">\+5 bani</,
    );
  });

  it('says whether its stations have the same price', () => {
    assert.match(text, /Benzină<\/th>.*<td>între 9,60 și 9,70<\/td>/);
    assert.match(text, /Motorină<\/th>.*<td>același preț peste tot<\/td>/);
  });

  it('does not exist for a network without a station', () => {
    assert.equal(aSite({ snapshot })('/retea/mol').status, 404);
  });
});
