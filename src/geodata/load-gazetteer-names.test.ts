import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { asciiName, foldName } from '../domain/places/place-names.ts';
import { loadGazetteer } from './load-gazetteer.ts';

const gazetteer = loadGazetteer();
const anyPlace = fc.constantFrom(...gazetteer.localities);

function slugMeant(text: string): string | undefined {
  const resolved = gazetteer.resolvePlace(text);
  return 'found' in resolved ? resolved.found.slug : undefined;
}

describe('search', () => {
  it('finds by any part of a name, without diacritics and case, most populous first', () => {
    for (const query of ['cluj', 'CLUJ', 'Luj-n', ' cluj  napoca '])
      assert.equal(gazetteer.search(query)[0], 'Cluj-Napoca', query);
    assert.deepEqual(gazetteer.search('târgu', 3), ['Târgu Mureș', 'Târgu Jiu', 'Târgu Neamț']);
    assert.deepEqual(gazetteer.search('TIMISO'), ['Timișoara']);
  });

  it('returns only names that contain the query if there are any, at most ten, each once, by population', () => {
    const queries = fc.tuple(anyPlace, fc.nat(8), fc.integer({ min: 2, max: 5 }));
    fc.assert(
      fc.property(queries, ([{ name }, from, length]) => {
        const query = foldName(name).slice(from, from + length);
        fc.pre(query.trim().length >= 2);
        const expected = gazetteer.localities
          .filter((place) => foldName(place.name).includes(query.trim()))
          .map(gazetteer.labelOf);
        assert.deepEqual(gazetteer.search(query), expected.slice(0, 10));
      }),
    );
  });

  it('names the county if two places share the name, and the commune if they share the county too', () => {
    assert.ok(gazetteer.search('Fantanele').includes('Fântânele, Suceava'));
    assert.deepEqual(gazetteer.search('fantanele, suc'), ['Fântânele, Suceava', 'Fântânele, Fântânele, Suceava']);
    assert.equal(new Set(gazetteer.localities.map(gazetteer.labelOf)).size, gazetteer.localities.length);
  });

  it('finds nothing for fewer than two characters', () => {
    for (const query of ['', ' ', 'c', ' c ', '-', '..', 'ș.']) assert.deepEqual(gazetteer.search(query), [], query);
  });

  it('knows other names, older spellings, abbreviations and plate codes', () => {
    for (const [query, expected] of [
      ['Bucharest', 'București'],
      ['Tg. Mures', 'Târgu Mureș'],
      ['Tîrgu Jiu', 'Târgu Jiu'],
      ['Kolozsvár', 'Cluj-Napoca'],
      ['Cluj-Napoca, CJ', 'Cluj-Napoca'],
      ['fantanele suceava', 'Fântânele, Suceava'],
    ] as const) {
      assert.equal(gazetteer.search(query)[0], expected, query);
    }
  });

  it('answers any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) =>
        assert.ok(gazetteer.search(text).length <= 10),
      ),
    );
  });
});

