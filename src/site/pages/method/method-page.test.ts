import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { API_DESCRIPTION } from '../../../../test/support/service/real-api-description.ts';
import { readPage } from '../../../../test/support/service/site-builders.ts';
import { DEFAULT_RANGES } from '../../../domain/fuel.ts';

const PAGES = ['/metodologie', '/en/method'];
const codesOf = (text: string) => [...text.matchAll(/<span class="type"><code>([^<]+)</g)].map(([, code = '']) => code);

describe('the page of the method', () => {
  it('explains every flag of a station record, and every reason of doubt', () => {
    const statii = API_DESCRIPTION.endpoints.find(({ path }) => path === '/api/v1/statii');
    const fields =
      statii?.answers.find(({ status }) => status === 200)?.objects.flatMap((object) => object.fields) ?? [];
    const flags = fields.filter(({ type }) => /bool|true/.test(type)).flatMap(({ names }) => names);
    assert.ok(flags.includes('pret_expirat'), flags.join());
    for (const path of PAGES) {
      const codes = codesOf(readPage(path));
      for (const flag of [...flags, 'nesigur_din', 'observat_la', 'pret_masurat_la', 'nota_pret'])
        assert.ok(codes.includes(flag), `${path} ${flag}`);
      for (const reason of ['blocat', 'observatie_veche', 'orfan_anpc'])
        assert.ok(codes.includes(`motiv_nesigur: ${reason}`), reason);
    }
  });

  it('cites only rules that exist', () => {
    const known = new Set(
      [...readFileSync('docs/RULES.md', 'utf8').matchAll(/^\*\*(\d+)\.\*\*/gm)].map(([, number]) => number),
    );
    const cited = [...readPage('/en/method').matchAll(/Rules? ([\d, and]+)/g)].flatMap(([, list = '']) =>
      list.match(/\d+/g),
    );
    assert.ok(cited.length > 10);
    assert.deepEqual(
      cited.filter((number) => !known.has(number ?? '')),
      [],
    );
  });

  it('has the numbers of the contract and of the settings', () => {
    const text = readPage('/en/method');
    for (const words of [
      'at least 14 days',
      'at least 7 days',
      'more than 24 hours',
      'at most 30 days',
      'once every 2 hours',
    ])
      assert.ok(text.includes(words), words);
    assert.match(text, /LPG<\/th><td class="num">2\.50<\/td><td class="num">6\.00</);
    const ranges = { ...DEFAULT_RANGES, lpg: { min: 3_000, max: 7_500 } };
    assert.match(readPage('/metodologie', { ranges }), /GPL<\/th><td class="num">3,00<\/td><td class="num">7,50</);
  });

  it('lists the sources by precedence', () => {
    const names = [...readPage('/en/method').matchAll(/<td data-column="Order">\d<\/td><th scope="row">([^<]+)/g)];
    assert.deepEqual(
      names.map(([, name]) => name),
      [
        'A network’s own price list',
        'The national register',
        'A network’s page',
        'A manual report',
        'A network’s list of stations',
      ],
    );
  });
});
