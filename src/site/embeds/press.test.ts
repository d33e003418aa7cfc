import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCity,
  aNational,
  aSnapshot,
  aStation,
  prices,
  recordsOf,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import { SITE_URL } from '../../../test/support/service/site-builders.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import type { SiteData } from '../frame/site-data.ts';
import { pressSentence, pressTable } from './press.ts';
import { type PlaceName, type PriceSubject, priceSubject } from './price-subject.ts';

const CITY: PlaceName = { kind: 'city', slug: 'cluj-napoca' };
const STATION: PlaceName = { kind: 'station', slug: 'petrom-cluj-napoca-0a1b2c3d4e5f' };
const COUNTRY: PlaceName = { kind: 'country', slug: '' };

function dataWith({ stations = 1, simulated = false } = {}): SiteData {
  const records = Array.from({ length: stations }, (_, index) =>
    recordsOf(aStation(index === 0 ? {} : { id: `fff${index.toString().padStart(9, '0')}` }), {
      diesel: trusted(7_450),
    }),
  ).flat();
  const national = { ...aNational({}), diesel: { min: 7_300, mean: 7_610, max: 8_400 } };
  const cities = [aCity({ prices: prices({ diesel: 7_450 }) })];
  const snapshot = aSnapshot({ records, cities, national });
  return { snapshot, gazetteer: loadGazetteer(), publicUrl: SITE_URL, simulated } as SiteData;
}

function sentence(place: PlaceName, language: Language, data = dataWith(), fuel: RoadFuel = 'diesel'): string | null {
  return pressSentence(priceSubject(place, data) as PriceSubject, fuel, data, language);
}

describe('the sentence for the press', () => {
  it('names day, fuel, place, price, station and source', () => {
    assert.equal(
      sentence(CITY, 'ro'),
      'La 20 noiembrie 2026, cea mai ieftină motorină standard din Cluj-Napoca costă 7,45 lei/l (Petrom, Calea Turzii 178), sursa: Pompa.',
    );
    assert.equal(
      sentence(CITY, 'en'),
      'On 20 November 2026, the cheapest standard diesel in Cluj-Napoca costs 7.45 lei per litre (Petrom, Calea Turzii 178), source: Pompa.',
    );
    assert.equal(
      sentence(STATION, 'ro'),
      'La 20 noiembrie 2026, motorina standard costă 7,45 lei/l la Petrom, Calea Turzii 178, Cluj-Napoca, sursa: Pompa.',
    );
    assert.equal(
      sentence(COUNTRY, 'ro'),
      'La 20 noiembrie 2026, prețul mediu al motorinei standard în România este de 7,61 lei/l (între 7,30 și 8,40 lei/l), sursa: Pompa.',
    );
  });

  it('counts the other stations with the same price', () => {
    assert.match(String(sentence(CITY, 'ro', dataWith({ stations: 2 }))), /178 și încă 1 benzinărie\)/);
    assert.match(String(sentence(CITY, 'ro', dataWith({ stations: 21 }))), /178 și încă 20 de benzinării\)/);
    assert.match(String(sentence(CITY, 'en', dataWith({ stations: 3 }))), /178 and 2 other stations\)/);
  });

  it('says that a price is simulated, and is none without a trusted price', () => {
    assert.match(String(sentence(CITY, 'ro', dataWith({ simulated: true }))), /sursa: Pompa \(date simulate\)\.$/);
    for (const place of [CITY, STATION, COUNTRY]) assert.equal(sentence(place, 'ro', dataWith(), 'lpg'), null);
  });
});

describe('the table for the press', () => {
  it('has a row for each fuel with a price, and its source', () => {
    const data = dataWith({ simulated: true });
    const table = pressTable(priceSubject(CITY, data) as PriceSubject, data, 'ro')?.text ?? '';
    assert.match(table, /<caption>Prețul carburanților: Cluj-Napoca, 20 noiembrie 2026 \(date simulate\)<\/caption>/);
    assert.deepEqual(table.match(/<tr><th scope="row">.*/g), [
      '<tr><th scope="row">Motorină</th><td>7,45</td><td>Petrom, Calea Turzii 178</td></tr>',
    ]);
    assert.ok(table.includes(`<a href="${SITE_URL}/preturi-carburanti/cluj-napoca">Pompa</a> (CC BY 4.0)`));
  });

  it('does not exist without a price', () => {
    const snapshot = aSnapshot({ national: aNational({}) });
    const data = { ...dataWith(), snapshot };
    assert.equal(pressTable(priceSubject(COUNTRY, data) as PriceSubject, data, 'ro'), null);
  });
});
