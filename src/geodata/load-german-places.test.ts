import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GERMANY } from '../domain/german-station.ts';
import { loadGermanPlaces } from './load-german-places.ts';

const places = loadGermanPlaces();
const labelOf = (text: string) => places.findPlace(text)?.label;

describe('the towns of Germany', () => {
  it('are found by their German, Romanian and English names, with umlauts or without', () => {
    for (const [text, label] of [
      ...[['Passau', 'Passau'] as const, ['münchen', 'München'] as const, ['Munchen', 'München'] as const],
      ...[['Muenchen', 'München'] as const, ['Munich', 'München'] as const, ['Dresda', 'Dresden'] as const],
      ...[['Hanovra', 'Hannover'] as const, ['Frankfurt pe Main', 'Frankfurt am Main'] as const],
      ...[['Frankfurt (Oder)', 'Frankfurt (Oder)'] as const, ['Regensburg, Bavaria', 'Regensburg'] as const],
    ])
      assert.equal(labelOf(text), label, text);
    assert.equal(labelOf('Timișoara'), undefined);
  });

  it('are found by postcode, with a prefix, a name behind it, or without the leading zero', () => {
    for (const text of ['94032', ' D-94032', '94032 Passau', '94034 passau'])
      assert.match(labelOf(text) ?? '', /^9403[24] Passau$/, text);
    assert.equal(labelOf('1067'), '01067 Dresden');
    assert.equal(labelOf('94032')?.split(' ')[0], '94032');
    assert.equal(labelOf('123456'), undefined);
  });

  it('are suggested for a name spelled alike and for the nearest numbers, under labels that are found', () => {
    assert.ok(places.suggestPlaces('Regensbrug').includes('Regensburg'));
    const postcodes = places.suggestPlaces('94031');
    assert.equal(postcodes.length, 3);
    assert.ok(postcodes.includes('94032 Passau'));
    for (const label of [...places.suggestPlaces('Pasau'), ...postcodes]) assert.equal(labelOf(label), label);
  });

  it('have namesakes, named with their states', () => {
    const own = labelOf('Neustadt');
    const others = places.namesakesOf('Neustadt');
    assert.match(own ?? '', /^Neustadt, /);
    assert.ok(others.length > 0 && !others.includes(own ?? ''));
    assert.deepEqual(places.namesakesOf('Passau'), []);
  });

  it('lie where the channel searches', () => {
    for (const text of ['24937', '87561', '52062', '02826', '94032', 'Helgoland', 'Konstanz']) {
      const { lat, lng } = places.findPlace(text) ?? { lat: 0, lng: 0 };
      assert.ok(lat > GERMANY.lat.min && lat < GERMANY.lat.max && lng > GERMANY.lng.min && lng < GERMANY.lng.max, text);
    }
  });
});
