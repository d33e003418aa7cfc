/** What strangers try on the forms of selling: bombs of mail, guesses, forged fields, planted links and sessions. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { addressRoutes } from '../../src/api/billing/change-address.ts';
import { accountRoutes } from '../../src/api/billing/customer-account.ts';
import { formTokenOf } from '../../src/api/billing/form-token.ts';
import { freeKeyRoutes } from '../../src/api/billing/free-key.ts';
import { loginRoutes } from '../../src/api/billing/log-in.ts';
import { orderRoutes } from '../../src/api/billing/order.ts';
import { withdrawalRoutes } from '../../src/api/billing/withdrawal.ts';
import { BILLING_PATHS } from '../../src/domain/pages/billing-paths.ts';
import { startSession } from '../../src/store/accounts/login-sessions.ts';
import { takeDueMail } from '../../src/store/billing/mails.ts';
import { isLiveKey } from '../../src/store/keys/key-queries.ts';
import { aFetch, aSubscribedKey } from '../support/builders/billing-fixture.ts';
import { neighbour, newAddress } from '../support/builders/client-addresses.ts';
import {
  askForLogin,
  BROWSER,
  cookieOf,
  cookies,
  latestSecrets,
  logInAs,
  SESSION,
} from '../support/service/account-browser.ts';
import { SellingService } from '../support/service/selling-service.ts';

const EMAIL = 'sub_1@exemplu.ro';

let selling: SellingService;
before(async () => {
  selling = await SellingService.start((parts) => [
    ...[...loginRoutes(parts), ...accountRoutes(parts), ...addressRoutes(parts), ...freeKeyRoutes(parts)],
    ...[...orderRoutes(parts), ...withdrawalRoutes(parts)],
  ]);
});
after(() => selling.close());
beforeEach(async () => {
  const { database, stripe } = selling;
  await sql`truncate accounts, orders, mails, logins, login_sessions, api_keys restart identity cascade`.execute(
    database.kysely,
  );
  stripe.reset();
  await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
  await sql`truncate mails`.execute(database.kysely);
});

const CONSENT = { plan: 'pro', terms: 'yes', start: 'yes' };
/** The forms that anybody may post with the address of anybody. */
const ASKING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/cont/intrare': {},
  '/cheie-gratuita': {},
  '/comanda': CONSENT,
};
const othersAskFor = (mails: number) =>
  sql`insert into logins (browser_sha256, email, purpose, language, created_at, expires_at)
    select sha256(n::text::bytea), n || '@others.example', 'login', 'ro', now(), now() from generate_series(1, ${mails}::int) n`.execute(
    selling.database.kysely,
  );
const queuedTo = async () => {
  const { rows } = await sql<{ recipient: string | null; parameters: object }>`
    select recipient, parameters from mails`.execute(selling.database.kysely);
  return rows;
};

