/** The limit of the site: pages per client and minute, over all processes, without waiting for the database. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { SITE_RATE_LIMITS } from '../../src/domain/access/request-limits.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { API_DESCRIPTION } from '../support/service/real-api-description.ts';
import type { Reply } from '../support/service/test-service.ts';
import { DnsServer } from '../support/simulators/dns-server.ts';
import { world } from '../support/worlds/contract-world.ts';

const { pagesPerMinute, filesPerPage, crawlerPagesPerMinute } = SITE_RATE_LIMITS;
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

let dns: DnsServer;
let guarded: GuardedServices;
before(async () => {
  dns = await DnsServer.start();
  const snapshot = world();
  const site = createSite({
    gazetteer: loadGazetteer(),
    journeys: createJourneyPlanner(loadGazetteer()),
    publicUrl: () => 'http://pompa.example',
    simulated: false,
    snapshot: () => snapshot,
    api: () => API_DESCRIPTION,
    reportsOf: async () => [],
  });
  guarded = await GuardedServices.start(2, [dns.address], () => ({ site }));
});
after(async () => {
  await guarded.close();
  await dns.close();
});

type Read = { readonly path?: string; readonly process?: number; readonly agent?: string; readonly method?: string };

function read(from: string, { path = '/planuri', process = 0, agent = 'Firefox', method = 'GET' }: Read = {}) {
  const headers = { 'X-Forwarded-For': from, 'User-Agent': agent };
  return (guarded.services[process] as GuardedServices['service']).ask(path, { headers, method });
}

/** Reads a number of pages of the limit without asking for them over HTTP; returns how many were accepted. */
function take(from: string, count: number, { path = '/planuri', process = 0, agent = 'Firefox' }: Read = {}): number {
  const headers = { 'x-forwarded-for': from, 'user-agent': agent };
  const caller = { headers, peer: { remoteAddress: '127.0.0.1' } };
  const waits = Array.from({ length: count }, () => guarded.siteLimit(process).waitMsOf(caller, path));
  return waits.filter((ms) => ms === 0).length;
}

/**
 * Reads one after the other until refused, the last pages over HTTP; returns how many were accepted, and the refusal.
 */
async function readAll(from: string, what: Read = {}): Promise<{ accepted: number; refusal: Reply }> {
  for (let accepted = take(from, pagesPerMinute - 3, what); accepted < 2_000; accepted += 1) {
    const reply = await read(from, what);
    if (reply.status === 429) return { accepted, refusal: reply };
  }
  return assert.fail('never refused');
}

