/** The page on which the holder of an account makes, tests and changes webhooks. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { webhookRoutes } from '../../src/api/billing/account-webhooks.ts';
import { accountRoutes } from '../../src/api/billing/customer-account.ts';
import { loginRoutes } from '../../src/api/billing/log-in.ts';
import type { AccountWebhooks } from '../../src/api/billing/webhook-actions.ts';
import { ChangeFeed } from '../../src/api/changes/change-feed.ts';
import { createWebhookLimits } from '../../src/api/webhooks/webhook-limits.ts';
import { kindField } from '../../src/domain/billing/webhooks-view.ts';
import { CHANGE_KINDS } from '../../src/domain/changes/served-change.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { aFetch, aSubscribedKey } from '../support/builders/billing-fixture.ts';
import { NOON } from '../support/builders/snapshot-builders.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { cookies, formTokenOf, logInAs, SESSION } from '../support/service/account-browser.ts';
import { FakeWebhooks } from '../support/service/fake-webhooks.ts';
import { SellingService } from '../support/service/selling-service.ts';
import { TURZII } from '../support/worlds/contract-world.ts';

const PATH = '/cont/webhookuri';
const EMAIL = 'sub_1@exemplu.ro';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let selling: SellingService;
let webhooks: FakeWebhooks;
let parts: AccountWebhooks;
let session: string;
let form: string;
before(async () => {
  const feed = new ToldFeed();
  feed.tell([1, 2, 3].map((minute) => ({ toldAt: NOON + minute * MINUTE_MS })));
  webhooks = new FakeWebhooks();
  parts = {
    ...{ service: webhooks, limits: createWebhookLimits(), allowedOrigins: [], places: loadGazetteer() },
    ...{ feed: new ChangeFeed(feed.log), cursorSince: (moment) => feed.log.cursorSince(moment) },
    // A day after the second change.
    clock: () => NOON + 2 * MINUTE_MS + DAY_MS,
  };
  selling = await SellingService.start((base) => {
    const all = { ...base, webhooks: parts };
    return [...loginRoutes(all), ...accountRoutes(all), ...webhookRoutes(all)];
  });
  await aSubscribedKey(selling.database, 'sub_1', aFetch(Date.now()));
  await aSubscribedKey(selling.database, 'sub_2', aFetch(Date.now()));
  session = await logInAs(selling, EMAIL);
  form = formTokenOf(await page());
});
after(() => selling.close());
beforeEach(async () => {
  for (const key of [1, 2]) for (const { id } of await webhooks.list(key)) await webhooks.delete(key, id);
});

const page = (path = PATH) => selling.service.ask(path, { headers: cookies({ [SESSION]: session }) });
const send = (fields: Readonly<Record<string, string>>, path = PATH) =>
  selling.post(path, { form, ...fields }, cookies({ [SESSION]: session }));
const make = async (fields: Readonly<Record<string, string>> = {}) =>
  send({ do: 'create', key: '1', url: 'https://exemplu.ro/pompa', ...ALL_KINDS, ...fields });
/** A new webhook of the account's key. */
async function made(): Promise<string> {
  await make();
  return (await webhooks.list(1))[0]?.id as string;
}

