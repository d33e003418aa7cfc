import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSite } from '../../src/site/site.ts';
import { Guarded } from '../contract/gates.ts';
import { TURZII, world } from '../contract/world.ts';
import { attack, plainAnswers } from '../hostile/attack.ts';
import { TOLD_PUSH } from '../no-push.ts';

const SEED = 20_261_121;
const REQUESTS = 3_000;
const KEYS = 20;
/** Without fresh addresses nearly all would end at the weekly cap. */
const LEAST_GOOD = 0.3;
const KNOWN = {
  station_id: [TURZII, '2c3d4e5f6071', 'ffffffffffff'],
  judet: ['Cluj', 'MS', 'iași'],
  lat: ['46.75', '47.1742'],
  lon: ['23.59', '27.5412'],
  raza: ['50', '0.1', '12.5'],
  start: ['Cluj-Napoca', 'Turda'],
  end: ['Târgu Mureș', 'turda'],
};

test(`${REQUESTS} hostile requests get the answers of the contract, break nothing and leave nothing behind`, async (t) => {
  const logged: unknown[] = [];
  const log = { error: (...words: unknown[]) => logged.push(words), warn: (...words: unknown[]) => logged.push(words) };
  const snapshot = world();
  let port = 0;
  const site = createSite({ publicUrl: () => `http://127.0.0.1:${port}`, simulated: false, snapshot: () => snapshot });
  const guarded = await Guarded.start(1, null, { snapshot, site, log, push: TOLD_PUSH });
  t.after(() => guarded.close());
  const { service } = guarded;
  ({ port } = service);
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await guarded.key()).key);
  const known = { ...KNOWN, 'X-Api-Key': keys };
  const target = { port, document: (await service.ask('/openapi.json')).json, known };
  const plain = await plainAnswers(target);

  const { failures, sent, statuses } = await attack(target, { seed: SEED, from: 0, to: REQUESTS, connections: 16 });

  assert.deepEqual(failures, []);
  assert.deepEqual(logged, []);
  assert.equal(sent, REQUESTS);
  for (const status of [200, 204, 400, 401, 404, 405, 414, 429, 431]) assert.ok(statuses.has(status), `no ${status}`);
  assert.ok((statuses.get(200) ?? 0) > LEAST_GOOD * REQUESTS, `only ${statuses.get(200)} answers of 200`);
  assert.deepEqual(await plainAnswers(target), plain);
});
