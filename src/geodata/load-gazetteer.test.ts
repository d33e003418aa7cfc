import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TOWNS } from '../../geography/towns.ts';
import { foldName, slugify } from '../domain/places/place-names.ts';
import unitCodes from '../sources/register/units.json' with { type: 'json' };
import { loadGazetteer } from './load-gazetteer.ts';

const gazetteer = loadGazetteer();
const { localities, counties } = gazetteer;

/** The slugs of the county seats (for Ilfov its largest town), as API clients know them. */
const SEATS =
  'AB alba-iulia, AR arad, AG pitesti, BC bacau, BH oradea, BN bistrita, BT botosani, BR braila, BV brasov, B bucuresti, BZ buzau, CL calarasi, ' +
  'CS resita, CJ cluj-napoca, CT constanta, CV sfantu-gheorghe, DB targoviste, DJ craiova, GL galati, GR giurgiu, GJ targu-jiu, HR miercurea-ciuc, ' +
  'HD deva, IL slobozia, IS iasi, IF voluntari, MM baia-mare, MH drobeta-turnu-severin, MS targu-mures, NT piatra-neamt, OT slatina, PH ploiesti, ' +
  'SJ zalau, SM satu-mare, SB sibiu, SV suceava, TR alexandria, TM timisoara, TL tulcea, VL ramnicu-valcea, VS vaslui, VN focsani';

describe('the localities', () => {
  it('are the 7,015 of Romania, most populous first', () => {
    assert.equal(localities.length, 7015);
    assert.equal(localities[0]?.name, 'București');
    assert.ok(
      localities.every((place, index) => index === 0 || place.population <= (localities[index - 1]?.population ?? 0)),
    );
  });

  it('have Romanian names in Romanian letters', () => {
    for (const { name } of localities) assert.match(name, /^[\dA-ZĂÂÎȘȚ][\dA-Za-zĂÂÎȘȚăâîșț .-]+$/);
    assert.ok(
      localities.every(({ name }) => !/[^ -]î/.test(name)),
      'î stands only at the start of a word',
    );
  });

  it('carry the same name in ASCII', () => {
    for (const { name, ascii } of localities) {
      assert.match(ascii, /^[ -~]+$/);
      assert.equal(foldName(ascii), foldName(name));
    }
    assert.equal(gazetteer.localityBySlug('targu-mures')?.ascii, 'Targu Mures');
    assert.equal(gazetteer.localityBySlug('bucuresti')?.ascii, 'Bucuresti');
  });

  it('lie in Romania, in a known county, in a known unit', () => {
    for (const place of localities) {
      assert.ok(place.lat > 43.6 && place.lat < 48.3 && place.lng > 20.2 && place.lng < 29.8, place.slug);
      assert.ok(gazetteer.countyByCode(place.county), place.slug);
      assert.ok(Number.isInteger(place.siruta) && place.population >= 0, place.slug);
    }
  });

  it('include all 320 towns with their official spelling, each the most populous of its unit', () => {
    const towns = Object.entries(TOWNS).flatMap(([county, names]) =>
      names.split(', ').map((name) => ({ county, name })),
    );
    assert.equal(towns.length, 320);
    for (const { county, name } of towns) {
      const town = localities.find((place) => place.county === county && place.name === name);
      assert.ok(town?.siruta, `${name} ${county}`);
      assert.equal(gazetteer.cityOfUnit(town.siruta), town, `${name} ${county}`);
    }
  });
});

describe('slugs', () => {
  it('are unique and find their locality', () => {
    for (const place of localities) assert.equal(gazetteer.localityBySlug(place.slug), place);
    assert.equal(gazetteer.localityBySlug('atlantida'), undefined);
  });

  it('are plain for the most populous of a name, then with the county, then with the SIRUTA code', () => {
    for (const namesakes of Map.groupBy(localities, ({ name }) => slugify(name)).values()) {
      for (const [index, { slug, name, county, siruta }] of namesakes.entries()) {
        const withCounty = slugify(`${name} ${gazetteer.countyByCode(county)?.name}`);
        const expected = index === 0 ? [slugify(name)] : [withCounty, `${withCounty}-${siruta}`];
        assert.ok(expected.includes(slug), slug);
      }
    }
    assert.equal(gazetteer.localityBySlug('fantanele')?.county, 'AR');
    assert.equal(gazetteer.localityBySlug('fantanele-suceava')?.county, 'SV');
  });

  it('of the county seats are the ones that clients know', () => {
    const seats = SEATS.split(', ').map((seat) => seat.split(' ') as [code: string, slug: string]);
    assert.equal(seats.length, counties.length);
    for (const [code, slug] of seats) assert.equal(gazetteer.localityBySlug(slug)?.county, code, slug);
  });
});

describe('the units of the register', () => {
  it('each have a city', () => {
    assert.equal(new Set(unitCodes).size, 366);
    for (const siruta of unitCodes) assert.ok(gazetteer.cityOfUnit(siruta), String(siruta));
  });

  it('have the town as their city even if GeoNames gives it no inhabitants', () => {
    const cities = [20563, 106817, 37280, 114809, 13490, 60455, 139740].map(
      (siruta) => gazetteer.cityOfUnit(siruta)?.name,
    );
    assert.deepEqual(cities, ['Onești', 'Târgu Lăpuș', 'Flămânzi', 'Reghin', 'Câmpulung', 'Eforie', 'Cehu Silvaniei']);
  });

  it('have no city if unknown', () => {
    assert.equal(gazetteer.cityOfUnit(1), undefined);
    assert.deepEqual(gazetteer.citiesOf(1), []);
  });
});

describe('the counties', () => {
  it('are 42, each with a polygon that contains its largest town', () => {
    assert.equal(counties.length, 42);
    for (const county of counties) {
      const largest = localities.find((place) => place.county === county.code);
      assert.ok(largest && !gazetteer.suspectCoordinates(largest, county), county.name);
    }
  });

  it('are found by rule 11', () => {
    for (const text of ['Bucuresti', 'București', 'Municipiul București', 'B', 'bucharest']) {
      assert.equal(gazetteer.countyByName(text)?.code, 'B', text);
    }
    for (const text of ['cs', 'Caraş-Severin', 'caras severin', 'Județul Caraș-Severin', 'CARAS-SEVERIN']) {
      assert.equal(gazetteer.countyByName(text)?.code, 'CS', text);
    }
    for (const { code, name, ascii } of counties) {
      for (const text of [code, name, ascii, slugify(name), `Județul ${name}`])
        assert.equal(gazetteer.countyByName(text)?.code, code);
    }
  });
});