describe('a mailbox', () => {
  test('gets three mails an hour from all forms together, whoever asks and however it is written', async () => {
    for (const email of [
      'ana@exemplu.ro',
      'Ana@Exemplu.ro',
      'ana+1@exemplu.ro',
      'ana+2@exemplu.ro',
      'ANA+x@exemplu.ro',
    ])
      for (const [path, fields] of Object.entries(ASKING)) await selling.post(path, { ...fields, email });
    assert.equal((await queuedTo()).length, 3);
  });

  test('gets no more from one client, who may ask for ten mails an hour in all', async () => {
    const from = { 'X-Forwarded-For': newAddress() };
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1)
      for (const path of ['/cont/intrare', '/cheie-gratuita'])
        statuses.push((await selling.post(path, { email: `x${n}@exemplu.ro` }, from)).status);
    assert.deepEqual(
      statuses.map((status) => status === 303),
      Array.from({ length: 16 }, (_, n) => n < 10),
    );
    assert.equal((await queuedTo()).length, 10);
    assert.equal((await askForLogin(selling, EMAIL)).status, 303, 'other clients are not refused');
  });

  test('is mailed from the 501st mail of an hour on only if the browser was checked, once for each token', async () => {
    await othersAskFor(500);
    const asked = { '/cont/intrare': 'ana@exemplu.ro', '/cheie-gratuita': 'bob@exemplu.ro' };
    for (const [path, email] of Object.entries(asked)) {
      const unchecked = [{}, { recaptcha_token: 'bad' }];
      for (const fields of unchecked) {
        const { status, text } = await selling.post(path, { email, ...fields });
        assert.equal(status, 429);
        // The form comes again with what was typed, and with what the browser must solve.
        assert.match(text, new RegExp(`value="${email}"`));
        assert.match(
          text,
          /<fieldset data-challenge="\/captcha\/provocare" hidden disabled>[\s\S]*name="recaptcha_token"/,
        );
        assert.match(text, /<noscript><p class="soft">Pentru verificare este nevoie de JavaScript/);
        assert.match(text, /\/text-form\.ts"/);
      }
      assert.equal((await selling.post(path, { email, recaptcha_token: `good ${path}` })).status, 303);
      const again = await selling.post(path, { email: `2${email}`, recaptcha_token: `good ${path}` });
      assert.equal(again.status, 429, 'a token is good once');
    }
    assert.equal((await queuedTo()).length, 2);
  });

  test('is mailed without a check while fewer ask', async () => {
    await othersAskFor(499);
    assert.equal((await askForLogin(selling, EMAIL)).status, 303);
  });

  test('is one of a thousand in an hour, then nobody gets a mail, and only the operator is told why', async () => {
    await othersAskFor(1_000);
    const warned = selling.warnings.length;
    for (const email of [EMAIL, 'nobody@exemplu.ro']) assert.equal((await askForLogin(selling, email)).status, 429);
    assert.deepEqual(await queuedTo(), []);
    assert.deepEqual(selling.warnings.slice(warned), ['nobody is mailed a link or a code for now']);
  });

  test('is mailed though one network asks for very many mails: of its clients together, a hundred an hour', async () => {
    const from = (network: number, n: number) => ({ 'X-Forwarded-For': neighbour(network, n) });
    const ask = (email: string, headers: Record<string, string>) => selling.post('/cont/intrare', { email }, headers);
    for (let n = 0; n < 10; n += 1)
      for (let times = 0; times < 10; times += 1)
        assert.equal((await ask(`n${n}.${times}@exemplu.ro`, from(3, n))).status, 303);
    const warned = selling.warnings.length;
    for (const path of ['/cont/intrare', '/cheie-gratuita'])
      assert.equal((await selling.post(path, { email: 'bob@exemplu.ro' }, from(3, 10))).status, 429);
    assert.deepEqual(selling.warnings.slice(warned), []);
    assert.equal((await ask(EMAIL, from(4, 0))).status, 303);
    assert.equal((await queuedTo()).length, 101);
  });

  test('is sent nothing that a stranger wrote', async () => {
    const words = 'cumparati acum de la www.evil.example';
    const given = { name: words, comment: words, subject: words, next: words, language: words, from: words };
    const headers = { Host: 'evil.example', Referer: 'https://evil.example/', 'Accept-Language': words };
    for (const [path, fields] of Object.entries(ASKING))
      await selling.post(path, { ...given, ...fields, email: 'victim@exemplu.ro' }, headers);
    const queued = await queuedTo();
    assert.equal(queued.length, 2);
    for (const { parameters } of queued) {
      assert.deepEqual(Object.keys(parameters), ['loginId']);
      assert.doesNotMatch(JSON.stringify(parameters), /evil|cumparati/);
    }
    assert.doesNotMatch(JSON.stringify(selling.stripe.orders), /evil|cumparati/);
  });
});

