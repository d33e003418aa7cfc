import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WebhookProblem, WebhooksView } from '../../../domain/billing/webhooks-view.ts';
import type { Webhook, WebhookDelivery } from '../../../domain/webhooks/webhook.ts';
import { webhooksPage } from './webhooks-page.ts';

const AT = Date.parse('2026-11-25T15:00:00Z');
const WEBHOOK: Webhook = {
  ...{ id: '3', url: 'https://exemplu.ro/<x>', state: 'active', stopReason: null, createdAt: AT, verifiedAt: AT },
  filter: { fuel: 'diesel', county: 'CJ', city: null, network: null, stations: ['0a1b2c3d4e5f', '1a1b2c3d4e5f'] },
  ...{
    kinds: ['price', 'withdrawn'],
    isPaused: false,
    stoppedAt: null,
    cursor: null,
    oldSecretUntil: null,
    secretFingerprint: 'f00',
  },
};
const DELIVERY: WebhookDelivery = {
  ...{ id: '3.a', event: 'changes', state: 'waiting', tries: 2, httpStatus: 503, failure: 'status' },
  ...{ createdAt: AT, triedAt: AT, nextTryAt: AT + 60_000 },
};
const EMPTY: WebhooksView = {
  ...{ page: 'webhooks', language: 'ro', formToken: 't', notice: null, webhooks: [] },
  keys: [{ id: 1, plan: 'pro', closed: null }],
  ...{ secret: null, tested: null, editing: null, asksToDelete: null, problem: null, typed: null },
};
const pageOf = (change: Partial<WebhooksView>) => webhooksPage({ ...EMPTY, ...change }).content?.text ?? '';
const withOne = (webhook: Partial<Webhook> = {}, deliveries: readonly WebhookDelivery[] = []) => ({
  webhooks: [{ key: 1, webhook: { ...WEBHOOK, ...webhook }, deliveries }],
});

