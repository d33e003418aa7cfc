import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { aSnapshot } from '../../../test/support/builders/snapshot-builders.ts';
import { aSite } from '../../../test/support/service/site-builders.ts';
import { badFuel, type Choice, filePath, pagePath, rowsOf } from './pompa-pret.ts';
import type { PriceFile } from './price-file.ts';

const choice = (some: Partial<Choice> = {}): Choice => ({
  ...{ oras: null, statie: null, carburant: null, limba: null },
  ...some,
});
const snapshot = aSnapshot();
const read = (path: string): PriceFile => JSON.parse(aSite({ snapshot })(path).body.toString());

describe('<pompa-pret>', () => {
  it('is one module of at most 3 kB as sent, without imports, for pages of any origin', () => {
    const { status, headers, contentType, body } = aSite()('/widget/pompa-pret.js');
    assert.deepEqual([status, contentType], [200, 'text/javascript; charset=utf-8']);
    assert.equal(headers['Access-Control-Allow-Origin'], '*');
    assert.equal(headers['Cache-Control'], 'public, max-age=3600');
    assert.ok(gzipSync(body).length <= 3_000, `${gzipSync(body).length} bytes`);
    assert.doesNotMatch(body.toString(), /^import |import\(|innerHTML|eval/m);
  });

  it('asks for the file of its place, and leads to its page where there is none', () => {
    for (const [some, file, page] of [
      [{ oras: 'cluj-napoca' }, '/widget/oras/cluj-napoca.json', '/preturi-carburanti/cluj-napoca'],
      [{ oras: 'cluj-napoca', limba: 'en' }, '/widget/oras/cluj-napoca.json', '/en/fuel-prices/cluj-napoca'],
      [
        { statie: 'petrom-cluj-napoca-0a1b2c3d4e5f' },
        '/widget/statie/petrom-cluj-napoca-0a1b2c3d4e5f.json',
        '/statie/petrom-cluj-napoca-0a1b2c3d4e5f',
      ],
      [{}, '/widget/romania.json', '/'],
    ] as const) {
      assert.equal(filePath(choice(some)), file);
      assert.equal(pagePath(choice(some)), page);
      for (const path of [file, page]) assert.equal(aSite({ snapshot })(path).status, 200, path);
    }
    assert.equal(filePath(choice({ oras: '../x?y' })), '/widget/oras/..%2Fx%3Fy.json');
  });

  it('shows the price with its station and age in words, in its language', () => {
    const file = read('/widget/oras/cluj-napoca.json');
    assert.deepEqual(rowsOf(file, choice({ carburant: 'motorina' })), [
      { name: 'Motorină', price: '7,89', note: 'Petrom, Calea Turzii 178 · ieri' },
    ]);
    assert.deepEqual(rowsOf(file, choice({ carburant: 'diesel', limba: 'en' })), [
      { name: 'Diesel', price: '7.89', note: 'Petrom, Calea Turzii 178 · yesterday' },
    ]);
    assert.deepEqual(
      rowsOf(file, choice()).map(({ price }) => price),
      ['7,45', null, '7,89', null, null],
    );
  });

  it('understands the words of the API for fuels, and tells whoever wrote the page which words there are', () => {
    const file = read('/widget/oras/cluj-napoca.json');
    for (const [carburant, name] of [
      ['benzina_standard', 'Benzină'],
      ['benzina_premium', 'Benzină premium'],
      ['motorina_standard', 'Motorină'],
      ['motorina_premium', 'Motorină premium'],
      ['premium-diesel', 'Motorină premium'],
      ['gpl', 'GPL'],
    ] as const) {
      assert.equal(badFuel(choice({ carburant })), null);
      assert.deepEqual(
        rowsOf(file, choice({ carburant })).map((row) => row.name),
        [name],
      );
    }
    for (const carburant of [null, '']) assert.equal(badFuel(choice({ carburant })), null);
    assert.equal(
      badFuel(choice({ carburant: 'kerosen' })),
      '<pompa-pret carburant="kerosen">: benzina, benzina-premium, motorina, motorina-premium, gpl',
    );
  });

  it('shows of a station what it has a price of, and of the country where it is lowest', () => {
    const station = read('/widget/statie/petrom-cluj-napoca-0a1b2c3d4e5f.json');
    assert.deepEqual(
      rowsOf(station, choice()).map(({ note }) => note),
      ['ieri', 'ieri'],
    );
    const [country] = rowsOf(read('/widget/romania.json'), choice({ carburant: 'benzina' }));
    assert.equal(country?.note, 'de la 7,45: Petrom, Calea Turzii 178, Cluj-Napoca · ieri');
  });

  it('has all words of the page that documents it', () => {
    const page = readFileSync(new URL('../../../docs/EMBEDS.md', import.meta.url), 'utf8');
    for (const word of ['oras', 'statie', 'carburant', 'limba', 'tema']) assert.ok(page.includes(`\`${word}\``), word);
  });
});
