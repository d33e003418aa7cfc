/** A free key for an e-mail address: nothing before the address is proved, and one for a mailbox. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { freeKeyRoutes } from '../../src/api/billing/free-key.ts';
import { makeLoginSecret } from '../../src/store/accounts/login-secrets.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { SellingService } from '../support/service/selling-service.ts';
import type { Reply } from '../support/service/test-service.ts';

let selling: SellingService;
before(async () => {
  selling = await SellingService.start(freeKeyRoutes);
});
after(() => selling.close());
beforeEach(async () => {
  await sql`truncate accounts, logins, mails, api_keys restart identity cascade`.execute(selling.database.kysely);
});

const ask = (email = 'ana@exemplu.ro', headers: Record<string, string> = {}) =>
  selling.post('/cheie-gratuita', { email }, headers);
const confirm = (fields: Readonly<Record<string, string>>, cookie = '') =>
  selling.post('/cheie-gratuita/confirmare', fields, cookie === '' ? {} : { Cookie: cookie });
const cookieOf = ({ headers }: Reply) => String(headers['set-cookie']).split(';')[0] as string;
/** What the mail of the latest request says. */
async function mailed() {
  const { id } = await selling.database.kysely
    .selectFrom('logins')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const secret = await makeLoginSecret(selling.database.kysely, id);
  assert.ok(secret !== null);
  return secret;
}
const keys = () => selling.database.kysely.selectFrom('api_keys').select(['plan', 'quota', 'email']).execute();
const mails = () => selling.database.kysely.selectFrom('mails').select(['kind', 'recipient']).orderBy('id').execute();

const KEY = { plan: 'gratuit', quota: 1_000, email: 'ana@exemplu.ro' };

describe('a free key', () => {
  test('comes after the button of the mailed link, in whichever browser, and opening the link does nothing', async () => {
    assert.equal((await ask()).headers.location, '/cheie-gratuita/confirmare');
    assert.deepEqual(await mails(), [{ kind: 'free_key_confirmation', recipient: 'ana@exemplu.ro' }]);
    const { token } = await mailed();
    for (const method of ['GET', 'HEAD', 'GET'])
      await selling.service.ask(`/cheie-gratuita/confirmare?token=${token}`, { method });
    assert.deepEqual(await keys(), []);
    const { status, headers } = await confirm({ token });
    assert.deepEqual([status, headers.location], [303, '/cheie-gratuita?done=sent']);
    assert.deepEqual(await keys(), [KEY]);
    assert.deepEqual((await mails()).at(-1), { kind: 'free_key', recipient: 'ana@exemplu.ro' });
    assert.match((await selling.get('/cheie-gratuita?done=sent')).text, /Vă trimitem cheia pe e-mail/);
    assert.equal((await confirm({ token })).status, 400, 'a link works once');
  });

  test('comes after the code, only in the browser that asked', async () => {
    const cookie = cookieOf(await ask());
    const { code } = await mailed();
    assert.equal((await confirm({ code })).status, 400);
    assert.equal((await confirm({ code }, 'pompa-login=other')).status, 400);
    const typing = await selling.service.ask('/cheie-gratuita/confirmare', { headers: { Cookie: cookie } });
    assert.match(typing.text, /un cod din șase cifre la ana@exemplu\.ro/);
    assert.doesNotMatch((await selling.get('/cheie-gratuita/confirmare')).text, /ana@/);
    assert.deepEqual(await keys(), []);
    assert.equal((await confirm({ code: ` ${code.slice(0, 3)} ${code.slice(3)}` }, cookie)).status, 303);
    assert.deepEqual(await keys(), [KEY]);
  });

  test('is not guessed: five codes, then not even the right one', async () => {
    const cookie = cookieOf(await ask());
    const { code } = await mailed();
    const wrong = code === '000000' ? '000001' : '000000';
    for (let times = 0; times < 5; times += 1) assert.equal((await confirm({ code: wrong }, cookie)).status, 400);
    assert.equal((await confirm({ code }, cookie)).status, 400);
    assert.deepEqual(await keys(), []);
  });

  test('needs a link that is not too old', async () => {
    await ask();
    const { token } = await mailed();
    await sql`update logins set expires_at = clock_timestamp()`.execute(selling.database.kysely);
    assert.equal((await confirm({ token })).status, 400);
    assert.deepEqual(await keys(), []);
  });

  test('is given once for a mailbox, also to links confirmed at once', async () => {
    const tokens: string[] = [];
    for (const email of ['ana@exemplu.ro', 'Ana+1@exemplu.ro', 'ANA+2@exemplu.ro']) {
      await ask(email);
      tokens.push((await mailed()).token);
    }
    const answers = await Promise.all(tokens.map((token) => confirm({ token })));
    const outcomes = answers.map(({ headers }) => headers.location).sort();
    const earlier = '/cheie-gratuita?done=earlier';
    assert.deepEqual(outcomes, [earlier, earlier, '/cheie-gratuita?done=sent']);
    assert.deepEqual(await keys(), [KEY]);
  });
});

describe('the form of a free key', () => {
  test('answers known and unknown addresses alike', async () => {
    await ask();
    await confirm({ token: (await mailed()).token });
    const [known, unknown] = [await ask(), await ask('eva@exemplu.ro')];
    assert.deepEqual([known.status, known.headers.location], [unknown.status, unknown.headers.location]);
    assert.equal((await mails()).filter(({ kind }) => kind === 'free_key_confirmation').length, 3);
  });

  test('mails an address three times an hour, and asks of one client ten times', async () => {
    for (let times = 0; times < 3; times += 1) assert.equal((await ask('ANA@exemplu.ro')).status, 303);
    const { status, headers, text } = await ask();
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) > 0);
    assert.match(text, /value="ana@exemplu\.ro"/);
    const from = { 'X-Forwarded-For': newAddress() };
    for (let times = 0; times < 10; times += 1) assert.equal((await ask(`m${times}@exemplu.ro`, from)).status, 303);
    assert.equal((await ask('other@exemplu.ro', from)).status, 429);
    assert.equal((await mails()).length, 13);
  });

  test('keeps what was typed, and takes no address that would add headers or recipients', async () => {
    for (const email of ['ana', 'a@b.ro\r\nBcc: x@y.ro', 'a@b.ro,c@d.ro']) assert.equal((await ask(email)).status, 400);
    const { text } = await ask('ana@"<b>');
    assert.match(text, /value="ana@&quot;&lt;b&gt;"[^>]* aria-invalid="true" aria-describedby="problem"/);
    assert.deepEqual(await mails(), []);
  });

  test('says how many requests the key has, in both languages', async () => {
    assert.match((await selling.get('/cheie-gratuita')).text, /1\.000 de cereri pe lună/);
    assert.match((await selling.get('/en/free-key')).text, /1,000 requests a month/);
  });
});
