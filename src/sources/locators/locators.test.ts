/** The station finders, read as sent: over a real connection, and field by field. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { capturingFetch, sweepOf, sweepWithFetch } from '../../../test/fuzz/single-answer.ts';
import { createDownloader } from '../../clients/http/download.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import {
  type LocatorStation,
  locatorHandler,
  MOL_PATH,
  WIGEOGIS_PATH,
} from '../../simulation/feeds/simulated-locators.ts';
import { SourceFailed } from '../source.ts';
import { type LocatorBrand, locatorSource } from './locators.ts';
import { molHours } from './mol-hours.ts';

const FOUND: readonly LocatorStation[] = (['OMV', 'PETROM', 'MOL'] as const).map((brand) => ({
  id: brand === 'MOL' ? '6010100123' : `RO.${brand.length}.8`,
  brand,
  town: 'Cluj-Napoca',
  address: 'Calea Turzii 176',
  postcode: '400495',
  lat: 46.745,
  lng: 23.601,
}));

describe('OMV in the real shape', async () => {
  const { stations, readings, rejections } = await read('omv');

  test('gives the stations of Romania, hours and telephone as given', () => {
    assert.deepEqual(stations[0], {
      sourceId: 'RO.4011.8',
      network: 'omv',
      brand: 'OMV',
      name: '',
      address: 'CALEA TURZII NR. 176, Cluj-Napoca',
      lat: 46.74512,
      lng: 23.60114,
      siruta: null,
      hours: 'Mo-Su 00:00-24:00',
      services: [],
      phone: '+40264438112',
    });
    assert.equal(stations.length, 2);
  });

  test('names the town once, falls back to the other hours, and treats NO TELEPHONE as none', () => {
    assert.equal(stations[1]?.address, 'DRUMUL TABEREI NR. 44, BUCURESTI');
    assert.match(stations[1]?.hours ?? '', /^dayOfWeek=1,closed=FALSE,from=05:00,to=22:00#.*dayOfWeek=8,closed=TRUE/);
    assert.equal(stations[1]?.phone, null);
    assert.deepEqual(stations[1]?.services, ['Magazin', 'VIVA', 'Încărcare electrică']);
  });

  test('gives the fuels without prices: petrol and diesel, and what a row names', () => {
    assert.deepEqual(fuels(readings), {
      'RO.4011.8': ['petrol', 'diesel'],
      'RO.4012.8': ['petrol', 'diesel', 'petrol_premium', 'adblue'],
    });
    assert.ok(readings.every(({ price, observed, unit }) => price === null && observed === null && unit === 'all'));
  });

  test('counts the station of another country', () => {
    assert.deepEqual(rejections.counts(), { other_country: 1 });
    assert.deepEqual(rejections.samples(), { other_country: ['BG.1101.8: BG'] });
  });
});

test('Petrom’s answer is parsed the same way, without OMV’s stations', async () => {
  const { stations, rejections } = await read('petrom');
  assert.deepEqual(
    stations.map(({ sourceId, network, brand, hours }) => [sourceId, network, brand, hours]),
    [['RO.1542.8', 'petrom', 'Petrom', 'Mo-Fr 06:00-22:00; Sa-Su 07:00-21:00']],
  );
  assert.deepEqual(rejections.counts(), { other_brand: 1 });
});

describe('MOL in the real shape', async () => {
  const { stations, readings, rejections } = await read('mol');

  test('returns the stations that are in service or temporarily closed', () => {
    assert.deepEqual(stations[0], {
      sourceId: '6010100123',
      network: 'mol',
      brand: 'MOL',
      name: 'Cluj-Napoca - Calea Florești',
      address: 'Str. Calea Florești 81, Cluj-Napoca',
      lat: 46.7541234,
      lng: 23.5412345,
      siruta: null,
      hours:
        'vara: luni-vineri 06:00-22:00; sâmbătă-duminică 07:00-22:00; iarna: luni-vineri 06:00-21:00; sâmbătă-duminică 07:00-21:00',
      services: ['AdBlue', 'Magazin', 'Internet (wifi)', 'Fresh Corner'],
      phone: '+40 264 420 123',
    });
    assert.deepEqual(
      stations.map(({ sourceId }) => sourceId),
      ['6010100123', '6010100124'],
    );
    assert.deepEqual(rejections.counts(), { not_in_service: 1 });
  });

  test('returns the fuels it lists, AdBlue among the services, and petrol and diesel if it lists none', () => {
    assert.deepEqual(fuels(readings), {
      '6010100123': ['petrol', 'petrol_premium', 'diesel', 'diesel_premium', 'lpg', 'adblue'],
      '6010100124': ['petrol', 'diesel'],
    });
  });

  test('uses the mobile number if there is no other', () => assert.equal(stations[1]?.phone, '+40722123123'));
});

describe('MOL’s opening hours', () => {
  const all = (span: string) => ({
    openedSummerWeekDay: span,
    openedSummerSaturday: span,
    openedSummerSunday: span,
  });
  const CASES: Record<string, [opened: Record<string, unknown>, text: string]> = {
    'equal days are joined': [all('00:00-24:00'), 'luni-duminică 00:00-24:00'],
    'equal winter and summer hours appear once': [
      {
        ...all('06:00-22:00'),
        openedWinterWeekDay: '06:00-22:00',
        openedWinterSaturday: '06:00-22:00',
        openedWinterSunday: '06:00-22:00',
      },
      'luni-duminică 06:00-22:00',
    ],
    'a missing day is left out': [
      { openedSummerWeekDay: '06:00-22:00', openedSummerSunday: '06:00-22:00' },
      'luni-vineri 06:00-22:00; duminică 06:00-22:00',
    ],
    'only winter': [{ openedWinterSaturday: '08:00-14:00' }, 'sâmbătă 08:00-14:00'],
    'a value that is not text is left out': [
      { openedSummerWeekDay: {}, openedSummerSaturday: null, openedSummerSunday: ['x'] },
      '',
    ],
    nothing: [{}, ''],
  };
  for (const [title, [opened, text]] of Object.entries(CASES)) {
    test(title, () => assert.equal(molHours(opened), text));
  }
});

describe('the requests', () => {
  const QUESTIONS: Record<LocatorBrand, object> = {
    omv: { form: { CTRISO: 'ROU', BRAND: 'OMV', VEHICLE: 'CAR', MODE: 'NEXTDOOR', ANZ: '1000' } },
    petrom: { form: { CTRISO: 'ROU', BRAND: 'PETROM', VEHICLE: 'CAR', MODE: 'NEXTDOOR', ANZ: '1000' } },
    mol: { json: '{"api":"stations","mode":"country","input":"RO"}' },
  };
  for (const [brand, question] of Object.entries(QUESTIONS) as [LocatorBrand, object][]) {
    test(`${brand} gets one request like that of its own page`, async () => {
      const requests: Parameters<typeof capturingFetch>[0] = [];
      await assert.rejects(sweepWithFetch(locatorSource(brand), capturingFetch(requests)), SourceFailed);
      assert.deepEqual(requests, [['', { accept: 'application/json', ...question }]]);
    });
  }

  test('over real connections each finder returns its own stations', async () => {
    const server = createServer(locatorHandler(() => FOUND));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const downloader = createDownloader({
      userAgent: 'Pompa test',
      timeoutMs: 20_000,
      maxBytes: 20_000_000,
      retries: 0,
      pauseMs: 0,
      parallel: 1,
      allowPrivate: true,
    });
    try {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const brand of ['omv', 'petrom', 'mol'] as const) {
        const address = `${origin}${brand === 'mol' ? MOL_PATH : WIGEOGIS_PATH}`;
        const sweep = await sweepWithFetch(locatorSource(brand), (target, options) =>
          downloader.download(`${address}${target}`, options),
        );
        assert.deepEqual(
          sweep.stations.map(({ network, lat, lng }) => [network, lat, lng]),
          [[brand, 46.745, 23.601]],
        );
      }
    } finally {
      await downloader.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });
});

function read(brand: LocatorBrand): Promise<Sweep> {
  return sweepOf(locatorSource(brand), readFileSync(new URL(`${brand}.fixture.json`, import.meta.url)));
}

function fuels(readings: Sweep['readings']): Record<string, string[]> {
  const byStation = Map.groupBy(readings, ({ sourceId }) => sourceId);
  return Object.fromEntries([...byStation].map(([id, own]) => [id, own.map(({ fuel }) => fuel)]));
}