describe('a code', () => {
  for (const [what, path, ask] of [
    ['of a login', '/cont/confirmare', '/cont/intrare'],
    ['of a free key', '/cheie-gratuita/confirmare', '/cheie-gratuita'],
  ] as const)
    test(`${what} is refused after five wrong ones, though it is right`, async () => {
      const browser = cookieOf(await selling.post(ask, { email: EMAIL }), BROWSER);
      const { code } = await latestSecrets(selling);
      const trying = (typed: string) => selling.post(path, { code: typed }, cookies({ [BROWSER]: browser }));
      for (let n = 1; n <= 5; n += 1)
        assert.equal((await trying(String((Number(code) + n) % 1_000_000).padStart(6, '0'))).status, 400);
      assert.equal((await trying(code)).status, 400);
      const { rows } = await sql`select from logins where used_at is not null`.execute(selling.database.kysely);
      assert.equal(rows.length, 0);
    });

  test('is taken by nobody once a thousand of an hour were wrong, but links are, and the operator is told', async () => {
    const { kysely } = selling.database;
    const asking = cookies({ [BROWSER]: cookieOf(await selling.post('/cont/intrare', { email: EMAIL }), BROWSER) });
    const { code, token } = await latestSecrets(selling);
    await othersAskFor(200);
    await sql`update logins set tries = 5 where email like '%@others.example'`.execute(kysely);
    const warned = selling.warnings.length;
    assert.equal((await selling.post('/cont/confirmare', { code }, asking)).status, 429);
    assert.deepEqual(selling.warnings.slice(warned), ['no code logs anybody in for now; links do']);
    assert.equal((await selling.post('/cont/confirmare', { token }, asking)).status, 303);
  });

  test('is taken by others once a hundred for the logins of one network were wrong', async () => {
    const askFrom = async (network: number, email: string, n = 0) => {
      const from = { 'X-Forwarded-For': neighbour(network, n) };
      return cookies({ [BROWSER]: cookieOf(await selling.post('/cont/intrare', { email }, from), BROWSER) });
    };
    for (let n = 0; n < 10; n += 1) await askFrom(5, `n${n}@exemplu.ro`);
    await sql`update logins set tries = 10`.execute(selling.database.kysely);
    const warned = selling.warnings.length;
    const neighbours = await askFrom(5, EMAIL, 1);
    const ofNeighbour = await latestSecrets(selling);
    assert.equal((await selling.post('/cont/confirmare', { code: ofNeighbour.code }, neighbours)).status, 429);
    assert.equal((await selling.post('/cont/confirmare', { token: ofNeighbour.token }, neighbours)).status, 303);
    const others = await askFrom(6, EMAIL);
    const { code } = await latestSecrets(selling);
    assert.equal((await selling.post('/cont/confirmare', { code }, others)).status, 303);
    assert.deepEqual(selling.warnings.slice(warned), []);
  });

  test('of no login counts for nobody else', async () => {
    const asking = cookies({ [BROWSER]: cookieOf(await selling.post('/cont/intrare', { email: EMAIL }), BROWSER) });
    const { code } = await latestSecrets(selling);
    await othersAskFor(200);
    await sql`update logins set tries = case email when '7@others.example' then 4 else 5 end
      where email like '%@others.example'`.execute(selling.database.kysely);
    for (let n = 0; n < 20; n += 1) await selling.post('/cont/confirmare', { code: '000000' });
    assert.equal((await selling.post('/cont/confirmare', { code }, asking)).status, 303);
  });

  test('is tried 60 times an hour by one client, whichever form it posts', async () => {
    const from = { 'X-Forwarded-For': newAddress() };
    const paths = ['/cont/confirmare', '/cheie-gratuita/confirmare', '/cont/adresa/confirmare'];
    const statuses: number[] = [];
    for (let n = 0; n < 63; n += 1)
      statuses.push((await selling.post(paths[n % 3] as string, { code: '000000' }, from)).status);
    assert.deepEqual(
      statuses.map((status) => status === 429),
      Array.from({ length: 63 }, (_, n) => n >= 60),
    );
  });
});

