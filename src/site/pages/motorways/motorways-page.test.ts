import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aNetwork,
  aSnapshot,
  aStation,
  doubtful,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { awaitPage } from '../../../../test/support/service/site-builders.ts';
import { loadGazetteer } from '../../../geodata/load-gazetteer.ts';
import { motorwaysOf } from './motorways-data.ts';

const PITESTI = { city: 'Pitesti', citySlug: 'pitesti', county: 'AG', countyName: 'Arges', lat: 44.85, lng: 24.87 };
const town = (id: string, petrol: number, diesel: number) =>
  recordsOf(aStation({ ...PITESTI, id }), { petrol: trusted(petrol), diesel: trusted(diesel) });
const serviceArea = (id: string, address: string, verdicts: Parameters<typeof recordsOf>[1]) =>
  recordsOf(aStation({ ...PITESTI, network: aNetwork('OMV'), id, address, lng: 25 }), verdicts);

const snapshot = aSnapshot({
  records: [
    ...town('00000000000a', 9_600, 10_400),
    ...town('00000000000b', 9_700, 10_420),
    ...recordsOf(aStation({ ...PITESTI, id: '00000000000c' }), { diesel: doubtful(5_600, 'stuck', '2026-11-01') }),
    ...serviceArea('00000000001a', 'Autostrada A1, km 49+900, sens Bucuresti-PITESTI', {
      petrol: trusted(10_000),
      diesel: trusted(10_780),
      lpg: trusted(4_900),
    }),
    ...serviceArea('00000000001b', 'A1 km 36', { diesel: doubtful(12_900, 'orphaned', null), petrol: trusted(10_100) }),
    ...recordsOf(aStation({ id: '00000000001c', address: 'A3, km 13', suspectCoordinates: true }), {
      diesel: trusted(10_900),
    }),
  ],
});

describe('the page of the motorways', async () => {
  const text = await awaitPage('/autostrazi', { snapshot });
  const sectionOf = (ref: string) => text.split('<h2 ').find((part) => part.startsWith(`id="${ref}"`)) ?? '';

  it('compares each station with the mean of the nearest towns, from trusted prices off the motorway alone', () => {
    assert.match(
      sectionOf('a1'),
      /km 49,9, spre Pitești · <a href="\/judet\/arges">Argeș<\/a>.*față de <a href="\/preturi-carburanti\/pitesti">Pitești<\/a> \(10,5 km\)/,
    );
    assert.match(sectionOf('a1'), /10,78<div class="unit">\+37<\/div>/);
  });

  it('says what diesel costs more, also for a full tank', () => {
    assert.match(
      text,
      /<p>Pe autostradă motorina costă în medie cu 37 de bani mai mult decât în localitățile apropiate: 18,50 lei în plus la un plin de 50 de litri \(1 benzinărie\)\./,
    );
    assert.match(text, /<title>Carburanți pe autostradă azi: motorina cu 37 bani mai scumpă<\/title>/);
  });

  it('compares the motorways in one table: stations, lowest price of each fuel and the mean difference', () => {
    const [, rows = ''] =
      /<caption>Cel mai mic preț de pe fiecare autostradă.*?<tbody>(.*?)<\/tbody>/s.exec(text) ?? [];
    const [a1, a3, all, ...others] = rows.trim().split('\n');
    assert.match(
      a1 ?? '',
      /<a href="#a1">A1<\/a><div class="unit">2 benzinării<\/div><\/th><td class="num"><a href="\/statie\/omv-pitesti-00000000001a">10,00<\/a><div class="unit">\+40<\/div>/,
    );
    assert.match(a1 ?? '', />10,78<\/a><div class="unit">\+37<\/div>/);
    assert.match(a1 ?? '', />4,90<\/a><\/td>/, 'no town sells LPG');
    assert.match(a3 ?? '', /<a href="#a3">A3<\/a>.*>10,90<\/a><\/td>/);
    assert.match(all ?? '', /Toate<div class="unit">3 benzinării<\/div><\/th>/);
    assert.deepEqual(others, []);
    assert.doesNotMatch(sectionOf('a1'), /costă în medie/);
  });

  it('names the fuel of the map where everybody sees it', () => {
    assert.match(text, /<figcaption><strong>Prețul motorinei la benzinăriile de pe autostrăzi<\/strong>/);
  });

  it('orders stations by kilometre and shows no doubtful price', () => {
    assert.ok(sectionOf('a1').indexOf('km 36') < sectionOf('a1').indexOf('km 49,9'));
    assert.doesNotMatch(text, /12,90/);
  });

  it('does not compare a station whose place is not reliable', () => {
    assert.match(sectionOf('a3'), /Niciun preț de încredere de aici nu se poate compara/);
    assert.match(sectionOf('a3'), /poziție nesigură: nu se compară/);
  });

  it('has the premium of each fuel as data', () => {
    assert.match(text, /"name":"Diferența de preț pe autostradă: Motorină","value":0.37,"unitText":"RON\/l"/);
  });

  it('is the same in English, at the address that the Romanian page names', async () => {
    assert.match(text, /hreflang="en" href="https:\/\/pompa.example\/en\/motorways"/);
    assert.match(
      await awaitPage('/en/motorways', { snapshot }),
      /On motorways diesel costs on average 37 bani more than in the nearest towns: 18.50 lei more for a tank of 50 litres \(1 station\)\./,
    );
  });

  it('compares the stations once for a snapshot', () => {
    const data = { snapshot: { ...snapshot }, gazetteer: loadGazetteer() };
    assert.equal(motorwaysOf(data), motorwaysOf(data));
  });

  it('says so where no station is on a motorway', async () => {
    const empty = await awaitPage('/autostrazi', { snapshot: aSnapshot() });
    assert.match(empty, /Acum nu este cunoscută nicio benzinărie cu adresă pe autostradă\./);
    assert.doesNotMatch(empty, /<table/);
  });
});
