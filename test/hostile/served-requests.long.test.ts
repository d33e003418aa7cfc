import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TURZII } from '../support/worlds/contract-world.ts';
import { plainAnswers, runRequestAttack } from './requests/attack.ts';
import { startFullService } from './requests/full-service.ts';
import { visitorValues } from './requests/visitor-values.ts';

const SEED = 20_261_121;
const REQUESTS = 6_000;
const KEYS = 20;
/** Shows that the weekly cap does not refuse nearly all requests. */
const MIN_SUCCESS_SHARE = 0.3;
const STATION = `petrom-cluj-napoca-${TURZII}`;
const VISITORS = visitorValues([STATION, 'rompetrol-iasi-2c3d4e5f6071']);
const KNOWN = {
  station_id: [TURZII, '2c3d4e5f6071', 'ffffffffffff'],
  judet: ['Cluj', 'MS', 'iași'],
  lat: ['46.75', '47.1742'],
  lon: ['23.59', '27.5412'],
  raza: ['50', '0.1', '12.5'],
  start: ['Cluj-Napoca', 'Turda'],
  end: ['Târgu Mureș', 'turda'],
  url: ['https://exemplu.ro/pompa'],
  id: ['1'],
  dupa: ['acum'],
};
/** Rows that accepted hostile requests create, with text of every kind among them. */
const STORED_ROWS = {
  'reviews with a name': 'select count(*)::int as stored from reviews where nickname is not null',
  'reviews with a comment': 'select count(*)::int as stored from reviews where comment is not null',
  subscriptions: 'select count(*)::int as stored from push_subscriptions',
  'German answers': 'select count(*)::int as stored from german_answers',
};
const MIN_STORED_ROWS = 10;

test(`the service answers ${REQUESTS} hostile requests to every endpoint according to the contract, logs nothing, and answers as before afterwards`, async (t) => {
  const logged: unknown[] = [];
  const log = { error: (...args: unknown[]) => logged.push(args), warn: (...args: unknown[]) => logged.push(args) };
  const { guarded, close } = await startFullService(log);
  t.after(close);
  const { service, database } = guarded;
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await guarded.key()).key);
  const { port } = service;
  const target = { port, document: (await service.ask('/openapi.json')).json, known: KNOWN };
  const plain = await plainAnswers(target);
  for (const answer of plain) assert.doesNotMatch(answer, /^HTTP\/1.1 5/);

  const known = { ...KNOWN, ...VISITORS, 'X-Api-Key': keys };
  const plan = { seed: SEED, from: 0, to: REQUESTS, connections: 16 };
  const { failures, sent, statuses, worked } = await runRequestAttack({ ...target, known }, plan);

  assert.deepEqual(failures, []);
  assert.deepEqual(logged, []);
  assert.equal(sent, REQUESTS);
  for (const status of [200, 204, 400, 401, 403, 404, 405, 414, 429, 431])
    assert.ok(statuses.has(status), `no ${status}`);
  assert.ok((statuses.get(200) ?? 0) > MIN_SUCCESS_SHARE * REQUESTS, `only ${statuses.get(200)} answers with 200`);
  // Only the answer to its making tells the number of a webhook.
  const guessable = [...worked].filter(([operation]) => !operation.includes('/webhookuri/'));
  for (const [operation, count] of guessable) assert.ok(count > 0, `no 200 answer to ${operation}`);
  for (const [what, query] of Object.entries(STORED_ROWS)) {
    const { stored } = (await database.pool.query(query)).rows[0];
    assert.ok(stored >= MIN_STORED_ROWS, `${stored} ${what}`);
  }
  await database.pool.query(`update reviews set state = 'approved' where state = 'pending'`);
  const { json: read } = await service.ask(`/api/v1/reviews/${STATION}`);
  assert.ok(read.review_count > MIN_STORED_ROWS && read.reviews.length === 20);
  assert.deepEqual(await plainAnswers(target), plain);
});
