/** What other sites show, as their readers receive it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { SITE_RATE_LIMITS } from '../../src/domain/access/request-limits.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { API_DESCRIPTION } from '../support/service/real-api-description.ts';
import { world } from '../support/worlds/contract-world.ts';

const { pagesPerMinute, filesPerPage } = SITE_RATE_LIMITS;
const WIDGET = '/widget/oras/cluj-napoca?carburant=motorina';
const FILE = '/widget/oras/cluj-napoca.json';
const ELEMENT = '/widget/pompa-pret.js';

let guarded: GuardedServices;
before(async () => {
  const snapshot = world();
  const site = createSite({
    gazetteer: loadGazetteer(),
    journeys: createJourneyPlanner(loadGazetteer()),
    publicUrl: () => 'http://pompa.example',
    simulated: false,
    snapshot: () => snapshot,
    api: () => API_DESCRIPTION,
  });
  guarded = await GuardedServices.start(1, [], () => ({ site }));
});
after(() => guarded.close());

function read(path: string, { from = newAddress(), ...more }: { from?: string; [header: string]: string } = {}) {
  const { method = 'GET', ...headers } = more;
  return guarded.service.ask(path, { method, headers: { 'X-Forwarded-For': from, ...headers } });
}

/** Reads so often without asking over HTTP; returns how many reads were accepted. */
function take(from: string, count: number, path: string): number {
  const caller = { headers: { 'x-forwarded-for': from }, peer: { remoteAddress: '127.0.0.1' } };
  return Array.from({ length: count }, () => guarded.siteLimit(0).waitMsOf(caller, path)).filter((ms) => ms === 0)
    .length;
}

describe('a widget', () => {
  test('may be framed by any site, and no other page may', async () => {
    for (const path of [WIDGET, '/widget/romania', '/widget/oras/nimic', '/widget/romania?tema=roz']) {
      const { headers } = await read(path);
      assert.equal(headers['x-frame-options'], undefined, path);
      assert.match(String(headers['content-security-policy']), /; frame-ancestors \*$/);
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
      assert.equal(headers['set-cookie'], undefined);
    }
    for (const path of ['/', '/widget', '/widget?oras=nimic', '/nimic', '/Widget/oras/cluj-napoca']) {
      const { headers } = await read(path);
      assert.equal(headers['x-frame-options'], 'DENY', path);
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
    }
  });

  test('may be kept by shared caches for five minutes, and is sent once to whoever has it', async () => {
    for (const path of [WIDGET, FILE]) {
      const { status, headers } = await read(path);
      assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=300']);
      // The first comes through the router, the next from the cache: with its query in another order, too.
      for (const target of [path, `${path}${path.includes('?') ? '&' : '?'}x=1`]) {
        const again = await read(target, { 'If-None-Match': String(headers.etag) });
        assert.deepEqual([again.status, again.text], [304, ''], target);
      }
    }
  });

  test('answers HEAD without a body, and nothing but GET and HEAD', async () => {
    for (const path of [WIDGET, FILE, ELEMENT]) {
      const head = await read(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.equal((await read(path, { method: 'POST' })).status, 405);
    }
  });

  test('counts as a page of its reader, and says in its small form that there were too many', async () => {
    const from = newAddress();
    assert.equal(take(from, pagesPerMinute + 1, '/widget/romania'), pagesPerMinute);
    for (const path of [WIDGET, '/en/widget/city/cluj-napoca']) {
      const { status, headers, text } = await read(path, { from });
      assert.equal(status, 429);
      assert.equal(headers['x-frame-options'], undefined);
      assert.ok(Number(headers['retry-after']) >= 1);
      assert.match(text, /<h1>(Prea multe pagini într-un minut|Too many pages in a minute)<\/h1>/);
    }
    assert.equal((await read('/api/v1/preturi', { from })).status, 200, 'limits of the API do not count it');
  });
});

describe('the files of widgets', () => {
  test('may be read by pages of any origin', async () => {
    for (const path of [FILE, ELEMENT, '/insigna/romania/motorina.svg?tema=inchis']) {
      const { status, headers } = await read(path, { Origin: 'https://ziar.example' });
      assert.equal(status, 200, path);
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
      assert.match(String(headers.etag), /^W\/"/);
    }
    const missing = await read('/widget/oras/nimic.json', { Origin: 'https://ziar.example' });
    assert.deepEqual([missing.status, missing.headers['access-control-allow-origin']], [404, '*']);
  });

  test('count as a tenth of a page, with a query, too', async () => {
    const path = '/insigna/cluj-napoca/benzina.svg?tema=inchis';
    await read(path);
    const from = newAddress();
    take(from, pagesPerMinute - 1, '/widget/romania');
    for (let files = 0; files < filesPerPage + 1; files += 1) assert.equal((await read(path, { from })).status, 200);
    assert.equal(take(from, 1, '/widget/romania'), 0, 'ten files have taken the last page');
  });
});
