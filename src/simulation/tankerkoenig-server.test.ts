import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { distanceKm } from '../domain/point.ts';
import { type SimulatedGermanStation, simulatedGermanStations } from './country/german-stations.ts';
import { type SimulatedTankerkoenig, startSimulatedTankerkoenig } from './tankerkoenig-server.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
let source: SimulatedTankerkoenig;
before(async () => {
  source = await startSimulatedTankerkoenig({ seed: 1, clock: () => NOON });
});
after(() => source.close());

async function ask(query: string, path = '/json/list.php') {
  const response = await fetch(`${source.url}${path}?${query}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const GOOD = 'lat=52.52&lng=13.4&rad=10&sort=dist&type=all&apikey=x';

describe('the simulated German source', () => {
  test('answers in the format of the real one', async () => {
    const { status, type, text } = await ask(GOOD);
    const { stations, ...head } = JSON.parse(text);
    assert.deepEqual([status, type], [200, 'application/json; charset=utf-8']);
    assert.deepEqual(head, {
      ok: true,
      license: 'CC BY 4.0 -  https://creativecommons.tankerkoenig.de',
      data: 'MTS-K',
      status: 'ok',
    });
    const fields = 'id name brand street place lat lng dist diesel e5 e10 isOpen houseNumber postCode';
    for (const row of stations) assert.equal(Object.keys(row).join(' '), fields);
    assert.match(stations[0].id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test('reports errors with status 200, as the real one does, and has no other page', async () => {
    assert.match((await ask(GOOD.replace('&apikey=x', ''))).text, /^\{"ok":false,"message":"apikey nicht angegeben/);
    for (const bad of ['rad=26', 'rad=0', 'rad=', 'lat=x', 'lng=181', 'type=e5']) {
      const name = bad.split('=')[0] as string;
      const { status, text } = await ask(GOOD.replace(new RegExp(`${name}=[^&]*`), bad));
      assert.deepEqual([status, text], [200, '{"ok":false,"message":"parameter error"}'], bad);
    }
    assert.equal((await ask(GOOD, '/json/prices.php')).status, 404);
  });
});

describe('simulated German stations', () => {
  const at = (lat: number, lng: number, radiusKm = 15, instant = NOON) =>
    simulatedGermanStations(1, { lat, lng }, radiusKm, instant);

  test('exist around any point of Germany, nearest first, within the requested radius', () => {
    for (let lat = 47; lat <= 55.2; lat += 0.41) {
      for (let lng = 5.5; lng <= 15.5; lng += 0.5) {
        const rows = at(lat, lng);
        assert.ok(rows.length >= 5, `${lat} ${lng}: ${rows.length}`);
        const km = rows.map((row) => distanceKm(row, { lat, lng }));
        assert.deepEqual(
          km,
          km.toSorted((a, b) => a - b),
        );
        assert.ok(km.every((each) => each <= 15));
      }
    }
  });

  test('are the same from every search point', () => {
    const facts = ({ dist: _, ...row }: SimulatedGermanStation) => JSON.stringify(row);
    const wide = new Set(at(52.52, 13.4, 25).map(facts));
    const near = at(52.55, 13.45, 10).map(facts);
    assert.ok(near.length > 5 && near.every((row) => wide.has(row)));
    assert.equal(new Set(at(52.52, 13.4, 25).map(({ id }) => id)).size, wide.size);
  });

  test('are marked as simulated, have realistic prices, and lack the same fields as real ones', () => {
    const rows = at(51, 10, 25);
    for (const { street, e5, e10, diesel } of rows) {
      assert.match(street, /^\[simulat\] /);
      for (const price of [e5, e10, diesel]) {
        assert.ok(price === null || (price > 1.4 && price < 2.2 && String(price).endsWith('9')), String(price));
      }
    }
    assert.ok(rows.some(({ e5 }) => e5 === null) && rows.some(({ houseNumber }) => houseNumber === null));
    assert.ok(rows.some(({ brand }) => brand === ''));
    assert.ok(at(51, 10, 25, NOON + 11 * 3_600_000).some(({ isOpen }) => !isOpen));
    assert.notDeepEqual(at(51, 10, 25, NOON + 3_600_000), rows);
  });
});
