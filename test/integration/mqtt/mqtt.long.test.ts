/** `pompa mqtt` as an operator runs it, with a real broker and a real database. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connectAsync, type MqttClient } from 'mqtt';
import { DEFAULT_RANGES } from '../../../src/domain/fuel.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { migrate } from '../../../src/store/migrations/apply-migrations.ts';
import { syntheticCountry } from '../../support/builders/synthetic-country.ts';
import { type BenchDatabase, publishSweep, seedDatabase } from '../../support/database/bench-database.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { emptyDatabase } from '../../support/database/test-database.ts';
import { stopProcess } from '../../support/processes/child-process.ts';
import { errorSentence, runPompa, startPompa } from '../../support/processes/pompa-process.ts';
import { createMosquitto, type Mosquitto } from './mosquitto.ts';

const WITHIN_MS = 20_000;
const DISCOVERY = 'homeassistant/sensor/pompa/';

let folder: string;
let broker: Mosquitto;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let store: BenchDatabase;
const world = syntheticCountry(300, Date.now());
const station = world.sourceStations[0]?.station ?? '';

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-mqtt-'));
  broker = await createMosquitto(folder);
  await broker.start();
  database = await emptyDatabase();
  const log = { info: () => undefined, warn: console.error };
  store = { ...(await openDatabase<Schema>({ databaseUrl: database.url, dataDir: folder, log })), url: database.url };
  await migrate(store);
  await seedDatabase(store, world);
});
after(async () => {
  await broker.stop();
  await store.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const settings = (places: string) => ({
  DATABASE_URL: database.url,
  SOURCES: 'register',
  CONTACT: 'test@example.org',
  MQTT_URL: broker.url,
  MQTT_PLACES: places,
});

/** What a smart home sees: the retained messages, as they change. */
async function listen(): Promise<{ held: Map<string, string>; client: MqttClient }> {
  const client = await connectAsync(broker.url, { reconnectPeriod: 100 });
  const held = new Map<string, string>();
  client.on('message', (topic, payload) => {
    if (payload.length === 0) held.delete(topic);
    else held.set(topic, payload.toString());
  });
  await client.subscribeAsync(['pompa/#', `${DISCOVERY}+/config`], { qos: 1 });
  return { held, client };
}

/** The value that a template such as `{{ value_json.benzina_standard.min }}` takes from a state. */
function valueBy(template: string, state: string): unknown {
  const keys = /^\{\{ value_json\.([\w.]+) \}\}$/.exec(template)?.[1] ?? assert.fail(template);
  return keys.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(state));
}

describe('pompa mqtt', () => {
  let pompa: ChildProcess;
  let printed = '';
  let home: Awaited<ReturnType<typeof listen>>;
  before(async () => {
    home = await listen();
    pompa = startPompa(folder, ['mqtt'], settings(`cluj-napoca,${station}`));
    pompa.stdout?.on('data', (text) => {
      printed += text;
    });
  });
  after(async () => {
    await stopProcess(pompa);
    await home.client.endAsync();
  });
  const sensors = () => [...home.held].filter(([topic]) => topic.startsWith(DISCOVERY));
  const state = (topic: string) => home.held.get(topic) ?? '';

  test('tells of sensors whose states are there, for the country, a town and a station', async () => {
    await waitFor('sensors of the station', WITHIN_MS, () => sensors().some(([topic]) => topic.includes(station)));
    await waitFor('their states', WITHIN_MS, () => state('pompa/romania') && state(`pompa/statie/${station}/stare`));
    await waitFor('what it prints', WITHIN_MS, () => printed !== '');
    assert.equal(printed, `publishes ${sensors().length} sensors to mqtt://${broker.host}\n`);
    assert.equal(sensors().filter(([topic]) => topic.includes('_romania_')).length, 15);
    assert.equal(sensors().filter(([topic]) => topic.includes('_oras_cluj-napoca_')).length, 5);
    for (const [topic, text] of sensors()) {
      const config = JSON.parse(text);
      assert.equal(topic, `${DISCOVERY}${config.unique_id}/config`);
      const value = valueBy(config.value_template, state(config.state_topic));
      assert.ok(value === null || typeof value === 'number', `${topic}: ${value}`);
      assert.deepEqual([config.unit_of_measurement, config.state_class], ['RON/L', 'measurement']);
      for (const each of config.availability) assert.equal(state(each.topic), 'online', each.topic);
    }
  });

  test('follows a publication', async () => {
    const before = JSON.parse(state('pompa/romania')).benzina_standard.mediu;
    const collection = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };
    await publishSweep(store, world, 0, collection);
    await waitFor(
      'the new mean',
      WITHIN_MS,
      () => JSON.parse(state('pompa/romania')).benzina_standard.mediu !== before,
    );
  });

  test('publishes everything again to a broker that has forgotten it', async () => {
    const [national, count] = [state('pompa/romania'), sensors().length];
    await broker.stop();
    home.held.clear();
    await broker.start();
    await waitFor(
      'the sensors again',
      WITHIN_MS,
      () => sensors().length === count && state('pompa/romania') === national,
    );
    assert.equal(state('pompa/stare'), 'online');
  });

  test('is offline once it is killed, by the word of the broker', async () => {
    pompa.kill('SIGKILL');
    await waitFor('the will', WITHIN_MS, () => state('pompa/stare') === 'offline');
  });

  test('deletes the sensors of places that are no longer configured, and no others', async () => {
    pompa = startPompa(folder, ['mqtt'], settings(station));
    await waitFor('online again', WITHIN_MS, () => state('pompa/stare') === 'online');
    await waitFor('the town is gone', WITHIN_MS, () => ![...home.held.keys()].some((topic) => topic.includes('cluj')));
    assert.equal(sensors().filter(([topic]) => topic.includes('_romania_')).length, 15);
    assert.ok(sensors().some(([topic]) => topic.includes(station)));
  });

  test('says that it is offline when it is stopped', async () => {
    const ended = once(pompa, 'exit');
    pompa.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    await waitFor('offline', WITHIN_MS, () => state('pompa/stare') === 'offline');
  });
});

describe('pompa mqtt ends with a sentence', () => {
  test('without a broker, and with a place that it does not know', async () => {
    const { MQTT_URL: _, ...others } = settings('');
    assert.match(errorSentence(await runPompa(folder, ['mqtt'], others)), /MQTT_URL must be set: the broker, such as/);
    const unknown = await runPompa(folder, ['mqtt'], settings('atlantida'));
    assert.match(errorSentence(unknown), /MQTT_PLACES: "atlantida" is neither the slug of a town/);
  });

  test('when the broker refuses the password, which it does not repeat', async () => {
    const wrong = { ...settings(''), MQTT_URL: `mqtt://pompa:wrong-password@${broker.host}` };
    const { code, err } = await runPompa(folder, ['mqtt'], wrong);
    assert.equal(code, 1);
    assert.match(err, /the MQTT broker refuses the connection: .*(not authori[sz]ed|bad user ?name)/i);
    assert.doesNotMatch(err, /wrong-password/);
  });

  test('when the broker refuses it while the database is away', async () => {
    const url = `mqtt://pompa:wrong-password@${broker.host}`;
    const away = { ...settings(''), MQTT_URL: url, DATABASE_URL: 'postgres://pompa@127.0.0.1:9/pompa' };
    const { code, err } = await runPompa(folder, ['mqtt'], away);
    assert.equal(code, 1);
    assert.match(err, /the MQTT broker refuses the connection/);
  });
});
