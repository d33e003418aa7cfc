import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountKey, AccountSubscription, AccountView } from '../../../domain/billing/account-view.ts';
import type { SellingOffer } from '../../../domain/billing/selling-offer.ts';
import { accountPage } from './account-page.ts';

const AT = Date.parse('2026-11-25T15:00:00Z');
const OFFER: SellingOffer = { seller: null, salesMode: 'own', freeKeyQuota: 1_000, checkoutOrigins: [] };
const EMPTY: AccountView = {
  ...{
    page: 'account',
    language: 'ro',
    email: 'ana@exemplu.ro',
    formToken: 't',
    notice: null,
    newKey: null,
    hasWebhooks: true,
  },
  ...{ invalidCap: null, mailRefusedAt: null, usageMails: true, mailLanguage: 'en' },
  ...{ subscriptions: [], keys: [], revokedKeys: [] },
};
const aKey = (id: number, plan = 'pro'): AccountKey => ({
  ...{ id, plan, quota: 100, allowed: 100, cap: null, hasOwnCap: false, used: 0, days: [] },
  secrets: [
    { last4: 'abcd', slot: 1, until: null },
    { last4: 'efgh', slot: 1, until: AT },
  ],
});
const aSubscription = (id: string, keyId: number): AccountSubscription => ({
  ...{ id, keyId, plan: 'pro', trialEnd: AT, periodEnd: AT, cancelAt: null, endsAt: null, graceUntil: null },
  ...{ standing: { isOpen: true, reason: 'trial', until: AT }, withdrawableOrder: `order-${id}` },
});
const pageOf = (change: Partial<AccountView>, contact: string | null = 'ops@pompa.example') =>
  accountPage({ ...EMPTY, ...change }, OFFER, contact).content?.text ?? '';

/** What a screen reader says of each control that one can use. */
function namesOf(markup: string): string[] {
  const controls = markup.matchAll(/<(?:button|a) [^>]*>[^<]*<\/|<label>[^<]*<(?:select|input) [^>]*>/g);
  return [...controls].map(
    ([control]) => /aria-label="([^"]*)"/.exec(control)?.[1] ?? (/>([^<]+)</.exec(control)?.[1] as string),
  );
}

describe('the page of an account', () => {
  it('has a name of its own for every control, however many keys and subscriptions there are', () => {
    for (const language of ['ro', 'en'] as const) {
      const several = {
        keys: [1, 2, 3].map((id) => aKey(id)),
        subscriptions: [1, 2].map((n) => aSubscription(`s${n}`, n)),
      };
      const names = namesOf(pageOf({ language, ...several }));
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
      );
      assert.ok(names.length > 25, `${names}`);
    }
    const names = namesOf(pageOf({ keys: [aKey(1), aKey(2)] }));
    assert.ok(names.includes('Oprește acum cheia veche: Cheia 2, planul Pro'), `${names}`);
  });

  it('names nothing twice where there is one key', () => {
    assert.doesNotMatch(
      pageOf({ keys: [aKey(1)], subscriptions: [aSubscription('s', 1)] }),
      /<(button|select|input|a) [^>]*aria-label/,
    );
  });

  it('speaks of the free key to whoever has only that', () => {
    const text = pageOf({ keys: [aKey(1, 'gratuit')] });
    assert.match(text, /class="lead">Sunteți în contul ana@exemplu\.ro, cu o cheie gratuită\./);
    assert.match(text, /nu se plătește nimic[^<]*<a href="\/planuri">/);
    assert.doesNotMatch(text, /<h2>Abonamente|niciun abonament|\/cheie-gratuita/);
  });

  it('has no heading above nothing, and says how to get a key', () => {
    const text = pageOf({});
    assert.doesNotMatch(text, /<h2>(Chei API|Abonamente)/);
    assert.match(text, /Nu aveți nicio cheie[^<]*<a href="\/planuri">[^<]*<\/a> <a href="\/cheie-gratuita">/);
    assert.doesNotMatch(pageOf({ subscriptions: [aSubscription('s', 1)] }), /<h2>Chei API/);
  });

  it('warns of plans whose quota this month has used up', () => {
    const given = { keys: [{ ...aKey(1), used: 12_345 }], subscriptions: [aSubscription('s', 1)] };
    assert.match(pageOf(given), /s-au făcut 12\.345 de cereri: dacă treceți acum la Starter,/);
    assert.match(pageOf({ ...given, language: 'en' }), /has 12,345 requests: if you change to Starter now,/);
  });

  it('says that a key was revoked, and whom to ask for another', () => {
    const text = pageOf({ revokedKeys: [{ id: 7, plan: 'gratuit' }] });
    assert.match(
      text,
      /<h2>Chei API<\/h2>\s*<h3>Cheia 7, planul gratuit<\/h3>\s*<p class="problem">Am închis definitiv/,
    );
    assert.match(text, /scrieți la <a href="mailto:ops@pompa\.example">ops@pompa\.example<\/a>\./);
    assert.doesNotMatch(text, /Cheie nouă|\/cheie-gratuita/);
    assert.doesNotMatch(pageOf({ revokedKeys: [{ id: 7, plan: 'gratuit' }] }, null), /mailto|scrieți la/);
  });

  it('names the zone of every hour', () => {
    const text = pageOf({ mailRefusedAt: AT, keys: [aKey(1)], subscriptions: [aSubscription('s', 1)] });
    const hours = text.match(/\d\d:\d\d/g) ?? [];
    assert.equal(hours.length, 3);
    assert.equal((text.match(/\d\d:\d\d \(ora României\)/g) ?? []).length, hours.length);
  });

  it('says of a subscription that was cancelled while a payment is overdue when its key closes', () => {
    const overdue = { standing: { isOpen: true, reason: 'grace', until: AT }, graceUntil: AT } as const;
    const subscriptions = [{ ...aSubscription('s', 1), ...overdue, cancelAt: AT + 30 * 24 * 3_600_000 }];
    assert.match(
      pageOf({ subscriptions }),
      /Fără ea cheia funcționează până miercuri, 25 noiembrie[^<]*, cu ea până vineri, 25 decembrie/,
    );
    assert.doesNotMatch(pageOf({ subscriptions }), /nu se mai plătește nimic/);
  });

  it('says that a quota is used up, and what a request gets then', () => {
    const text = pageOf({ keys: [{ ...aKey(1), used: 100 }] });
    assert.match(text, /Cota lunii este atinsă: până la începutul lunii viitoare \(UTC\)[^<]*429/);
    assert.doesNotMatch(pageOf({ keys: [{ ...aKey(1), used: 99 }] }), /este atinsă/);
  });

  it('can be cancelled as long as Stripe may charge', () => {
    for (const reason of ['disputed', 'unconfirmed', 'overdue', 'paused'] as const)
      assert.match(
        pageOf({ subscriptions: [{ ...aSubscription('s', 1), standing: { isOpen: false, reason } }] }),
        /Anulează abonamentul/,
      );
    for (const reason of ['ended', 'withdrawn'] as const) {
      const text = pageOf({ subscriptions: [{ ...aSubscription('s', 1), standing: { isOpen: false, reason } }] });
      assert.doesNotMatch(text, /Anulează abonamentul/);
      assert.match(text, /<a href="\/planuri">Vezi planurile/);
    }
  });

  it('offers the languages of mails, that of now chosen', () => {
    assert.match(
      pageOf({}),
      /<option value="ro" lang="ro">română<\/option><option value="en" lang="en" selected>English/,
    );
  });
});
