/** Programs that look through mails open every link before its reader does: nothing may come of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { dump } from '../../src/store/backup/dump.ts';
import { queueUsageMails } from '../../src/store/billing/usage-mails.ts';
import { MONTH } from '../../src/store/keys/month.ts';
import { SellingSite } from '../support/service/selling-site.ts';
import { found, SiteVisitor } from '../support/service/site-visitor.ts';

const EMAIL = 'ana@exemplu.ro';
const NEW = 'ana.pop@exemplu.ro';

let site: SellingSite;
before(async () => {
  site = await SellingSite.start();
});
after(() => site.close());

const mailed = async (email: string, subject: RegExp) => (await site.mailTo(email, subject)).text;
/** Everything that is stored. */
async function stored(): Promise<string> {
  let rows = '';
  for await (const part of dump(site.database, { program: 'test', now: 0 }))
    if ('bytes' in part) rows += `${part.table}\n${part.bytes.toString('latin1')}`;
  return rows;
}

test('opening every link of every mail changes nothing, and each still works afterwards', async () => {
  const ana = new SiteVisitor(site.address);
  const { location } = await ana.ask('/comanda', { plan: 'pro', email: EMAIL, terms: 'yes', start: 'yes' });
  site.stripe.world.completeCheckout(found(/cs_\w+/, location), false);
  await mailed(EMAIL, /cheia API/);
  await ana.ask('/cont/intrare', { email: EMAIL });
  const code = found(/^ +(\d{6})$/m, await mailed(EMAIL, /intrarea în cont/));
  await ana.ask('/cont/confirmare', { code });
  await ana.post('/cont/adresa', '/cont/adresa', { email: NEW });
  const change = found(/^ +(\d{6})$/m, await mailed(NEW, /noua adresă/));
  await ana.ask('/cont/adresa/confirmare', { code: change });
  // The link that undoes it was mailed; a login, a free key and a mail about usage wait for their readers.
  await ana.ask('/cont/intrare', { email: NEW });
  await ana.ask('/cheie-gratuita', { email: 'dan@exemplu.ro' });
  await sql`update key_usage set used = 90000, month = ${sql.raw(MONTH)}`.execute(site.database.kysely);
  await queueUsageMails(site.database.kysely);
  const undo = found(/token=(\S+)/, await mailed(EMAIL, /adresa contului/));
  const login = found(/token=(\S+)/, await mailed(NEW, /intrarea în cont/));
  await mailed(NEW, /80% din cota/);
  await mailed('dan@exemplu.ro', /confirmați adresa/);

  const links = new Set<string>();
  // Those of others change nothing of ours, and no test contacts a real service.
  for (const { text = '', html = '' } of await site.mails())
    for (const [link] of `${text} ${html}`.matchAll(/https?:\/\/[^\s"<>()]+/g))
      if (link.startsWith(`${site.address}/`)) links.add(link.replaceAll('&amp;', '&').replace(/[.,]$/, ''));
  assert.ok([...links].filter((link) => link.includes('token=')).length >= 6);
  const before = await stored();
  for (const link of links)
    for (const method of ['HEAD', 'GET', 'GET']) {
      const { status, headers } = await fetch(link, { method, redirect: 'manual' });
      assert.ok(status < 500, `${method} ${link} ${status}`);
      assert.deepEqual(headers.getSetCookie(), [], link);
    }
  assert.equal(await stored(), before);

  const reader = new SiteVisitor(site.address);
  reader.cookies.set('pompa-login', ana.cookies.get('pompa-login') ?? '');
  assert.equal((await reader.ask('/cont/confirmare', { token: login })).location, '/cont');
  assert.match((await reader.ask('/cont/adresa/inapoi', { token: undo })).text, /Schimbarea a fost anulată/);
});
