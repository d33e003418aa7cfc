import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWebhookLimits } from '../../src/api/webhooks/webhook-limits.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { FakeWebhooks } from '../support/service/fake-webhooks.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { type Reply, TestService } from '../support/service/test-service.ts';
import { TURZII } from '../support/worlds/contract-world.ts';

const PATH = '/api/v1/cheie/webhookuri';
const URL = 'https://exemplu.ro/pompa';
/** Another key whose requests the same service answers. */
const OTHER_KEY = { ...SOME_KEY, id: 2 };

const feed = new ToldFeed();
feed.tell([{}, {}]);

let webhooks: FakeWebhooks;
let service: TestService;
let now = 0;
before(async () => {
  webhooks = new FakeWebhooks();
  service = await TestService.start({
    accessControl: (request) =>
      allowAll(request.caller.headers['x-api-key'] === 'other' ? OTHER_KEY : SOME_KEY)(request),
    changes: feed.log,
    webhooks: { service: webhooks, limits: createWebhookLimits(() => now), allowedOrigins: ['http://127.0.0.1:9000'] },
  });
});
after(() => service.api.close());

function send(method: string, target: string, body?: object | string, key = 'own'): Promise<Reply> {
  // Limits have tests of their own.
  now += 3_600_000;
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  return service.ask(`${PATH}${target}`, {
    method,
    headers: { 'X-Api-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(text !== undefined && { body: text }),
  });
}

/** A new webhook of the key. */
async function made(body: object = { url: URL }): Promise<string> {
  for (const { id } of (await send('GET', '')).json.webhookuri) await send('DELETE', `/${id}`);
  return (await send('POST', '', body)).json.webhook.id;
}

describe('POST /api/v1/cheie/webhookuri → 201', () => {
  test('the webhook, not verified yet, with everything unfiltered, and its secret', async () => {
    const { status, json } = await send('POST', '', { url: URL });
    assert.equal(status, 201);
    const { id, creat_la, ...webhook } = json.webhook;
    assert.match(id, /^\d+$/);
    assert.match(creat_la, /^2026-11-20T/);
    assert.deepEqual(webhook, {
      url: URL,
      filtru: { tip: null, judet: null, oras: null, brand: null, statii: null },
      fel: ['pret', 'retras', 'revenit', 'steag', 'statie_noua', 'statie_disparuta'],
      ...{ stare: 'neverificat', pauza: false, motiv_oprire: null, verificat_la: null, oprit_la: null },
      ...{ cursor: null, secret_vechi_pana_la: null },
    });
    assert.match(json.secret, /^whsec_/);
  });

  test('a filter by names, which the answer has as codes and slugs; kinds in the order of the contract', async () => {
    const filtru = {
      tip: 'motorina_standard',
      judet: 'cluj',
      oras: 'Cluj-Napoca',
      brand: 'PETROM',
      statii: [TURZII, TURZII],
    };
    await made();
    const { json } = await send('POST', '', { url: `${URL}?a=1`, filtru, fel: ['revenit', 'pret', 'pret'] });
    assert.deepEqual(json.webhook.filtru, {
      ...{ tip: 'motorina_standard', judet: 'CJ', oras: 'cluj-napoca', brand: 'petrom', statii: [TURZII] },
    });
    assert.deepEqual([json.webhook.fel, json.webhook.url], [['pret', 'revenit'], `${URL}?a=1`]);
  });

  test('an origin that the operator allows, although it is private and without TLS', async () => {
    await made();
    assert.equal((await send('POST', '', { url: 'http://127.0.0.1:9000/x' })).status, 201);
  });
});

describe('POST /api/v1/cheie/webhookuri → 400, with what would be right', () => {
  const wrong: readonly [what: string, body: object | string, message: RegExp][] = [
    ['no url', {}, /Lipsește câmpul „url”; se așteaptă un text/],
    ['a url that is no text', { url: 7 }, /„url” are altă formă; se așteaptă un text/],
    ['no address', { url: 'exemplu.ro/pompa' }, /se așteaptă o adresă completă, de exemplu https/],
    ['http', { url: 'http://exemplu.ro' }, /începe cu https/],
    ['another scheme', { url: 'ftp://exemplu.ro/' }, /începe cu https/],
    ['credentials', { url: 'https://ion:parola@exemplu.ro/' }, /fără nume de utilizator și parolă/],
    ['a port', { url: 'https://exemplu.ro:8443/' }, /numai la portul 443/],
    ['a fragment', { url: 'https://exemplu.ro/#a' }, /fără „#”/],
    ['an IP address', { url: 'https://192.168.1.4/' }, /nume de domeniu, nu cu o adresă IP/],
    ['one written as a number', { url: 'https://2130706433/' }, /nu cu o adresă IP/],
    ['IPv6', { url: 'https://[::1]/' }, /nu cu o adresă IP/],
    ['this machine', { url: 'https://localhost/' }, /rețele private nu sunt permise/],
    ['a name of a private network', { url: 'https://nas.local/' }, /rețele private/],
    ['a name without a dot', { url: 'https://intranet/' }, /rețele private/],
    ['too long a url', { url: `${URL}?${'a'.repeat(500)}` }, /cel mult 500 de caractere/],
    [
      'a filter that is a list',
      { url: URL, filtru: [] },
      /„filtru”.*un obiect cu câmpuri dintre tip, judet, oras, brand, statii/,
    ],
    ['a misspelt filter', { url: URL, filtru: { orase: 'Cluj' } }, /tip, judet.*; „orase” nu este printre ele/],
    ['a long name', { url: URL, filtru: { oras: 'x'.repeat(101) } }, /„oras”: un text de cel mult 100 de caractere/],
    ['an unknown fuel', { url: URL, filtru: { tip: 'kerosen' } }, /„tip”: una dintre valorile benzina_standard, /],
    ['an unknown county', { url: URL, filtru: { judet: 'Atlantida' } }, /„filtru.judet”.*codul auto, de exemplu CJ/],
    ['an unknown city', { url: URL, filtru: { oras: 'Atlantida' } }, /„filtru.oras”.*un oraș cunoscut/],
    ['an unknown network', { url: URL, filtru: { brand: 'Nimeni' } }, /„filtru.brand”.*o rețea cunoscută/],
    ['a wrong station', { url: URL, filtru: { statii: ['x'] } }, /„statii”: o listă de cel mult 100 de valori/],
    ['101 stations', { url: URL, filtru: { statii: Array(101).fill(TURZII) } }, /cel mult 100/],
    [
      'an unknown station',
      { url: URL, filtru: { statii: ['ffffffffffff'] } },
      /„filtru.statii”.*„ffffffffffff” nu este/,
    ],
    [
      'a city of another county',
      { url: URL, filtru: { judet: 'IS', oras: 'Cluj-Napoca' } },
      /„filtru.oras”.*un oraș din județul de la „filtru.judet”/,
    ],
    [
      'a fuel with kinds that have none',
      { url: URL, filtru: { tip: 'gpl' }, fel: ['statie_noua', 'statie_disparuta'] },
      /„fel”.*„filtru.tip” lasă deoparte/,
    ],
    [
      'a misspelt field, without which everything would be sent',
      { url: URL, filtre: { judet: 'CJ' } },
      /„filtre” nu este cunoscut; câmpurile sunt: url, filtru, fel\./,
    ],
    ['no kind', { url: URL, fel: [] }, /„fel”.*o listă cu cel puțin una dintre valorile pret, retras/],
    ['an unknown kind', { url: URL, fel: ['pret', 'x'] }, /valorile pret, retras/],
    ['no JSON', '{', /nu este JSON valid/],
    ['no object', '[]', /un obiect JSON/],
  ];
  for (const [what, body, message] of wrong)
    test(what, async () => {
      const { status, json } = await send('POST', '', body);
      assert.deepEqual([status, json.status], [400, 'error']);
      assert.match(json.message, message);
    });

  test('and makes none', async () => {
    await made();
    for (const [, body] of wrong) await send('POST', '', body);
    assert.equal((await send('GET', '')).json.total, 1);
  });
});

describe('POST /api/v1/cheie/webhookuri, other refusals', () => {
  test('409 for a sixth, which the message explains', async () => {
    await made();
    for (let count = 2; count <= 5; count += 1) assert.equal((await send('POST', '', { url: URL })).status, 201);
    const { status, json } = await send('POST', '', { url: URL });
    assert.equal(status, 409);
    assert.match(json.message, /deja 5 webhookuri/);
  });

  test('415 without JSON’s type, 413 above 16 KiB', async () => {
    const text = await service.ask(PATH, { method: 'POST', headers: { 'X-Api-Key': 'own' }, body: '{}' });
    assert.equal(text.status, 415);
    assert.equal((await send('POST', '', { url: URL, fel: 'x'.repeat(17_000) })).status, 413);
  });

  test('401 without a key, at every address', async (t) => {
    const closed = await TestService.during(t);
    for (const target of ['', '/1', '/1/livrari']) assert.equal((await closed.ask(PATH + target)).status, 401);
    for (const target of ['', '/1/test', '/1/reia', '/1/secret'])
      assert.equal((await closed.ask(PATH + target, { method: 'POST' })).status, 401);
    for (const method of ['PATCH', 'DELETE']) assert.equal((await closed.ask(`${PATH}/1`, { method })).status, 401);
  });

  test('503 while the database is away, with Retry-After, in both languages', async (t) => {
    const without = await TestService.during(t, { accessControl: allowAll(SOME_KEY) });
    const { status, headers, json } = await without.ask(PATH);
    assert.deepEqual([status, headers['retry-after'], json.retry_after_seconds], [503, '30', 30]);
    assert.match(json.message_en, /Webhooks are not available/);
  });
});

describe('GET /api/v1/cheie/webhookuri → 200', () => {
  test('the webhooks of the key, oldest first, without secrets; those of another key are unknown to it', async () => {
    const first = await made();
    const second = (await send('POST', '', { url: `${URL}/2` })).json.webhook.id;
    const { json, text } = await send('GET', '');
    assert.deepEqual([json.total, json.webhookuri.map(({ id }: { id: string }) => id)], [2, [first, second]]);
    assert.ok(!text.includes('whsec_'));
    assert.deepEqual((await send('GET', `/${first}`)).json.webhook, json.webhookuri[0]);
    const { json: foreign } = await send('GET', '', undefined, 'other');
    assert.deepEqual([foreign.total, foreign.webhookuri], [0, []]);
  });

  test('404 for an id that the key does not have, whatever is asked of it', async () => {
    const id = await made();
    const asked: readonly [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { pauza: true }],
      ['DELETE', ''],
      ['POST', '/test'],
      ['GET', '/livrari'],
      ['POST', '/reia', { dupa: 'acum' }],
      ['POST', '/secret'],
    ];
    for (const [method, below, body] of asked) {
      const { status, json } = await send(method, `/${id}${below}`, body, 'other');
      assert.equal(status, 404, method + below);
      assert.match(json.message, /nu are un webhook cu acest „id”/);
      assert.equal((await send(method, `/nimic${below}`, body)).status, 404);
    }
    assert.equal((await send('GET', `/${id}`)).status, 200);
  });
});

describe('GET /api/v1/cheie?campuri=extins → 200', () => {
  test('has the webhooks of the key, with why one was stopped; without the parameter the answer is as it was', async (t) => {
    const days = Array.from({ length: 30 }, () => ({ day: '2026-11-20', count: 0 }));
    const keyReport = async () => ({ month: 0, total: 0, lastUsed: null, days });
    const parts = { accessControl: allowAll(SOME_KEY), keyReport, changes: feed.log };
    const limits = createWebhookLimits();
    const own = await TestService.during(t, { ...parts, webhooks: { service: webhooks, limits, allowedOrigins: [] } });
    const id = await made();
    webhooks.stop(SOME_KEY.id, id, 'gone');
    const ask = (target: string, of: TestService) => of.ask(target, { headers: { 'X-Api-Key': 'own' } });
    const { json } = await ask('/api/v1/cheie?campuri=extins', own);
    const [webhook] = json.webhookuri;
    assert.deepEqual([webhook.id, webhook.stare, webhook.motiv_oprire], [id, 'oprit', 'refuzat']);
    const plain = (await ask('/api/v1/cheie', own)).json;
    assert.ok(!('webhookuri' in plain));
    assert.deepEqual({ ...plain, webhookuri: json.webhookuri }, json);
    assert.equal((await ask('/api/v1/cheie?campuri=x', own)).status, 400);
    const without = await TestService.during(t, parts);
    assert.deepEqual(
      [(await ask('/api/v1/cheie', without)).status, (await ask('/api/v1/cheie?campuri=extins', without)).status],
      [200, 503],
    );
  });
});

describe('PATCH /api/v1/cheie/webhookuri/{id} → 200', () => {
  test('changes what is sent and leaves the rest', async () => {
    const id = await made({ url: URL, filtru: { tip: 'gpl', judet: 'CJ' }, fel: ['pret'] });
    const { json } = await send('PATCH', `/${id}`, { fel: ['retras', 'revenit'] });
    assert.deepEqual(
      [json.webhook.fel, json.webhook.filtru.tip, json.webhook.url],
      [['retras', 'revenit'], 'gpl', URL],
    );
  });

  test('replaces a filter as a whole; an empty one and null leave nothing out', async () => {
    const id = await made({ url: URL, filtru: { tip: 'gpl', judet: 'CJ' } });
    const changed = (await send('PATCH', `/${id}`, { filtru: { brand: 'petrom' } })).json.webhook.filtru;
    assert.deepEqual(changed, { tip: null, judet: null, oras: null, brand: 'petrom', statii: null });
    for (const filtru of [{}, null, { statii: [] }, { tip: '', judet: ' ' }]) {
      await send('PATCH', `/${id}`, { filtru: { tip: 'gpl' } });
      const { json } = await send('PATCH', `/${id}`, { filtru });
      assert.deepEqual(Object.values(json.webhook.filtru), [null, null, null, null, null]);
    }
  });

  test('pauses and resumes', async () => {
    const id = await made();
    await send('POST', `/${id}/test`);
    assert.equal((await send('PATCH', `/${id}`, { pauza: true })).json.webhook.stare, 'pauza');
    assert.equal((await send('PATCH', `/${id}`, { pauza: false })).json.webhook.stare, 'activ');
  });

  test('says of one that is paused before its address is verified that it will be', async () => {
    const id = await made();
    const shown = ({ stare, pauza }: Record<string, unknown>) => [stare, pauza];
    const { json } = await send('PATCH', `/${id}`, { pauza: true });
    assert.deepEqual(shown(json.webhook), ['neverificat', true]);
    await send('POST', `/${id}/test`);
    assert.deepEqual(shown((await send('GET', `/${id}`)).json.webhook), ['pauza', true]);
    assert.deepEqual(shown((await send('PATCH', `/${id}`, { pauza: false })).json.webhook), ['activ', false]);
  });

  test('a new address has to be verified again', async () => {
    const id = await made();
    await send('POST', `/${id}/test`);
    const { json } = await send('PATCH', `/${id}`, { url: `${URL}/nou` });
    assert.deepEqual([json.webhook.stare, json.webhook.verificat_la], ['neverificat', null]);
  });

  test('400 for kinds that the filter leaves out, whichever of the two is sent, and for a field that is none', async () => {
    const id = await made({ url: URL, filtru: { tip: 'gpl' } });
    const refused = await send('PATCH', `/${id}`, { fel: ['statie_noua'] });
    assert.deepEqual([refused.status, /„fel”.*lasă deoparte/.test(refused.json.message)], [400, true]);
    const both = await send('PATCH', `/${id}`, { fel: ['statie_noua'], filtru: {} });
    assert.equal(both.status, 200);
    assert.equal((await send('PATCH', `/${id}`, { filtru: { tip: 'gpl' } })).status, 400);
    assert.match((await send('PATCH', `/${id}`, { pause: true })).json.message, /„pause” nu este cunoscut/);
    assert.match((await send('POST', `/${id}/reia`, { dupa: 'acum', x: 1 })).json.message, /câmpurile sunt: dupa\./);
  });

  test('400 for nothing to change, a wrong type, an address that nothing may be sent to', async () => {
    const id = await made();
    assert.match(
      (await send('PATCH', `/${id}`, {})).json.message,
      /cel puțin unul dintre câmpurile url, filtru, fel, pauza/,
    );
    assert.match((await send('PATCH', `/${id}`, { pauza: 'da' })).json.message, /„pauza”.*true sau false/);
    assert.match((await send('PATCH', `/${id}`, { url: 'https://10.0.0.1/' })).json.message, /adresă IP/);
  });
});

describe('DELETE /api/v1/cheie/webhookuri/{id} → 200', () => {
  test('and it is gone', async () => {
    const id = await made();
    const { status, json } = await send('DELETE', `/${id}`);
    assert.deepEqual([status, json], [200, { status: 'ok' }]);
    assert.equal((await send('GET', `/${id}`)).status, 404);
  });
});

describe('POST …/{id}/test → 200', () => {
  test('a success verifies the address', async () => {
    const id = await made();
    const { status, json } = await send('POST', `/${id}/test`);
    assert.deepEqual([status, json.reusit, json.webhook.stare], [200, true, 'activ']);
    const { livrare } = json;
    assert.deepEqual([livrare.fel, livrare.stare, livrare.raspuns, livrare.esec], ['ping', 'livrata', 204, null]);
    assert.ok(json.webhook.verificat_la !== null);
  });

  test('a failure says why, in a word of the contract, and leaves the webhook as it was', async () => {
    const id = await made();
    const words = {
      ...{ 'unknown host': 'adresa_negasita', 'private address': 'adresa_negasita', connection: 'conexiune' },
      ...{ certificate: 'certificat', timeout: 'timp_depasit', redirect: 'redirectionare', status: 'raspuns' },
    };
    for (const [failure, word] of Object.entries(words)) {
      webhooks.pingOutcome = { failure: failure as 'status' };
      const { json } = await send('POST', `/${id}/test`);
      assert.deepEqual([json.reusit, json.livrare.esec, json.webhook.stare], [false, word, 'neverificat']);
    }
    webhooks.pingOutcome = { state: 'delivered', httpStatus: 204 };
  });

  test('a success starts one that we stopped; until then the webhook says why', async () => {
    const id = await made();
    for (const [reason, word] of [
      ['gone', 'refuzat'],
      ['failing', 'esecuri'],
    ] as const) {
      webhooks.stop(SOME_KEY.id, id, reason);
      const { webhook } = (await send('GET', `/${id}`)).json;
      assert.deepEqual([webhook.stare, webhook.motiv_oprire, webhook.oprit_la !== null], ['oprit', word, true]);
      assert.equal((await send('POST', `/${id}/test`)).json.webhook.stare, 'activ');
    }
  });
});

describe('GET …/{id}/livrari → 200', () => {
  test('newest first', async () => {
    const id = await made();
    await send('POST', `/${id}/test`);
    webhooks.pingOutcome = {
      state: 'waiting',
      tries: 3,
      failure: 'status',
      httpStatus: 500,
      nextTryAt: 1_795_000_000_000,
    };
    await send('POST', `/${id}/test`);
    webhooks.pingOutcome = { state: 'delivered', httpStatus: 204 };
    const { json } = await send('GET', `/${id}/livrari`);
    const [newest, oldest] = json.livrari;
    assert.deepEqual(
      [newest.stare, newest.incercari, newest.raspuns, newest.esec, newest.urmatoarea_la],
      ['in_asteptare', 3, 500, 'raspuns', '2026-11-18T11:06:40+00:00'],
    );
    assert.deepEqual([oldest.stare, oldest.urmatoarea_la, json.livrari.length], ['livrata', null, 2]);
  });
});

describe('POST …/{id}/reia', () => {
  test('200 from a cursor of the feed, or from now on', async () => {
    const id = await made();
    const { json } = await send('POST', `/${id}/reia`, { dupa: `${EPOCH}.1` });
    assert.equal(json.webhook.cursor, `${EPOCH}.1`);
    await send('POST', `/${id}/reia`, { dupa: 'acum' });
    assert.deepEqual(
      webhooks.replays.slice(-2).map(({ seq }) => seq),
      [1, 2],
    );
  });

  test('410 for a cursor of another epoch, with where the feed begins', async () => {
    const id = await made();
    const { status, json } = await send('POST', `/${id}/reia`, { dupa: 'epoch_00.1' });
    assert.deepEqual([status, json.reia_de_la], [410, `${EPOCH}.0`]);
  });

  test('400 for what is no cursor, and without one', async () => {
    const id = await made();
    for (const body of [{}, { dupa: '' }, { dupa: 7 }, { dupa: 'ieri' }]) {
      const { status, json } = await send('POST', `/${id}/reia`, body);
      assert.equal(status, 400);
      assert.match(json.message, /„dupa”.*se așteaptă un cursor/);
    }
  });
});

describe('POST …/{id}/secret → 200', () => {
  test('another secret, once; the earlier one signs for 24 hours more', async () => {
    const id = await made();
    const { json } = await send('POST', `/${id}/secret`);
    assert.equal(json.secret, `whsec_${id}b`);
    assert.equal(json.webhook.secret_vechi_pana_la, '2026-11-21T08:00:00+00:00');
  });
});

describe('POST …/{id}/secret → 409', () => {
  test('while as many earlier secrets sign as may', async () => {
    const id = await made();
    webhooks.hasManySecrets = true;
    const { status, json } = await send('POST', `/${id}/secret`);
    webhooks.hasManySecrets = false;
    assert.equal(status, 409);
    assert.match(json.message, /4 secrete dinainte ale acestui webhook semnează încă/);
  });
});

describe('any method', () => {
  test('405 with those that the path has; OPTIONS lists them, and no page of another origin may send any', async () => {
    for (const [target, methods] of [
      ['', 'GET, HEAD, POST, OPTIONS'],
      ['/1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      ['/1/test', 'POST, OPTIONS'],
      ['/1/livrari', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const refused = await service.ask(PATH + target, { method: 'PUT' });
      assert.deepEqual([refused.status, refused.headers.allow], [405, methods], target);
      const { status, headers } = await service.ask(PATH + target, { method: 'OPTIONS' });
      assert.deepEqual([status, headers.allow], [204, methods]);
      assert.equal(headers['access-control-allow-methods'], undefined);
    }
  });

  test('an empty id is no path, and one of 501 characters is 414', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) assert.equal((await send(method, '/')).status, 404);
    assert.equal((await send('POST', '//test')).status, 404);
    assert.equal((await send('DELETE', `/${'a'.repeat(501)}`)).status, 414);
  });
});

describe('→ 429', () => {
  test('after 10 tests, 5 replays and 60 changes within an hour, by key, with how long to wait', async (t) => {
    const parts = { limits: createWebhookLimits(() => 0), allowedOrigins: [] };
    const busy = await TestService.during(t, {
      accessControl: (request) =>
        allowAll(request.caller.headers['x-api-key'] === 'other' ? OTHER_KEY : SOME_KEY)(request),
      changes: feed.log,
      webhooks: { service: webhooks, ...parts },
    });
    const ask = (method: string, target: string, body?: object, key = 'own') =>
      busy.ask(PATH + target, {
        method,
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      });
    const limits = [
      ['/x/test', 'POST', undefined, 10, 360],
      ['/x/reia', 'POST', { dupa: 'acum' }, 5, 720],
      ['/x', 'DELETE', undefined, 60, 60],
    ] as const;
    for (const [target, method, body, most, wait] of limits) {
      for (let count = 0; count < most; count += 1) assert.equal((await ask(method, target, body)).status, 404, target);
      const { status, headers, json } = await ask(method, target, body);
      assert.deepEqual([status, headers['retry-after'], json.retry_after_seconds], [429, String(wait), wait]);
      assert.match(json.message, new RegExp(`cel mult ${most} pe oră`));
      assert.equal((await ask(method, target, body, 'other')).status, 404);
    }
    assert.equal((await ask('PATCH', '/x', { pauza: true })).status, 429);
    assert.equal((await ask('POST', '', { url: URL })).status, 429);
    assert.equal((await ask('POST', '/x/secret')).status, 429);
    assert.equal((await busy.ask(PATH, { headers: { 'X-Api-Key': 'own' } })).status, 200);
  });
});