describe('resolving a place', () => {
  it('accepts every label that search returns, for the same place', () => {
    for (const place of gazetteer.localities) assert.equal(slugMeant(gazetteer.labelOf(place)), place.slug);
  });

  it('accepts a label without diacritics, in capitals, and with the plate code for the county', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        const label = gazetteer.labelOf(place);
        assert.equal(slugMeant(asciiName(label)), place.slug);
        assert.equal(slugMeant(label.toUpperCase()), place.slug);
      }),
    );
    assert.equal(slugMeant('Fantanele, SV'), 'fantanele-suceava');
    assert.equal(slugMeant('Fântânele (Suceava)'), 'fantanele-suceava');
    assert.equal(slugMeant('Baia Mare Maramures'), 'baia-mare');
    assert.equal(slugMeant('Satu Mare, Satu Mare, România'), 'satu-mare');
  });

  it('returns for "Name, County" the most populous of that name in the county', () => {
    const largest = Map.groupBy(gazetteer.localities, ({ name, county }) => `${foldName(name)}, ${county}`);
    for (const [text, [place]] of largest) assert.equal(slugMeant(text), place?.slug, text);
  });

  it('returns the most populous place for an ambiguous name', () => {
    assert.equal(slugMeant('Fântânele'), 'fantanele');
    assert.equal(slugMeant('Slobozia'), 'slobozia');
    assert.equal(slugMeant('Florești'), 'floresti');
    assert.equal(gazetteer.localityBySlug('floresti')?.county, 'CJ');
  });

  it('accepts the short names and ranks that people write', () => {
    for (const [text, slug] of [
      ['Cluj', 'cluj-napoca'],
      ['Tg. Mureș', 'targu-mures'],
      ['Tg.Jiu', 'targu-jiu'],
      ['Rm. Vâlcea', 'ramnicu-valcea'],
      ['Rîmnicu Vîlcea', 'ramnicu-valcea'],
      ['Sf. Gheorghe', 'sfantu-gheorghe'],
      ['Dr. Tr. Severin', 'drobeta-turnu-severin'],
      ['Sighet', 'sighetu-marmatiei'],
      ['Câmpulung Muscel', 'campulung'],
      ['Mun. Iași', 'iasi'],
      ['Municipiul București', 'bucuresti'],
      ['București, Sector 3', 'bucuresti'],
      ['Comuna Florești, Cluj', 'floresti'],
      ['Oraș Otopeni', 'otopeni'],
      ['Bogata, Călărași', 'bogata-calarasi'],
    ] as const) {
      assert.equal(slugMeant(text), slug, text);
    }
  });

  it('accepts the county in every way that people add it, and the country', () => {
    for (const text of [
      'Fântânele, Suceava',
      'Fantanele SV',
      'fantanele, sv',
      'Fântânele, jud. Suceava',
      'Fântânele, județul Suceava, România',
      'Fântânele - Suceava',
      'Fantanele/SV',
    ]) {
      assert.equal(slugMeant(text), 'fantanele-suceava', text);
    }
    assert.equal(slugMeant('Cluj Napoca Romania'), 'cluj-napoca');
    assert.equal(slugMeant('Sf. Gheorghe, TL'), 'sfantu-gheorghe-tulcea');
  });

  it('rejects a text longer than any name can be, whatever it contains', () => {
    const longest = Math.max(...gazetteer.localities.map((place) => gazetteer.labelOf(place).length));
    assert.ok(2 * longest < 200, `${longest}`);
    for (const piece of [',', 'a,', 'Cluj ', 'Cluj,', '(', '\uFDFA', 'a\u0301', 'comuna ', '\ud800', '\0']) {
      const text = piece.repeat(16_384 / piece.length);
      assert.deepEqual(gazetteer.resolvePlace(text), { unknown: true, nearest: [] }, piece);
    }
  });

  it('rejects a short text of characters that stand for many letters', () => {
    for (const text of ['\uFDFA'.repeat(200), `Cluj${',\uFDFA'.repeat(98)}`]) {
      assert.deepEqual(gazetteer.resolvePlace(text), { unknown: true, nearest: [] });
      assert.deepEqual(gazetteer.search(text), []);
      assert.equal(gazetteer.countyByName(text), undefined);
    }
  });

  it('suggests the closest spellings for an unknown name', () => {
    assert.deepEqual(gazetteer.resolvePlace('Clij-Napcoa'), { unknown: true, nearest: ['Cluj-Napoca'] });
    assert.deepEqual(gazetteer.resolvePlace('Timis'), { unknown: true, nearest: ['Timișoara', 'Timișești'] });
    for (const text of ['', ',', 'München', 'x'.repeat(5000)]) {
      assert.deepEqual(gazetteer.resolvePlace(text), { unknown: true, nearest: [] }, text.slice(0, 10));
    }
  });

  it('suggests by other names last: each place once, the largest first', () => {
    const nearest = (text: string) => gazetteer.suggestPlaces(text);
    assert.deepEqual(nearest('Cluuj'), ['Cluj-Napoca']);
    assert.deepEqual(nearest('Kluzz Napoka'), ['Cluj-Napoca']);
    assert.deepEqual(nearest('Tora').slice(0, 2), ['Turda, Cluj', 'Turia, Covasna']);
    assert.deepEqual(nearest('Radia').slice(0, 2), ['Oradea', 'Arad']);
  });

  it('suggests the places of that name if the county does not fit', () => {
    assert.deepEqual(gazetteer.resolvePlace('Cluj-Napoca, Suceava'), { unknown: true, nearest: ['Cluj-Napoca'] });
  });

  it('suggests only labels that it accepts', () => {
    fc.assert(
      fc.property(anyPlace, fc.nat(10), fc.constantFrom('', 'x', 'a'), ({ name }, at, letter) => {
        const resolved = gazetteer.resolvePlace(name.slice(0, at) + letter + name.slice(at + 1));
        if ('unknown' in resolved) for (const label of resolved.nearest) assert.ok(slugMeant(label), label);
      }),
    );
  });
});
