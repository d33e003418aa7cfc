import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parseXml } from '@rgrove/parse-xml';
import { DAY_MS, EPOCH, exampleCountry, stationOf, stationsWithAnomaly } from '../country/example-country.ts';
import { BUCHAREST } from '../country/placement.ts';
import { priceAt } from '../country/simulated-prices.ts';
import { type SimulatedRegister, startSimulatedRegister } from './register-server.ts';

type Reply = { status: number; type: string; encoding: string | undefined; bytes: Buffer; text: string };
type Call = { headers?: Record<string, string>; method?: string; base?: string };

const country = exampleCountry();
let register: SimulatedRegister;
before(async () => {
  register = await startSimulatedRegister({ country, clock: () => EPOCH });
});
after(() => register.close());

const JSON_WANTED = { accept: 'application/json' };

function ask(path: string, { headers = JSON_WANTED, method = 'GET', base = register.url }: Call = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(`${base}/${path}`, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const encoding = response.headers['content-encoding'];
        const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
        const type = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, type, encoding, bytes, text });
      });
    });
    asked.on('error', reject).end();
  });
}

const byUat = (siruta: number, product: string): string =>
  `GetGasItemsByUat?UatId=${siruta}&CSVGasCatalogProductIds=${product}&OrderBy=dist`;

describe('simulated register over HTTP', () => {
  it('listens on a free port of loopback, below the base path of the real one', () => {
    assert.match(register.url, /^http:\/\/127\.0\.0\.1:\d+\/pmonsvc\/Gas$/);
  });

  it('answers JSON as UTF-8 when the client accepts JSON', async () => {
    const { status, type, text } = await ask('GetGasNetworks');
    assert.equal(status, 200);
    assert.equal(type, 'application/json; charset=utf-8');
    assert.match(text, /LUKOIL România S\.R\.L\./);
  });

  it('reads paths and parameter names case-insensitively', async () => {
    const plain = await ask(byUat(95060, '11'));
    const odd = await ask('GETGASITEMSBYUAT?uatid=95060&csvgascatalogproductids=11');
    assert.equal(odd.text, plain.text);
    assert.equal(JSON.parse((await ask('GetUatByName?uatname=Pite%C5%9Fti')).text).Items[0].id, '13169');
  });

  it('answers well-formed XML, errors included, unless the client accepts JSON', async () => {
    const roots = [];
    for (const path of [
      byUat(BUCHAREST, '11'),
      'GetGasItemsByLatLon?lat=44.43&lon=26.1&buffer=900&CSVGasCatalogProductIds=21',
      'GetUATByName',
      'GetGasNetworks',
      'GetGasProductsFromCatalog',
      'GetGasServicesFromCatalog',
      byUat(1, '11'),
    ]) {
      const { type, text } = await ask(path, { headers: {} });
      assert.match(type, /^application\/xml/);
      roots.push(parseXml(text).root?.name);
    }
    assert.deepEqual(roots, ['GasItems', 'GasItems', 'UATs', 'GasNetworks', 'CatalogProducts', 'GasServices', 'Error']);
  });

  it('compresses on request, with the same content', async () => {
    const plain = await ask(byUat(BUCHAREST, '11'));
    const zipped = await ask(byUat(BUCHAREST, '11'), { headers: { ...JSON_WANTED, 'accept-encoding': 'br, gzip' } });
    assert.equal(plain.encoding, undefined);
    assert.equal(zipped.encoding, 'gzip');
    assert.equal(zipped.text, plain.text);
    assert.ok(zipped.bytes.length < plain.bytes.length / 4);
  });

  it('sends the same bytes for the same seed, instant and request', async () => {
    const other = await startSimulatedRegister({ country: exampleCountry(), clock: () => EPOCH });
    const [first, second] = [await ask(byUat(95060, '21')), await ask(byUat(95060, '21'), { base: other.url })];
    await other.close();
    assert.equal(second.text, first.text);
  });

  it('answers 404 elsewhere, and 405 to anything but GET', async () => {
    const root = register.url.replace('/pmonsvc/Gas', '');
    for (const path of ['GetGasStation?id=R1001', '../Retail/GetUATByName', '']) {
      assert.equal((await ask(path)).status, 404);
    }
    for (const path of ['', '/', '/%']) assert.equal((await ask(path, { base: root })).status, 404);
    assert.equal((await ask('GetGasNetworks', { method: 'POST' })).status, 405);
  });

  it('answers as of another day while its clock is set, and as of now after that', async () => {
    const station = country.stations.find(({ network, anomalies }) => network === 'PETROM' && anomalies.length === 0);
    assert.ok(station);
    const shown = async () => {
      const { Stations, Products } = JSON.parse((await ask(byUat(station.siruta, '11'))).text);
      const { updatedate } = Stations.find(({ id }: { id: string }) => id === station.id);
      return { updatedate, price: Products.find((row: { stationid: string }) => row.stationid === station.id).price };
    };
    const now = await shown();
    const past = EPOCH - 60 * DAY_MS;
    register.setClock(past);
    const then = await shown();
    register.setClock(null);
    assert.match(then.updatedate, /^21\/09\/2026 20:\d\d $/);
    assert.equal(then.price, (priceAt(country, station, 'petrol', past) ?? 0) / 1000);
    assert.notEqual(then.price, now.price);
    assert.deepEqual(await shown(), now);
  });

  it('sends the orphans and answers for the failing unit before their last day', async () => {
    const [orphan] = country.anomalies.filter(({ kind, fuel }) => kind === 'orphan' && fuel === 'lpg');
    const [ill] = stationsWithAnomaly(country, 'ill-unit');
    assert.ok(orphan && ill);
    const { id } = stationOf(country, orphan.station);
    const sent = async () => (await ask(byUat(orphan.siruta, '31'))).text.includes(`"stationid":"${id}"`);
    const illness = async () => (await ask(byUat(ill.siruta, '11'))).status;
    assert.deepEqual([await sent(), await illness()], [false, 503]);
    register.setClock(EPOCH - 6 * DAY_MS);
    assert.deepEqual([await sent(), await illness()], [true, 200]);
    register.setClock(null);
  });

  it('leaves no connection open after it is closed', async () => {
    const other = await startSimulatedRegister({ country, clock: () => EPOCH });
    await ask('GetGasNetworks', { base: other.url, headers: { ...JSON_WANTED, connection: 'keep-alive' } });
    await other.close();
    await assert.rejects(ask('GetGasNetworks', { base: other.url }), /ECONNREFUSED|socket hang up/);
  });

  it('rejects when its port is taken', async () => {
    const port = Number(new URL(register.url).port);
    await assert.rejects(startSimulatedRegister({ country, clock: () => EPOCH, port }), /EADDRINUSE/);
  });
});
