/** Pictures of link previews as a client receives them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

const PICTURE = Buffer.from('a picture');
let service: TestService;
let path: string;
let drawn = 0;
before(async () => {
  const snapshot = world();
  service = await TestService.start({
    site: createSite({
      gazetteer: loadGazetteer(),
      journeys: createJourneyPlanner(loadGazetteer()),
      publicUrl: () => 'http://pompa.example',
      simulated: false,
      snapshot: () => snapshot,
      api: () => service.api.description,
      rasterize: async () => {
        drawn += 1;
        return PICTURE;
      },
    }),
  });
  const { text } = await service.ask('/preturi-carburanti/cluj-napoca');
  path = /property="og:image" content="http:\/\/pompa\.example([^"]+)"/.exec(text)?.[1] ?? '';
});
after(() => service.api.close());

describe('the picture of a link preview', () => {
  test('may be kept for ever, has an entity tag, and may be shown by other sites', async () => {
    const { status, headers, text } = await service.ask(path);
    assert.equal(status, 200);
    assert.equal(text, 'a picture');
    assert.equal(headers['content-type'], 'image/png');
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['content-security-policy'], "default-src 'none'");
    assert.match(String(headers.etag), /^W\/"/);
    const again = await service.ask(path, { headers: { 'If-None-Match': String(headers.etag) } });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal(drawn, 1);
  });

  test('answers HEAD without a body, and nothing but GET and HEAD', async () => {
    const head = await service.ask(path, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    assert.equal(head.headers['content-length'], String(PICTURE.length));
    assert.equal((await service.ask(path, { method: 'POST' })).status, 405);
  });

  test('does not exist for what is unknown', async () => {
    const { status } = await service.ask('/og/000000000000/preturi-carburanti/nicaieri.png');
    assert.equal(status, 404);
    assert.equal(drawn, 1);
  });
});
