import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Service } from './service.ts';
import { TURZII, world } from './world.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service.api.close());

describe('GET /openapi.json → 200', () => {
  test('may be kept for 5 minutes, its alias may not; both are the same', async () => {
    const { headers, json } = await service.ask('/openapi.json');
    const alias = await service.ask('/api/v1/openapi.json');
    assert.deepEqual([headers['cache-control'], alias.headers['cache-control']], ['public, max-age=300', 'no-store']);
    assert.deepEqual(alias.json, json);
  });

  test('says who it is and where', async () => {
    const { json } = await service.ask('/openapi.json');
    assert.match(json.openapi, /^3\.1\./);
    assert.equal(json.info.version, '1.0.0');
    assert.deepEqual(json.servers, [{ url: `http://127.0.0.1:${service.port}` }]);
    assert.equal(json.components.securitySchemes.ApiKey.name, 'X-Api-Key');
  });

  test('describes every parameter, and `zeros` as a free string', async () => {
    const { paths } = (await service.ask('/openapi.json')).json;
    const names = (of: string) => paths[of].get.parameters.map(({ name }: { name: string }) => name);
    assert.deepEqual(names('/api/v1/statii'), ['brand', 'tip', 'lat', 'lon', 'lng', 'raza']);
    assert.deepEqual(names('/api/v1/preturi'), ['judet', 'zeros']);
    assert.deepEqual(paths['/api/v1/preturi'].get.parameters[1].schema, { type: 'string' });
    for (const operation of Object.values<{ get: { operationId: string } }>(paths))
      assert.ok(operation.get.operationId);
  });

  test('every operation names every status that it may answer with', async () => {
    const { paths } = (await service.ask('/openapi.json')).json;
    const statuses = (of: string) => Object.keys(paths[of].get.responses).join(' ');
    assert.equal(statuses('/api/v1/preturi'), '200 400 401 404 408 414 431 500');
    assert.equal(statuses('/api/v1/preturi/minime'), '200 400 408 414 431 500');
    assert.equal(statuses('/api/v1/health'), '200 400 408 414 431 500 503');
  });
});

describe('two independent linters', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'openapi-'));
    file = path.join(folder, 'openapi.json');
    await writeFile(file, (await service.ask('/openapi.json')).text);
  });
  after(() => rm(folder, { recursive: true }));

  test('@seriousme/openapi-schema-validator finds nothing', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(await readFile(file, 'utf8')));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
  });

  test('redocly finds no error', async () => {
    // With both of these it makes no network call; seen with `net.Socket.connect` watched.
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const { stderr } = await run(process.execPath, [cli, 'lint', file, '--max-problems', '100'], { cwd: folder, env });
    assert.match(stderr, /Your API description is valid/);
    assert.doesNotMatch(stderr, /\d+ errors?/);
  });
});

/** The requests whose answers the document shows. `npm test` with RECORD_EXAMPLES=1 records them anew. */
const SHOWN: readonly [operation: string, target: string][] = [
  ['getPrices', '/api/v1/preturi?judet=CJ'],
  ['getPrices', '/api/v1/preturi?judet=Atlantida'],
  ['getNationalPrices', '/api/v1/preturi/minime'],
  ['getCountyPrices', '/api/v1/judete/Cluj'],
  ['getCountyPrices', '/api/v1/judete/Atlantida'],
  ['getNetworks', '/api/v1/retele'],
  ['getStations', '/api/v1/statii?lat=47.18&lon=27.55&raza=5'],
  ['getStationHistory', `/api/v1/statie/${TURZII}/istoric`],
  ['getStationHistory', '/api/v1/statie/ffffffffffff/istoric'],
  ['searchPlaces', '/api/v1/geocode?q=cluj'],
  ['getHealth', '/api/v1/health'],
];

describe('the examples of the document', () => {
  test('are what the service answers', async (t) => {
    const degraded = await Service.during(t, { snapshot: world({ sources: [] }) });
    const seen: Record<string, Record<string, unknown>> = {};
    for (const [operation, target] of SHOWN) {
      const { status, json } = await service.ask(target);
      seen[operation] = { ...seen[operation], [status]: json };
    }
    seen.getHealth = { ...seen.getHealth, 503: (await degraded.ask('/api/v1/health')).json };
    const file = path.join(root, 'src/api/examples.json');
    if (process.env.RECORD_EXAMPLES) await writeFile(file, `${JSON.stringify(seen, null, 2)}\n`);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), seen);
  });
});