describe('a client that reads pages', () => {
  test('is refused beyond the limit of a minute, with a page in words and the time to wait', async () => {
    const from = newAddress();
    const { accepted, refusal } = await readAll(from);
    assert.equal(accepted, pagesPerMinute);
    const wait = Number(refusal.headers['retry-after']);
    assert.ok(wait >= 1 && wait <= 61, `Retry-After ${wait}`);
    assert.match(refusal.text, /<html lang="ro">[\s\S]*<h1>Prea multe pagini într-un minut<\/h1>/);
    assert.match(refusal.text, /noindex/);
    assert.equal(refusal.headers['cache-control'], 'no-store');
    const english = await read(from, { path: '/en/plans' });
    assert.match(english.text, /<html lang="en">[\s\S]*<h1>Too many pages in a minute<\/h1>/);
  });

  test('is refused where its network has read its share, while a client of another network reads on', async () => {
    const share = SITE_RATE_LIMITS.networkPagesPerMinute;
    const networkOf = (n: number) => `2001:db8:77:${n.toString(16)}::1`;
    let accepted = 0;
    for (let n = 0; accepted < share && n < 100; n += 1) accepted += take(networkOf(n), pagesPerMinute);
    assert.equal(accepted, share);
    // The network may read some pages more by now: as many as a fraction of a second brings.
    const { network: before } = guarded.siteLimit(0).refusals;
    const refused = pagesPerMinute - take(networkOf(200), pagesPerMinute);
    assert.ok(refused > 0);
    assert.equal(guarded.siteLimit(0).refusals.network, before + refused);
    assert.equal((await read('2001:db8:78::1')).status, 200);
  });

  test('is refused files where its network has read its share of them, and a client of another network is not', () => {
    const share = SITE_RATE_LIMITS.networkPagesPerMinute * filesPerPage;
    const files = { path: '/favicon.svg' };
    const ofClient = filesPerPage - 1;
    let accepted = 0;
    for (let n = 0; accepted < share && n < 2 * share; n += 1)
      accepted += take(`2001:db8:79:${n.toString(16)}::1`, ofClient, files);
    const refused = ofClient * 1_000 - take('2001:db8:79:fff0::1', ofClient * 1_000, files);
    assert.ok(refused > 0);
    assert.equal(take('2001:db8:7a::1', ofClient, files), ofClient);
  });

  test('has one limit for pages that are kept, new, missing, asked for with another method, and for posted forms', async () => {
    const from = newAddress();
    const form = { path: '/statie/petrom-000000000000/semnalare', method: 'POST' };
    const kinds: Read[] = [
      ...[{}, { path: '/nimic' }, { path: '/planuri?x=1' }, { method: 'HEAD' }, { method: 'POST' }],
      form,
      // Not a file, whatever its query ends with.
      { ...form, path: `${form.path}?a.js` },
    ];
    take(from, pagesPerMinute - 2 * kinds.length);
    for (let at = 0; at < 2 * kinds.length; at += 1) {
      const { status } = await read(from, kinds[at % kinds.length]);
      assert.notEqual(status, 429, `request ${at}`);
    }
    for (const kind of kinds) assert.equal((await read(from, kind)).status, 429);
  });

  test('shares it with the others of its IPv6 /64 prefix, not with other prefixes', async () => {
    await readAll('2001:db8:7:7::1');
    assert.equal((await read('2001:db8:7:7:ffff::2')).status, 429);
    assert.equal((await read('2001:db8:7:8::1')).status, 200);
  });

  test('takes nothing from another that reads at once', async () => {
    const flood = newAddress();
    take(flood, pagesPerMinute - 50);
    const flooding = Promise.all(Array.from({ length: 150 }, () => read(flood)));
    for (let at = 0; at < 10; at += 1) assert.equal((await read(newAddress())).status, 200);
    const replies = await flooding;
    assert.equal(replies.filter(({ status }) => status === 200).length, 50);
  });

  test('may read ten pictures, scripts or files for machines in place of a page', async () => {
    const from = newAddress();
    take(from, pagesPerMinute - 1);
    // The last page, and all but one of the files that would be another.
    for (let file = 1; file < 2 * filesPerPage; file += 1)
      assert.equal((await read(from, { path: '/favicon.svg' })).status, 200);
    assert.equal((await read(from, { path: '/favicon.svg' })).status, 429);
  });

  test('is not counted for the API, and the API is not for pages', async () => {
    const from = newAddress();
    await readAll(from);
    assert.equal((await read(from, { path: '/api/v1/preturi/minime' })).status, 200);
    assert.equal((await read(from, { path: '/livez' })).status, 200);
  });

  test('is refused by another process once the database has told it', async () => {
    const from = newAddress();
    await readAll(from, { process: 0 });
    await waitFor('the other process to refuse', 10_000, async () => (await read(from, { process: 1 })).status === 429);
  });
});

describe('a crawler', () => {
  test('has a limit of its own from when DNS confirms its address', async () => {
    const from = newAddress();
    dns.setPtr(from, ['crawl-9.googlebot.com']);
    dns.setA('crawl-9.googlebot.com', [from]);
    const isRead = async () => (await read(from, { agent: GOOGLE })).status === 200;
    assert.equal(await isRead(), true);
    const before = take(from, pagesPerMinute, { agent: GOOGLE });
    await waitFor('the confirmation', 10_000, isRead);
    const after = take(from, 2 * crawlerPagesPerMinute, { agent: GOOGLE });
    const accepted = 1 + before + 1 + after;
    // Those before the confirmation count for the limit of clients.
    assert.ok(accepted > crawlerPagesPerMinute && accepted <= crawlerPagesPerMinute + pagesPerMinute, String(accepted));
  });

  test('that only says so has the limit of everybody', async () => {
    const from = newAddress();
    const { accepted } = await readAll(from, { agent: GOOGLE });
    assert.equal(accepted, pagesPerMinute);
  });
});

describe('a page', () => {
  test('is the same on both request paths, and is not sent again to who has it', async () => {
    const from = newAddress();
    await read(from);
    const [fast, routed] = [await read(from), await read(from, { path: '/planuri?x' })];
    const etag = String(fast.headers.etag);
    assert.match(etag, /^W\/"[\w-]{16}"$/);
    assert.deepEqual({ ...fast.headers, date: '' }, { ...routed.headers, date: '' });
    assert.equal(fast.text, routed.text);
    for (const path of ['/planuri', '/planuri?x']) {
      const headers = { 'X-Forwarded-For': from, 'If-None-Match': `"other", ${etag}` };
      const reply = await guarded.service.ask(path, { headers });
      assert.deepEqual([reply.status, reply.raw.length, reply.headers.etag], [304, 0, etag], path);
      assert.deepEqual([reply.headers['content-length'], reply.headers['content-type']], [undefined, undefined], path);
      assert.equal(reply.headers['cache-control'], 'no-cache');
      const other = { 'X-Forwarded-For': from, 'If-None-Match': 'W/"other"' };
      assert.equal((await guarded.service.ask(path, { headers: other })).status, 200);
    }
  });
});
