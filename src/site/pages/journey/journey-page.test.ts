import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCity,
  aNetwork,
  aSnapshot,
  aStation,
  doubtful,
  prices,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, aWaitingSite, awaitPage, readPage } from '../../../../test/support/service/site-builders.ts';
import { TestService } from '../../../../test/support/service/test-service.ts';
import type { JourneyPlanner } from '../../frame/journey-planner.ts';

/** Beside the road from Cluj-Napoca to Turda, 46.77/23.60 to 46.57/23.78. */
const SNAPSHOT = aSnapshot({
  cities: [aCity({ prices: prices({ petrol: 9_590 }) })],
  records: [
    ...recordsOf(aStation({ id: '00000000000a', address: 'Strada din Drum 1', lat: 46.57, lng: 23.78 }), {
      petrol: trusted(9_700),
    }),
    ...recordsOf(
      aStation({
        ...{ id: '00000000000b', address: 'Strada Ocolită 2', network: aNetwork('Rompetrol') },
        ...{ lat: 46.72, lng: 23.72 },
      }),
      { petrol: trusted(9_650) },
    ),
    ...recordsOf(aStation({ id: '00000000000c', address: 'Strada Blocată 3', lat: 46.57, lng: 23.78 }), {
      petrol: doubtful(6_000, 'stuck', '2026-10-01'),
    }),
    ...recordsOf(aStation({ id: '00000000000d', address: 'Strada Departe 4', lat: 45, lng: 25 }), {
      petrol: trusted(5_000),
    }),
  ],
});
const given = { snapshot: SNAPSHOT };
const PATH = '/traseu/cluj-napoca/turda';
const WIDE = `${PATH}?raza=15`;

describe('the form of a journey', () => {
  it('is there without a query, with the cities that have prices', () => {
    const text = readPage('/traseu', given);
    assert.match(text, /<form class="journey-form" action="\/traseu" method="get">/);
    assert.match(text, /<option value="Cluj-Napoca">/);
    assert.match(text, /<a href="\/autostrazi">Cât costă în plus carburantul pe autostradă<\/a>/);
    assert.match(text, /<a href="\/traseu\/bucuresti\/iasi">București – Iași<\/a>/);
  });

  it('leads to the address of the journey, with the choices that are not the usual ones', () => {
    const site = aSite(given);
    for (const [target, location] of [
      ['/traseu?de=Cluj&la=turda%2C+cj', '/traseu/cluj-napoca/turda'],
      ['/traseu?de=Cluj&la=Turda&tip=motorina&litri=50&ora=60', '/traseu/cluj-napoca/turda?tip=motorina&ora=60'],
      ['/en/route?de=Cluj&la=Turda&tip=diesel', '/en/route/cluj-napoca/turda?tip=diesel'],
    ] as const) {
      const { status, headers } = site(target);
      assert.deepEqual([status, headers.Location], [301, location]);
    }
  });

  it('says which place is unknown, proposes others, and keeps what was typed', () => {
    const { status, body } = aSite(given)('/traseu?de=Cluj&la=Turdda&litri=30');
    const text = body.toString();
    assert.equal(status, 400);
    assert.match(text, /Localitatea „Turdda” nu a fost găsită\. Ați vrut să spuneți:/);
    assert.match(text, /<a href="\/traseu\?litri=30&amp;de=Cluj&amp;la=Turda%2C\+Cluj">Turda, Cluj<\/a>/);
    assert.match(text, /<input type="text" name="la" value="Turdda"/);
    assert.match(text, /<a href="\/en\/route\?litri=30&amp;de=Cluj&amp;la=Turdda" lang="en"/);
  });

  it('asks the planner for suggestions on behalf of the visitor', () => {
    const asked: unknown[] = [];
    const journeys: JourneyPlanner = {
      findPlace: () => undefined,
      suggestPlaces: (text, { peer }) => {
        asked.push([text, peer.remoteAddress]);
        return [];
      },
      findRoute: async () => 'no_route',
      findDetours: async () => undefined,
    };
    const { body } = aSite({ ...given, journeys })('/traseu?de=Abc&la=Def');
    assert.deepEqual(asked, [['Abc', '192.0.2.1']]);
    assert.match(body.toString(), /nu a fost găsită\.<\/p>/);
  });

  it('refuses a journey that ends where it starts', () => {
    for (const target of ['/traseu?de=Cluj&la=Cluj-Napoca', '/traseu/cluj-napoca/cluj-napoca']) {
      const { status, body } = aSite(given)(target);
      assert.equal(status, 400);
      assert.match(body.toString(), /sunt aceeași localitate, Cluj-Napoca/);
    }
  });
});