describe('the page of webhooks', () => {
  test('says the state in words, and offers what can be done in it', () => {
    const actions = (state: Partial<Webhook>) =>
      [...pageOf(withOne(state)).matchAll(/name="do" value="([\w-]+)"/g)].map(([, name]) => name);
    assert.match(pageOf(withOne()), /Activ: modificările se trimit/);
    assert.deepEqual(actions({}), ['test', 'pause', 'replay-day', 'secret', 'delete', 'replay', 'create']);
    assert.match(pageOf(withOne({ state: 'paused' })), /În pauză/);
    assert.ok(actions({ state: 'paused' }).includes('resume'));
    assert.match(pageOf(withOne({ state: 'unverified' })), /Neverificat: nimic nu se trimite/);
    assert.deepEqual(actions({ state: 'unverified' }), ['test', 'secret', 'delete', 'create']);
    const stopped = { state: 'stopped', stoppedAt: AT, stopReason: 'gone' } as const;
    assert.deepEqual(actions(stopped), ['test', 'replay-day', 'secret', 'delete', 'replay', 'create']);
  });

  test('says where it is, and offers to try now only what waits after a failure', () => {
    assert.match(pageOf(withOne({ cursor: 'epoch_01.7' })), /Livrat până la cursorul <code>epoch_01\.7<\/code>/);
    const canTryNow = (delivery: Partial<WebhookDelivery>, webhook: Partial<Webhook> = {}) =>
      pageOf(withOne(webhook, [{ ...DELIVERY, ...delivery }])).includes('value="try-now"');
    assert.deepEqual(
      [canTryNow({}), canTryNow({ tries: 0 }), canTryNow({ state: 'given up' }), canTryNow({}, { state: 'paused' })],
      [true, false, false, false],
    );
  });

  test('says that a key is closed, and why, instead of that changes are sent', () => {
    for (const [closed, why] of [
      ['disputed', /contestată la bancă; cheia este închisă/],
      ['ended', /Abonamentul s-a încheiat/],
      ['unconfirmed', /nu am putut confirma plata/],
    ] as const) {
      const page = pageOf({ ...withOne(), keys: [{ id: 1, plan: 'pro', closed }] });
      assert.match(page, why);
      assert.match(page, /Cât timp cheia este închisă nu se trimite nimic/);
      assert.ok(!page.includes('Activ: modificările se trimit'));
    }
    const english = pageOf({
      ...withOne({ state: 'paused' }),
      ...{ keys: [{ id: 1, plan: 'pro', closed: 'paused' }], language: 'en' as const },
    });
    assert.match(english, /Paused: what comes now[\s\S]*While the key is closed nothing is sent/);
  });

  test('shows the form of one webhook, filled with what it has, in place of everything else that changes', () => {
    const page = pageOf({ ...withOne(), editing: '3' });
    const actions = [...page.matchAll(/name="do" value="([\w-]+)"/g)].map(([, name]) => name);
    assert.deepEqual(actions, ['edit']);
    assert.match(page, /name="url" value="https:\/\/exemplu\.ro\/&lt;x&gt;"/);
    assert.match(page, /value="motorina_standard" selected/);
    assert.match(page, /<textarea[^>]*>0a1b2c3d4e5f 1a1b2c3d4e5f<\/textarea>/);
    const checked = [...page.matchAll(/name="(kind-[\w-]+)" value="on" checked/g)].map(([, name]) => name);
    assert.deepEqual(checked, ['kind-price', 'kind-withdrawn']);
  });

  test('says why one was stopped, since when, and how to start it again', () => {
    const stopped = { state: 'stopped', stoppedAt: AT } as const;
    const gone = pageOf(withOne({ ...stopped, stopReason: 'gone' }));
    assert.match(gone, /Oprit de noi din 25 noiembrie[^:]*17:00[^:]*: adresa a răspuns 410\./);
    assert.match(gone, /trimiteți un test: dacă reușește, trimiterea continuă de unde a rămas/);
    assert.match(pageOf({ ...withOne({ ...stopped, stopReason: 'failing' }), language: 'en' }), /for 75 hours/);
  });

  test('says what is sent, and what came of it', () => {
    const page = pageOf(withOne({}, [DELIVERY, { ...DELIVERY, state: 'delivered', httpStatus: 204, failure: null }]));
    assert.match(page, /Trimite numai: Motorină[^,]*, CJ, 2 stații alese, alt preț, preț retras\./);
    assert.match(page, /2 încercări: serverul nu a răspuns 2xx \(503\); următoarea /);
    assert.match(page, /<td[^>]*>livrat \(204\)<\/td>/);
    const killed = { ...DELIVERY, event: 'ping', state: 'given up', tries: 0, nextTryAt: null } as const;
    assert.match(pageOf(withOne({}, [killed])), /întrerupt de o repornire/);
    assert.match(pageOf(withOne({ filter: { ...NO_FILTER }, kinds: ALL_KINDS })), /Trimite toate modificările/);
    assert.ok(page.includes('https://exemplu.ro/&lt;x&gt;') && !page.includes('<x>'));
  });

  test('asks before it deletes, and then offers nothing else', () => {
    const page = pageOf({ ...withOne(), asksToDelete: '3' });
    assert.match(page, /role="alert">Sigur\?/);
    assert.match(page, /value="delete-now"/);
    assert.ok(!page.includes('value="pause"'));
  });

  test('says every problem in both languages, and keeps what was typed', () => {
    const faults = ['too long', 'not an address', 'not https', 'credentials', 'port', 'fragment', 'not public', 'ip'];
    const problems: WebhookProblem[] = [
      ...faults.map((fault) => ({ kind: 'address', fault: fault as 'ip' }) as const),
      { kind: 'filter', fault: { field: 'county', choices: [] } },
      { kind: 'filter', fault: { field: 'city', choices: ['popesti-is', 'popesti-vn'] } },
      ...(['network', 'city in county', 'kinds'] as const).map(
        (field) => ({ kind: 'filter', fault: { field, choices: [] } }) as const,
      ),
      { kind: 'filter', fault: { field: 'stations', choices: ['x'] } },
      ...(
        ['too many', 'too many secrets', 'too many stations', 'no kind', 'cursor', 'cursor gone', 'no feed'] as const
      ).map((kind) => ({ kind })),
      ...(['change', 'ping', 'replay'] as const).map((action) => ({ kind: 'limited', action }) as const),
    ];
    const typed = {
      key: '1',
      url: 'http://"x"',
      fuel: 'gpl',
      county: 'Cluj',
      city: '',
      network: '',
      stations: '',
      kinds: [],
    };
    const said = problems.flatMap((problem) =>
      (['ro', 'en'] as const).map((language) => {
        const page = pageOf({ language, problem, typed });
        assert.ok(page.includes('value="http://&quot;x&quot;"') && page.includes('value="gpl" selected'));
        return /role="alert">([^<]+)</.exec(page)?.[1];
      }),
    );
    assert.equal(new Set(said).size, 2 * problems.length);
    assert.equal(webhooksPage({ ...EMPTY, problem: { kind: 'cursor' } }).status, 400);
  });

  test('names each control by its webhook, where there are several', () => {
    const webhooks = ['3', '4'].map((id) => ({ key: 1, webhook: { ...WEBHOOK, id }, deliveries: [] }));
    const names = [...pageOf({ webhooks }).matchAll(/<button[^>]* aria-label="([^"]+)"/g)].map(([, name]) => name);
    assert.ok(names.includes('Trimite un test: Webhookul 4'));
    assert.equal(new Set(names).size, names.length);
  });

  test('has no form without a key, and asks which one where there are several', () => {
    assert.match(pageOf({ keys: [] }), /aveți nevoie de o cheie/);
    assert.ok(!pageOf({ keys: [] }).includes('<form'));
    assert.match(pageOf({ keys: [1, 2].map((id) => ({ id, plan: 'pro', closed: null })) }), /<select name="key">/);
    const five = Array.from({ length: 5 }, (_, id) => ({
      key: 1,
      webhook: { ...WEBHOOK, id: `${id}` },
      deliveries: [],
    }));
    assert.match(pageOf({ webhooks: five }), /Aveți 5 webhookuri/);
  });
});

const NO_FILTER = { fuel: null, county: null, city: null, network: null, stations: null };
const ALL_KINDS: Webhook['kinds'] = ['price', 'withdrawn', 'returned', 'flag', 'station added', 'station removed'];
