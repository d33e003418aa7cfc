import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import fc from 'fast-check';
import { aNetworkPrices, aSnapshot } from '../../../test/support/builders/snapshot-builders.ts';
import { networkOf } from '../../domain/stations/network.ts';
import { contrast, initials, networkLogo, textColourOn } from './logo.ts';

const KNOWN = ['petrom', 'omv', 'rompetrol', 'lukoil', 'mol', 'socar', 'gazprom', 'oscar'];
const nothing = aSnapshot({ networks: [] });

describe('the logo of a network', () => {
  it('exists for every known network, whether it has a station or not', () => {
    for (const slug of KNOWN) {
      const logo = networkLogo(slug, nothing);
      assert.ok(logo, slug);
      assert.equal(parseXml(logo.text).root?.attributes['aria-label'], networkOf(slug)?.name);
    }
  });

  it('exists for an independent brand only while it has a station', () => {
    assert.equal(networkLogo('fast-oil', nothing), undefined);
    const present = aSnapshot({ networks: [aNetworkPrices('Fast Oil')] });
    assert.match(networkLogo('fast-oil', present)?.text ?? '', />FO<\/text>/);
  });

  it('is well-formed and contains only the four elements it uses, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (noise) => {
        const network = { ...aNetworkPrices('Fast Oil').network, name: `Fast ${noise}` };
        const snapshot = aSnapshot({ networks: [{ ...aNetworkPrices('Fast Oil'), network }] });
        const { root } = parseXml(networkLogo('fast-oil', snapshot)?.text ?? '');
        const elements = root?.children.filter((child): child is XmlElement => child.type === 'element');
        assert.deepEqual(
          elements?.map(({ name }) => name),
          ['title', 'rect', 'text'],
        );
      }),
    );
  });

  it('has letters whose contrast with its colour is at least 4.5 to 1', () => {
    for (const slug of [...KNOWN, 'fast-oil']) {
      const colour = networkOf(slug)?.colour ?? '';
      assert.ok(contrast(colour, textColourOn(colour)) >= 4.5, `${slug} ${colour}`);
    }
  });

  it('can have any colour: black or white always reaches 4.5 to 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const colour = `#${number.toString(16).padStart(6, '0')}`;
        assert.ok(contrast(colour, textColourOn(colour)) >= 4.5);
      }),
    );
  });

  it('measures contrast as WCAG does', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  });
});

describe('initials', () => {
  for (const [name, expected] of [
    ['Petrom', 'P'],
    ['OMV', 'OMV'],
    ['MOL', 'MOL'],
    ['ROMPETROL', 'R'],
    ['Fast Oil Grup', 'FO'],
    ['stația țării', 'SȚ'],
    ['7-Unu', '7U'],
    ['—', ''],
  ] as const) {
    it(`of ${name} are ${expected || 'none'}`, () => assert.equal(initials(name), expected));
  }
});