describe('the page of a journey', () => {
  it('has the distance and the stations of the API', async () => {
    const service = await TestService.start({ snapshot: SNAPSHOT });
    const { json } = await service.ask('/api/v1/traseu/custom', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ start: 'Cluj-Napoca', end: 'Turda', raza: 15 }),
    });
    await service.api.close();
    const text = await awaitPage(WIDE, given);
    assert.equal(json.total_statii, 2);
    assert.ok(text.includes(`${Math.round(json.km)} km, ${json.duration_min} min. 2 benzinării cu preț`), text);
    assert.match(text, /<title>Carburant ieftin Cluj-Napoca – Turda: benzină de la 9,65 lei<\/title>/);
  });

  it('says that a detour is not worth it, and which stop is cheaper only at the pump', async () => {
    const text = await awaitPage(WIDE, given);
    assert.match(text, /Nu merită să faceți un ocol: cea mai bună oprire este în drum\./);
    assert.match(text, /<dt>În drum<\/dt><dd><strong>fără ocol<\/strong>/);
    const [stops = '', notWorth = ''] = text.split('nu merită ocolul</h2>');
    assert.match(stops, /Strada din Drum 1[\s\S]*în drum[\s\S]*<strong>9,70/);
    assert.match(notWorth, /Strada Ocolită 2<[\s\S]*ocol \d+ min, \d+,\d km[\s\S]*<strong>9,65/);
  });

  it('calls a short detour on the way, and names no distance that is none', async () => {
    const journeys: JourneyPlanner = {
      findPlace: () => undefined,
      suggestPlaces: () => [],
      findRoute: async (from, to) => ({
        ...{ km: 30, minutes: 40, credit: null },
        line: [from, to].map(({ lat, lng }) => [lat, lng] as const),
      }),
      findDetours: async () => (station) =>
        station.lat === 46.72 ? { km: 0, minutes: 21, kmFromStart: 10 } : { km: 1.1, minutes: 2, kmFromStart: 29 },
    };
    const text = await awaitPage(WIDE, { ...given, journeys });
    assert.match(text, /<dt>În drum<\/dt><dd><strong>2 min<\/strong><span>1,1 km în plus, carburant de 0,75 lei</);
    assert.match(text, /ocol 21 min, fără km în plus/);
    assert.doesNotMatch(text, />Ocol<|\b0,0 km/);
  });

  it('says that one is, where more fuel is bought', async () => {
    const text = await awaitPage(`${WIDE}&litri=1000`, given);
    assert.match(text, /Merită ocolul: cu \d+,\d\d lei mai ieftin decât cea mai bună oprire din drum\./);
    assert.match(text, /Economie la 1\.000 de litri/);
    const timed = await awaitPage(`/en/route/cluj-napoca/turda?raza=15&litri=1000&ora=1000`, given);
    assert.match(timed, /No detour is worth it/);
    assert.match(timed, /1,000 lei an hour/);
  });

  it('counts no doubtful price, but shows it with its reason', async () => {
    const [, unranked = ''] = (await awaitPage(PATH, given)).split('<h3>');
    assert.match(unranked, /Strada Blocată 3[\s\S]*neschimbat din 1 octombrie 2026[\s\S]*6,00/);
  });

  it('has a map with the road and the stops, the way back, and an address to share', async () => {
    const text = await awaitPage(`${WIDE}&tip=motorina`, given);
    assert.match(text, /Nicio benzinărie de pe acest drum nu are acum un preț de încredere la motorină/);
    assert.match(text, /<a href="\/traseu\/turda\/cluj-napoca\?tip=motorina&amp;raza=15">Drumul de întoarcere/);
    assert.match(text, />https:\/\/pompa\.example\/traseu\/cluj-napoca\/turda\?tip=motorina&amp;raza=15</);
    assert.match(await awaitPage(PATH, given), /class="m-way"[\s\S]*aria-label="Petrom, Strada din Drum 1: 9,70 lei"/);
  });

  it('differs by its query, also when the page without one is cached', async () => {
    const site = aWaitingSite(given);
    const plain = await site(PATH);
    assert.equal(await site(PATH), plain);
    const other = await site(`${PATH}?tip=gpl`);
    assert.match(other.body.toString(), /preț de încredere la GPL/);
    assert.match(other.body.toString(), /<link rel="canonical" href="[^"]+\/traseu\/cluj-napoca\/turda">/);
    assert.equal(await site(PATH), plain);
  });

  it('is listed by search engines only between the largest towns', async () => {
    assert.match(await awaitPage(PATH, given), /<meta name="robots" content="noindex">/);
    const large = await awaitPage('/en/route/cluj-napoca/sibiu', given);
    assert.doesNotMatch(large, /noindex/);
    assert.match(large, /<h2>Other journeys from Sibiu<\/h2>/);
  });

  it('does not exist for a place that does not, and says so where no road leads', async () => {
    assert.equal((await aWaitingSite(given)('/traseu/cluj-napoca/nicaieri')).status, 404);
    const { status, body } = await aWaitingSite(given)('/traseu/cluj-napoca/sulina');
    assert.equal(status, 400);
    assert.match(body.toString(), /Nu există un traseu rutier între Cluj-Napoca și Sulina\./);
  });

  it('looks for stops without the built-in roads, too, and names whose roads it shows', async () => {
    const journeys: JourneyPlanner = {
      findPlace: () => undefined,
      suggestPlaces: () => [],
      findRoute: async (from, to) => ({
        ...{ km: 30, minutes: 40, credit: '© Somebody' },
        line: [from, to].map(({ lat, lng }) => [lat, lng] as const),
      }),
      findDetours: async () => undefined,
    };
    const text = await awaitPage(PATH, { ...given, journeys });
    assert.match(text, /Strada din Drum 1<[^>]*><span>Cluj-Napoca · în drum</);
    assert.match(text, /Traseul: © Somebody\./);
  });
});
