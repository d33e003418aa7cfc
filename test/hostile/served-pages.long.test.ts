import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TURZII } from '../support/worlds/contract-world.ts';
import { runRequestAttack } from './requests/attack.ts';
import { startFullService } from './requests/full-service.ts';
import { SITE_OPERATIONS } from './requests/site-operations.ts';

const SEED = 20_261_123;
/** Beyond those that send every hostile text in every parameter, which the long form of the attack sends. */
const FROM = 1_000_000;
const REQUESTS = 1_500;
const MIN_SUCCESS_SHARE = 0.3;
const STATION = `petrom-cluj-napoca-${TURZII}`;
const KNOWN = {
  station: [STATION, 'rompetrol-iasi-2c3d4e5f6071'],
  statie_slug: [STATION],
  // A tile of the country: nearly all others lie outside it.
  ...{ z: ['10'], x: ['579'], y: ['362'] },
  recaptcha_token: Array.from({ length: REQUESTS }, (_, i) => `token-${i}`),
};

test(`the site answers ${REQUESTS} hostile requests to pages, forms, pictures and files, and logs nothing`, async (t) => {
  const logged: unknown[] = [];
  const log = { error: (...args: unknown[]) => logged.push(args), warn: (...args: unknown[]) => logged.push(args) };
  const { guarded, close } = await startFullService(log);
  t.after(close);
  const { port } = guarded.service;
  const document = (await guarded.service.ask('/openapi.json')).json;
  const target = { port, document, known: KNOWN, operations: SITE_OPERATIONS };
  const plan = { seed: SEED, from: FROM, to: FROM + REQUESTS, connections: 16 };
  const { failures, sent, statuses, worked } = await runRequestAttack(target, plan);

  assert.deepEqual(failures, []);
  assert.deepEqual(logged, []);
  assert.equal(sent, REQUESTS);
  for (const status of [200, 301, 400, 404, 405, 414, 431]) assert.ok(statuses.has(status), `no ${status}`);
  assert.ok((statuses.get(200) ?? 0) > MIN_SUCCESS_SHARE * REQUESTS, `only ${statuses.get(200)} answers with 200`);
  for (const [operation, count] of worked) assert.ok(count > 0, `no 200 answer to ${operation}`);
});
