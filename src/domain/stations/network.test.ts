import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { networkOf } from './network.ts';

describe('a network', () => {
  it('is the same for every spelling of its name', () => {
    const spellings: Record<string, string[]> = {
      petrom: ['PETROM', 'Petrom', 'OMV Petrom S.A.', 'omv-petrom'],
      omv: ['OMV', 'omv Romania'],
      rompetrol: ['ROMPETROL', 'KMG Rompetrol', 'Rompetrol Downstream'],
      lukoil: ['LUKOIL', 'LUKOIL România S.R.L.'],
      mol: ['MOL', 'MOL România Petroleum Products'],
      socar: ['SOCAR', 'Socar Petroleum'],
      gazprom: ['GAZPROM', 'Gazprom Petrol Stations', 'NIS Petrol'],
      oscar: ['Oscar', 'OSCAR Downstream'],
    };
    for (const [slug, names] of Object.entries(spellings)) {
      for (const name of names) assert.equal(networkOf(name)?.slug, slug, name);
    }
  });

  it('of an unknown brand is independent, with its own name and a neutral logo', () => {
    assert.deepEqual(networkOf('  Rom   Oil Țigănești '), {
      slug: 'rom-oil-tiganesti',
      name: 'Rom Oil Țigănești',
      colour: '#6b7280',
      logo: '/logo/rom-oil-tiganesti.svg',
    });
    assert.equal(networkOf('Molnar Oil')?.slug, 'molnar-oil');
  });

  it('with a very long name is identified by its first 60 characters', () => {
    const network = networkOf('Benzinăria de la Răscruce '.repeat(4));
    assert.equal(network?.name, 'Benzinăria de la Răscruce Benzinăria de la Răscruce Benzinăr');
    assert.deepEqual(networkOf(network.name), network);
  });

  it('is null if the text names nothing', () => {
    for (const text of ['', '  ', '---', '☃']) assert.equal(networkOf(text), null);
  });

  it('is the same when looked up by its own name', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100, unit: 'grapheme' }), (brand) => {
        const network = networkOf(brand);
        if (network !== null) assert.deepEqual(networkOf(network.name), network);
      }),
    );
  });
});
