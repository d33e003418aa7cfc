/** Where the secrets of customers are found once they have bought, logged in and changed keys: where they belong. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { dump } from '../../src/store/backup/dump.ts';
import { SellingSite } from '../support/service/selling-site.ts';
import { found, SiteVisitor, type VisitorAnswer } from '../support/service/site-visitor.ts';

const ANA = 'ana@exemplu.ro';
const ANA_LATER = 'ana.pop@exemplu.ro';
const DAN = 'dan@exemplu.ro';
const WHOLE_KEY = /pompa_live_\w{20,}/;
const SETTINGS = ['sk_test_simulated', 'whsec_simulated'];

type Secret = { readonly name: string; readonly value: string; readonly mailedTo: string | null };
const secrets: Secret[] = [];
const answers: VisitorAnswer[] = [];
let log = '';
let stored = '';
let site: SellingSite;

async function mailed(email: string, subject: RegExp): Promise<string> {
  return (await site.mailTo(email, subject)).text;
}
const keep = (name: string, value: string, mailedTo: string | null): string => {
  secrets.push({ name, value, mailedTo });
  return value;
};

before(async () => {
  const write = (line: string) => {
    log += line;
  };
  site = await SellingSite.start(pino({ level: 'trace' }, { write }));
  await liveThrough();
  for await (const part of dump(site.database, { program: 'test', now: Date.now() }))
    if ('bytes' in part) stored += part.bytes.toString('latin1');
});
after(() => site.close());

/** An order, a login, two new keys, another address, a free key, and requests with keys, right and wrong. */
async function liveThrough(): Promise<void> {
  const ana = new SiteVisitor(site.address, answers);
  const { location } = await ana.ask('/comanda', { plan: 'pro', email: ANA, terms: 'yes', start: 'yes' });
  site.stripe.world.completeCheckout(found(/cs_\w+/, location), false);
  const key = keep('the mailed key', found(WHOLE_KEY, await mailed(ANA, /cheia API/)), ANA);
  assert.equal((await site.ask('/api/v1/cheie', key)).status, 200);
  assert.equal((await site.ask('/api/v1/cheie', `${key.slice(0, -1)}_`)).status, 401);

  await ana.ask('/cont/intrare', { email: ANA });
  const login = await mailed(ANA, /intrarea în cont/);
  keep('the token of a login', found(/token=(\S+)/, login), ANA);
  await ana.ask('/cont/confirmare', { code: found(/^ +(\d{6})$/m, login) });
  keep('the cookie of a session', ana.cookies.get('pompa-session') ?? '', null);
  keep('the cookie of a login', ana.cookies.get('pompa-login') ?? '', null);
  for (const action of ['new', 'second'])
    keep(
      `the key shown once (${action})`,
      found(WHOLE_KEY, await ana.post('/cont', '/cont/chei', { key: '1', do: action, overlap: '24h' })),
      null,
    );

  await ana.post('/cont/adresa', '/cont/adresa', { email: ANA_LATER });
  const change = await mailed(ANA_LATER, /noua adresă/);
  keep('the token of a new address', found(/token=(\S+)/, change), ANA_LATER);
  await ana.ask('/cont/adresa/confirmare', { code: found(/^ +(\d{6})$/m, change) });
  keep('the token that undoes it', found(/token=(\S+)/, await mailed(ANA, /adresa contului/)), ANA);

  const dan = new SiteVisitor(site.address, answers);
  await dan.ask('/cheie-gratuita', { email: DAN });
  const token = keep('the token of a free key', found(/token=(\S+)/, await mailed(DAN, /confirmați adresa/)), DAN);
  await dan.ask('/cheie-gratuita/confirmare', { token });
  keep('the free key', found(WHOLE_KEY, await mailed(DAN, /cheia API gratuită/)), DAN);
  for (const { value } of secrets.filter((each) => WHOLE_KEY.test(each.value)))
    assert.equal((await site.ask('/api/v1/cheie', value)).status, 200);
}

/** As it is, and as it would be encoded. */
const spellings = (value: string) => {
  const bytes = Buffer.from(value);
  return [value, bytes.toString('hex'), bytes.toString('base64'), encodeURIComponent(value)];
};
const namesIn = (text: string, of: readonly Secret[] = secrets) =>
  of.filter(({ value }) => spellings(value).some((each) => text.includes(each))).map(({ name }) => name);

describe('after all that, no secret of a customer', () => {
  test('is in the log', () => {
    assert.ok(log.length > 100, 'the log was written');
    assert.deepEqual([namesIn(log), WHOLE_KEY.test(log)], [[], false]);
  });

  test('is in the database or its backup', () => {
    for (const row of [ANA_LATER, 'key_replaced', 'sub_']) assert.ok(stored.includes(row), `the dump has ${row}`);
    assert.deepEqual([namesIn(stored), WHOLE_KEY.test(stored)], [[], false]);
  });

  test('is in the mail of anybody else, in a subject, or in the address of a link but as its token', async () => {
    for (const { to, subject, text, html, headers } of await site.mails()) {
      const recipient = to?.[0]?.address ?? '';
      const others = secrets.filter(({ mailedTo }) => mailedTo !== recipient);
      assert.deepEqual(namesIn(`${text}${html}`, others), [], `${subject} to ${recipient}`);
      assert.deepEqual(namesIn(JSON.stringify(headers)), [], `the headers of ${subject}`);
      for (const [address] of (text ?? '').matchAll(/https?:\/\/\S+/g)) assert.doesNotMatch(address, WHOLE_KEY);
    }
  });

  test('is at Stripe', () => {
    assert.deepEqual(namesIn(JSON.stringify(site.stripe.world)), []);
  });

  test('is in an answer but that which shows a new key, or in any address', () => {
    for (const { path, text, location } of answers) {
      assert.deepEqual(namesIn(path + location), [], path);
      const shown = namesIn(text);
      assert.ok(shown.length === 0 || (path === '/cont/chei' && shown.length === 1), `${path} shows ${shown}`);
    }
  });
});

test('no secret of the settings is in the log, the database, a mail or an answer', async () => {
  const mails = JSON.stringify(await site.mails());
  for (const secret of SETTINGS)
    for (const text of [log, stored, mails, JSON.stringify(answers)]) assert.ok(!text.includes(secret), secret);
});
