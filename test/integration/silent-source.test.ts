/** A price source falls silent while it has the lowest prices, and comes back later. */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bucharestDay, dayNumber } from '../../src/domain/days.ts';
import type { CollectionSettings } from '../../src/domain/prices/collection-settings.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { evaluateAlerts } from '../../src/worker/alerts/evaluate-alerts.ts';
import { readChanges } from '../../src/worker/serving/read-changes.ts';
import {
  at,
  COLLECTION_SETTINGS,
  type CollectorFixture,
  collectorFixture,
} from '../support/collection/collector-fixture.ts';
import { subscribe } from '../support/database/stored-push.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { TestService } from '../support/service/test-service.ts';
import { LIST, SOURCES, ThreeSources } from '../support/worlds/three-sources.ts';

const IN_SERVICE: CollectionSettings = { ...COLLECTION_SETTINGS, inService: SOURCES };

let database: TestDatabase;
let dataDir: string;
let service: TestService;
let fixture: CollectorFixture;
let world: ThreeSources;

before(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'pompa-silent-'));
  world = new ThreeSources(() => fixture.clock.now);
  fixture = collectorFixture(database, dataDir, world.configuredSources);
  Object.assign(fixture.collector, { settings: IN_SERVICE });
  service = await TestService.start({ clock: () => fixture.clock.now });
  await subscribe(database);
  await subscribe(database, { city: 'cluj-napoca', fuel: 'petrol' });
  await subscribe(database, { city: 'iasi', fuel: 'petrol' });
});
after(async () => {
  await service.api.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Collects from every source and judges alerts at once; returns how many messages would be sent. */
async function collectAll(when: string): Promise<number> {
  const { runs } = await fixture.run(when, { sources: SOURCES });
  const failed = runs.filter(({ outcome }) => outcome !== 'delivered').map(({ source }) => source);
  assert.deepEqual(failed, world.list === null ? [LIST] : [], JSON.stringify(runs.map(({ reason }) => reason)));
  const clock = () => fixture.clock.now;
  return evaluateAlerts({ db: database.kysely, settings: IN_SERVICE, clock, log: { info: () => undefined } });
}

/** Returns what the API answers at an instant without another collection. */
async function look(when: string) {
  const now = at(when);
  fixture.clock.now = now;
  const { facts, history } = await readChanges(database, null, dayNumber(bucharestDay(now)));
  await service.api.refresh(buildSnapshot({ ...IN_SERVICE, facts, history, now }));
  const get = async (target: string) => (await service.ask(`/api/v1/${target}`)).json;
  const [minime, preturi, retele, cluj, iasi, statii] = await Promise.all(
    ['preturi/minime', 'preturi', 'retele', 'judete/CJ', 'judete/IS', 'statii'].map(get),
  );
  const health = await service.ask('/api/v1/health');
  type Station = Record<'oras' | 'brand' | 'tip', string> & { pret: number | null; pret_expirat?: true };
  return {
    health: [health.status, health.json.status] as const,
    petrol: minime.preturi.benzina_standard as { min: number; mediu: number; max: number },
    cities: (preturi.rezultate as { oras: string; benzina: number }[]).map(({ oras, benzina }) => [oras, benzina]),
    petrom: (retele.retele as { slug: string; benzina: number | null }[]).find(({ slug }) => slug === 'petrom')
      ?.benzina,
    counties: [cluj, iasi].map((county) => county.benzina_standard),
    pins: (statii.statii as Station[])
      .filter(({ pret, pret_expirat }) => pret === null && !pret_expirat)
      .map(({ oras, brand, tip }) => `${oras} ${brand} ${tip}`),
    records: (statii.statii as Station[])
      .filter(({ tip }) => tip === 'benzina_standard')
      .map(({ oras, brand, pret, pret_expirat }) => `${oras} ${brand} ${pret_expirat ? 'withdrawn' : pret}`)
      .sort(),
  };
}

describe('a price source that falls silent while it has the lowest prices', () => {
  let asBefore: Awaited<ReturnType<typeof look>>;
  let messages = 0;
  before(async () => {
    for (let day = 10; day <= 19; day += 1) {
      for (const hour of ['08', '16']) messages += await collectAll(`2026-11-${day}T${hour}:00Z`);
    }
    asBefore = await look('2026-11-19T16:30Z');
  });

  test('counts in every figure while it delivers, and no record without a price accompanies one with a price', () => {
    assert.deepEqual(asBefore.health, [200, 'ok']);
    assert.equal(asBefore.petrol.min, 6.5);
    assert.deepEqual(asBefore.cities, [
      ['Bucuresti', 7.55],
      ['Iasi', 6.6],
      ['Cluj-Napoca', 6.5],
    ]);
    assert.deepEqual([asBefore.petrom, ...asBefore.counties], [6.86, 6.5, 6.6]);
    assert.deepEqual(asBefore.pins, ['Bucuresti Petrom benzina_standard', 'Bucuresti Petrom motorina_standard']);
    assert.deepEqual(asBefore.records, [
      'Bucuresti Petrom null',
      'Bucuresti Rompetrol 7.55',
      'Bucuresti Rompetrol 8.88',
      'Cluj-Napoca OMV 7.6',
      'Cluj-Napoca Petrom 6.5',
      'Iasi Petrom 6.6',
      'Iasi Petrom 7.48',
      'Iasi Rompetrol 7.45',
    ]);
  });

  test('counts until it has been silent for 24 hours, whatever the others deliver', async () => {
    world.list = null;
    messages += await collectAll('2026-11-20T08:00Z');
    const { health, petrol, records } = await look('2026-11-20T16:00Z');
    assert.deepEqual(health, [200, 'ok']);
    assert.equal(petrol.min, 6.5);
    assert.deepEqual(records, asBefore.records);
  });

  test('then drops out of every figure, by time alone: replaced where another source has a price, otherwise withdrawn', async () => {
    const { health, ...silent } = await look('2026-11-20T16:00:01Z');
    assert.deepEqual(health, [503, 'degraded']);
    assert.equal(silent.petrol.min, 7.4);
    assert.deepEqual(silent.cities, [
      ['Bucuresti', 7.55],
      ['Iasi', 7.45],
      ['Cluj-Napoca', 7.4],
    ]);
    assert.deepEqual([silent.petrom, ...silent.counties], [7.45, 7.4, 7.45]);
    assert.deepEqual(silent.pins, asBefore.pins);
    assert.deepEqual(silent.records, [
      'Bucuresti Petrom null',
      'Bucuresti Rompetrol 7.55',
      'Bucuresti Rompetrol 8.88',
      'Cluj-Napoca OMV 7.6',
      'Cluj-Napoca Petrom 7.4',
      'Iasi Petrom 7.5',
      'Iasi Petrom withdrawn',
      'Iasi Rompetrol 7.45',
    ]);
  });

  test('keeps the service degraded whatever the others deliver, and sends no alert', async () => {
    for (const when of ['2026-11-20T18:00Z', '2026-11-21T08:00Z', '2026-11-21T16:00Z'])
      messages += await collectAll(when);
    const { health, petrol } = await look('2026-11-21T16:30Z');
    assert.deepEqual([health, petrol.min], [[503, 'degraded'], 7.4]);
  });

  test('counts as before when it comes back, and that is not taken for a drop', async () => {
    world.list = { cheap: 6.5, only: 6.6 };
    messages += await collectAll('2026-11-22T08:00Z');
    messages += await collectAll('2026-11-23T08:00Z');
    assert.deepEqual(await look('2026-11-23T08:30Z'), asBefore);
    assert.equal(messages, 0, 'no alert was sent in the whole story');
  });

  test('causes an alert again when a price really falls', async () => {
    world.list = { cheap: 6.2, only: 6.6 };
    assert.ok((await collectAll('2026-11-24T08:00Z')) > 0);
  });
});