describe('a stranger', () => {
  test('logs nobody in by a form of another site, nor changes a session by a cookie that they chose', async () => {
    const browser = cookieOf(await askForLogin(selling, EMAIL), BROWSER);
    const { code, token } = await latestSecrets(selling);
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, { Origin: 'null' }])
      for (const fields of [{ code }, { token }]) {
        const reply = await selling.post('/cont/confirmare', fields, {
          ...cookies({ [BROWSER]: browser }),
          ...headers,
        });
        assert.deepEqual([reply.status, cookieOf(reply, SESSION)], [403, undefined]);
      }
    const planted = 'A'.repeat(43);
    const given = cookies({ [BROWSER]: browser, [SESSION]: planted });
    const session = cookieOf(await selling.post('/cont/confirmare', { code }, given), SESSION);
    assert.ok(session !== undefined && session !== planted && session.length === 43);
    assert.match(
      (await selling.service.ask('/cont', { headers: cookies({ [SESSION]: planted }) })).text,
      /Adresa de e-mail/,
    );
  });

  test('leads nobody to another site', async () => {
    const evil = 'https://evil.example/';
    const fields = { next: evil, redirect: evil, return_url: evil, success_url: evil, back: evil, url: evil };
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Referer: evil };
    const query = new URLSearchParams(fields);
    const targets: unknown[] = [];
    for (const { ro, en } of Object.values(BILLING_PATHS))
      for (const path of [ro, en]) {
        const session = await selling.database.transaction((tx) => startSession(tx, 1));
        const own = { ...headers, ...cookies({ [SESSION]: session }) };
        const page = await selling.service.ask(`${path}?${query}`, { headers: own });
        const posted = await selling.post(
          path,
          { ...fields, ...CONSENT, email: EMAIL, form: formTokenOf(session) },
          own,
        );
        targets.push(page.headers.location, posted.headers.location);
        assert.doesNotMatch(page.text + posted.text, /evil\.example/, path);
      }
    const locations = targets.filter((each) => each !== undefined).map(String);
    assert.ok(locations.length > 10, `${locations}`);
    for (const to of locations) assert.match(to, /^(\/(?!\/)|https:\/\/checkout\.stripe\.com\/)/);
    assert.doesNotMatch(JSON.stringify(selling.stripe.orders), /evil/);
  });

  test('leads nobody from a login to a page that asks for none', async () => {
    for (const next of ['https://evil.example/', '//evil.example', 'home', 'constructor', '__proto__', '']) {
      const asked = await selling.post('/cont/intrare', { email: `${next.length}@exemplu.ro`, next });
      assert.equal(asked.headers.location, '/cont/confirmare', next);
      const query = new URLSearchParams({ next });
      assert.doesNotMatch((await selling.get(`/cont/confirmare?${query}`)).text, /name="next"/);
    }
    const browser = cookieOf(await askForLogin(selling, EMAIL), BROWSER);
    const { code } = await latestSecrets(selling);
    const fields = { code, next: 'https://evil.example/' };
    const { headers } = await selling.post('/cont/confirmare', fields, cookies({ [BROWSER]: browser }));
    assert.equal(headers.location, '/cont');
  });

  test('who answers for Stripe leads nobody to their portal', async () => {
    const session = await logInAs(selling, EMAIL);
    const own = cookies({ [SESSION]: session });
    const form = formTokenOf(session);
    for (const origin of [
      'https://evil.example',
      'https://checkout.stripe.com.evil.example',
      'http://checkout.stripe.com',
    ]) {
      selling.stripe.origin = origin;
      const { status, headers } = await selling.post('/cont/plata', { form, subscription: 'sub_1' }, own);
      assert.deepEqual([status, headers.location], [503, undefined], origin);
    }
  });

  test('who has an account makes ten keys an hour, of which the newest five work, and holds up no mail of others', async () => {
    await aSubscribedKey(selling.database, 'sub_2', aFetch(Date.now()));
    await sql`truncate mails`.execute(selling.database.kysely);
    const session = await selling.database.transaction((tx) => startSession(tx, 2));
    const form = formTokenOf(session);
    const makeKey = () =>
      selling.post('/cont/chei', { form, key: '2', do: 'new', overlap: '7d' }, cookies({ [SESSION]: session }));
    const replies = [];
    for (let n = 0; n < 11; n += 1) replies.push(await makeKey());
    assert.deepEqual(
      replies.map(({ status }) => status),
      [...Array(10).fill(200), 429],
    );
    assert.match(replies.at(-1)?.text ?? '', /Prea multe schimbări într-o oră/);
    const made = replies.slice(0, 10).map(({ text }) => /pompa_live_\w{20,}/.exec(text)?.[0] ?? '');
    const work = await Promise.all(made.map((key) => isLiveKey(selling.database, key)));
    assert.deepEqual(work, [...Array(5).fill(false), ...Array(5).fill(true)]);
    await selling.post('/cont/intrare', { email: EMAIL });
    assert.equal((await takeDueMail(selling.database.kysely))?.content.kind, 'login', 'before ten about keys');
  });

  test('who has an account posts 60 forms of it an hour', async () => {
    await aSubscribedKey(selling.database, 'sub_2', aFetch(Date.now()));
    await aSubscribedKey(selling.database, 'sub_3', aFetch(Date.now()));
    const session = await selling.database.transaction((tx) => startSession(tx, 3));
    const post = () =>
      selling.post(
        '/cont/plata',
        { form: formTokenOf(session), subscription: 'sub_3' },
        cookies({ [SESSION]: session }),
      );
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) statuses.push((await post()).status);
    assert.deepEqual(statuses, [...Array(60).fill(303), 429]);
  });

  test('chooses no price, plan, trial, customer or state', async () => {
    const chosen = {
      price: 'price_1',
      amount: '1',
      trialDays: '365',
      trial_days: '365',
      customer: 'cus_2',
      state: 'done',
    };
    await selling.post('/comanda', { ...CONSENT, ...chosen, email: 'ana@exemplu.ro' });
    const [order] = selling.stripe.orders;
    assert.deepEqual([order?.plan, order?.trialDays, order?.email], ['pro', 3, 'ana@exemplu.ro']);
    for (const plan of ['dedicat', 'gratuit', 'pro ', 'pro,business', '__proto__', 'constructor', '']) {
      const { headers } = await selling.post('/comanda', { ...CONSENT, plan, email: 'dan@exemplu.ro' });
      assert.equal(headers.location, '/planuri', plan);
    }
    const { rows } = await sql`select from orders where mailbox = 'dan@exemplu.ro'`.execute(selling.database.kysely);
    assert.equal(rows.length, 0);
  });
});

test('pages with a token are kept nowhere, framed nowhere and told to no other site', async () => {
  const token = 'x'.repeat(43);
  const paths = ['confirm', 'freeKeyConfirm', 'addressConfirm', 'addressUndo'] as const;
  for (const name of paths)
    for (const path of Object.values(BILLING_PATHS[name])) {
      const { status, headers, text } = await selling.get(`${path}?token=${token}`);
      assert.equal(status, 200, path);
      assert.match(text, new RegExp(`name="token" value="${token}"`));
      assert.equal(headers['cache-control'], 'no-store');
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
      // Not no-referrer: with it, older browsers send forms with the origin "null", and those are refused.
      assert.equal(headers['referrer-policy'], 'same-origin');
      for (const [, link = ''] of text.matchAll(/(?:href|src|action)="([^"]*)"/g)) assert.doesNotMatch(link, /token/);
    }
});