describe('the page of webhooks', () => {
  test('is linked from the account, empty at first, in both languages; only for who is logged in', async () => {
    assert.match((await page('/cont')).text, /href="\/cont\/webhookuri"/);
    assert.match((await page()).text, /Nu aveți încă niciun webhook/);
    assert.match((await page('/en/account/webhooks')).text, /You have no webhook yet/);
    const { text } = await selling.get(PATH);
    assert.match(text, /Adresa de e-mail/);
    assert.ok(!text.includes('webhook'));
  });

  test('makes one with a filter, and shows its secret once', async () => {
    const { status, text } = await make({ fuel: 'gpl', county: 'cluj', city: 'Cluj-Napoca', network: 'Petrom' });
    const [webhook] = await webhooks.list(1);
    assert.deepEqual([status, text.includes(`whsec_${webhook?.id}`)], [200, true]);
    assert.deepEqual(webhook?.filter, {
      ...{ fuel: 'lpg', county: 'CJ', city: 'cluj-napoca', network: 'petrom', stations: null },
    });
    assert.ok(!(await page()).text.includes('whsec_'));
  });

  test('says what is wrong with an address or a name, and makes none', async () => {
    for (const [fields, problem] of [
      [{ url: 'http://exemplu.ro' }, /trebuie să înceapă cu https/],
      [{ url: 'https://10.0.0.1/' }, /nume de domeniu, nu IP/],
      [{ county: 'Atlantida' }, /Județul nu este cunoscut/],
      [{ city: 'Atlantida' }, /Orașul nu este cunoscut/],
      [{ network: 'Nimeni' }, /Rețeaua nu este cunoscută/],
      [{ city: 'Cluj-Napoca', county: 'Iași' }, /Orașul este în alt județ/],
      [{ network: 'petrom', stations: 'ffffffffffff' }, /Stația „ffffffffffff” nu este cunoscută/],
    ] as const) {
      const { status, text } = await make(fields);
      assert.equal(status, 400);
      assert.match(text, problem);
      assert.match(text, new RegExp(`value="${Object.values(fields)[0]}"`));
    }
    assert.deepEqual(await webhooks.list(1), []);
  });

  test('takes stations by id or by the address of their page, and the chosen kinds', async () => {
    const chosen = {
      stations: `https://exemplu.ro/statie/petrom-cluj-napoca-${TURZII}?de=aici,\n ${TURZII} `,
      fuel: 'gpl',
    };
    const noKinds = Object.fromEntries(Object.keys(ALL_KINDS).map((name) => [name, '']));
    await make({ ...chosen, ...noKinds, 'kind-price': 'on', 'kind-station-added': 'on' });
    const [webhook] = await webhooks.list(1);
    assert.deepEqual([webhook?.filter.stations, webhook?.kinds], [[TURZII], ['price', 'station added']]);
    const none = await make(noKinds);
    assert.match(none.text, /Alegeți cel puțin un fel de modificări/);
    const never = await make({ ...noKinds, fuel: 'gpl', 'kind-station-added': 'on' });
    assert.match(never.text, /Cu un carburant ales nu se trimit stațiile/);
    const many = Array.from({ length: 101 }, (_, at) => at.toString(16).padStart(12, '0')).join(' ');
    assert.match((await make({ stations: many })).text, /cel mult 100 de stații/);
    assert.equal((await webhooks.list(1)).length, 1);
  });

  test('changes the address, filter and kinds of one; what is wrong keeps the form open and what was typed', async () => {
    const id = await made();
    const { text } = await page(`${PATH}?edit=${id}`);
    assert.match(text, /name="url" value="https:\/\/exemplu\.ro\/pompa"/);
    assert.ok(text.includes('value="edit"') && !text.includes('value="create"'));
    const edit = { do: 'edit', webhook: id, ...ALL_KINDS, url: 'https://exemplu.ro/nou' };
    const wrong = await send({ ...edit, city: 'Atlantida' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /value="edit"/);
    assert.match(wrong.text, /value="Atlantida"[^>]*aria-invalid/);
    const { headers } = await send({ ...edit, county: 'CJ', 'kind-flag': '' });
    assert.equal(headers.location, `${PATH}?done=changed`);
    const webhook = await webhooks.find(1, id);
    assert.deepEqual(
      [webhook?.url, webhook?.filter.county, webhook?.kinds.length],
      ['https://exemplu.ro/nou', 'CJ', 5],
    );
  });

  test('tries at once what waits after a failure', async () => {
    const id = await made();
    webhooks.pingOutcome = { event: 'changes', state: 'waiting', tries: 3, failure: 'status', httpStatus: 500 };
    await send({ do: 'test', webhook: id });
    webhooks.pingOutcome = { state: 'delivered', httpStatus: 204 };
    await send({ do: 'test', webhook: id });
    assert.match((await page()).text, /value="try-now"/);
    assert.equal((await send({ do: 'try-now', webhook: id })).headers.location, `${PATH}?done=retried`);
    assert.deepEqual(webhooks.triedNow, [id]);
  });

  test('says that a key is closed', async () => {
    await made();
    const { kysely } = selling.database;
    const disputed = (at: Date | null) =>
      kysely.updateTable('billing_subscriptions').set({ disputed_at: at }).where('key_id', '=', 1);
    await disputed(new Date()).execute();
    const { text } = await page();
    await disputed(null).execute();
    assert.match(text, /Cât timp cheia este închisă nu se trimite nimic/);
  });

  test('tests one and says what came of it', async () => {
    const id = await made();
    webhooks.pingOutcome = { failure: 'timeout' };
    assert.match((await send({ do: 'test', webhook: id })).text, /Testul nu a reușit: niciun răspuns în 15 secunde/);
    webhooks.pingOutcome = { state: 'delivered', httpStatus: 204 };
    assert.match((await send({ do: 'test', webhook: id })).text, /Testul a reușit/);
    assert.match((await page()).text, /Activ: modificările se trimit/);
  });

  test('pauses and resumes', async () => {
    const id = await made();
    const { headers } = await send({ do: 'pause', webhook: id });
    assert.equal(headers.location, `${PATH}?done=paused`);
    assert.match((await page(`${PATH}?done=paused`)).text, /Webhookul este în pauză\./);
    assert.equal(
      (await send({ do: 'resume', webhook: id }, '/en/account/webhooks')).headers.location,
      '/en/account/webhooks?done=resumed',
    );
  });

  test('renews a secret once for each time that the form was shown, however often it is posted', async () => {
    const id = await made();
    const of = async () => /name="of" value="(\w+)"/.exec((await page()).text)?.[1] as string;
    const fields = { do: 'secret', webhook: id, of: await of() };
    const { text } = await send(fields);
    assert.ok(text.includes(`whsec_${id}b`) && text.includes('Cel dinainte semnează și el, încă 24 de ore'));
    const again = await send(fields);
    assert.equal(again.headers.location, `${PATH}?done=renewed`);
    assert.match((await page(`${PATH}?done=renewed`)).text, /Secretul era deja schimbat/);
    webhooks.hasManySecrets = true;
    const refused = await send({ ...fields, of: await of() });
    webhooks.hasManySecrets = false;
    assert.equal(refused.status, 400);
    assert.match(refused.text, /4 secrete dinainte semnează încă/);
  });

  test('replays the last 24 hours, or from a cursor', async () => {
    const id = await made();
    assert.match(String((await send({ do: 'replay-day', webhook: id })).headers.location), /done=replayed/);
    await send({ do: 'replay', webhook: id, cursor: ` ${EPOCH}.2 ` });
    assert.deepEqual(
      webhooks.replays.map(({ seq }) => seq),
      [1, 2],
    );
    assert.match((await send({ do: 'replay', webhook: id, cursor: 'ieri' })).text, /Acesta nu este un cursor/);
    assert.match((await send({ do: 'replay', webhook: id, cursor: 'epoch_00.1' })).text, /nu mai este valabil/);
  });

  test('asks before it deletes', async () => {
    const id = await made();
    assert.match((await send({ do: 'delete', webhook: id })).text, /Sigur\? Nimic nu se mai trimite/);
    assert.equal((await webhooks.list(1)).length, 1);
    assert.match(String((await send({ do: 'delete-now', webhook: id })).headers.location), /done=deleted/);
    assert.deepEqual(await webhooks.list(1), []);
  });

  test('does nothing to webhooks and keys of others, nor for forms of its own making', async () => {
    await webhooks.create(2, { url: 'https://altul.ro/', filter: NO_FILTER, kinds: ['price'] });
    const [foreign] = await webhooks.list(2);
    const id = foreign?.id as string;
    for (const action of ['test', 'try-now', 'edit', 'pause', 'secret', 'delete', 'delete-now', 'replay-day'])
      assert.equal((await send({ do: action, webhook: id })).headers.location, PATH);
    assert.equal((await make({ key: '2' })).headers.location, PATH);
    assert.deepEqual(await webhooks.list(2), [foreign]);
    assert.ok(!(await page()).text.includes('altul.ro'));
    const own = await made();
    for (const action of ['', 'toString', 'nimic'])
      assert.equal((await send({ do: action, webhook: own })).headers.location, PATH);
  });

  test('accepts no form of another site or session', async () => {
    const id = await made();
    const { text } = await send({ do: 'delete-now', webhook: id, form: 'x' });
    assert.match(text, /altă pagină|alt site|sesiune/i);
    const foreign = { ...cookies({ [SESSION]: session }), Origin: 'https://altul.ro', 'Sec-Fetch-Site': 'cross-site' };
    await selling.post(PATH, { form, do: 'delete-now', webhook: id }, foreign);
    assert.equal((await webhooks.list(1)).length, 1);
  });

  test('tests at most 10 times an hour', async () => {
    const id = await made();
    const answers: string[] = [];
    for (let count = 0; count < 9; count += 1) answers.push((await send({ do: 'test', webhook: id })).text);
    assert.ok(answers.some((text) => /Prea multe teste: cel mult 10 pe oră/.test(text)));
  });
});

const ALL_KINDS = Object.fromEntries(CHANGE_KINDS.map((kind) => [kindField(kind), 'on']));
const NO_FILTER = { fuel: null, county: null, city: null, network: null, stations: null };
