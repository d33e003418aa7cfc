import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { termsAgreedTo } from '../../domain/billing/terms-version.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import type { MailSender } from './mail-sender.ts';
import { type MailSecrets, writeMail } from './write-mail.ts';

const AT = Date.parse('2026-11-25T15:00:00Z');
const SECRETS: MailSecrets = {
  ...{ key: 'pompa_live_abc', login: { token: 'TOKEN', code: '123456' } },
  unsubscribeToken: 'UNSUBSCRIBE',
};
const SENDER: MailSender = {
  publicUrl: 'https://pompa.example',
  seller: {
    ...{ name: 'Carburanți & Fii SRL', address: 'Cluj', taxId: 'RO1', contact: 'ops@pompa.example' },
    termsUrl: null,
  },
  salesMode: 'own',
};
const TERMS = termsAgreedTo(SENDER.seller);
const CONTENTS: readonly MailContent[] = [
  ...(['trial', 'paid', 'ending'] as const).map((kind) => ({
    ...({ kind: 'key', keyId: 1, plan: 'pro', orderId: 'o-1', terms: TERMS } as const),
    term: { kind, until: AT },
  })),
  { kind: 'trial_ending', plan: 'pro', chargedAt: AT },
  { kind: 'payment_failed', plan: 'pro', day: 0, closesAt: AT },
  { kind: 'payment_failed', plan: 'pro', day: 6, closesAt: AT },
  { kind: 'cancelled', plan: 'starter', endsAt: AT, closesAt: null },
  { kind: 'cancelled', plan: 'starter', endsAt: AT, closesAt: AT },
  { kind: 'ended', plan: 'business' },
  { kind: 'withdrawn', orderId: 'o-1', at: AT, name: 'Ana Pop' },
  ...([80, 100] as const).flatMap((percent) => [
    { kind: 'usage', percent, plan: 'gratuit', quota: 1_000, hasOwnCap: false, resetsAt: AT } as const,
    { kind: 'usage', percent, plan: 'pro', quota: 100_000, hasOwnCap: false, resetsAt: AT } as const,
    { kind: 'usage', percent, plan: 'business', quota: 50_000, hasOwnCap: true, resetsAt: AT } as const,
  ]),
  { kind: 'login', loginId: 1 },
  { kind: 'free_key_confirmation', loginId: 1 },
  { kind: 'free_key', keyId: 1, quota: 1_000 },
  { kind: 'free_key_unused', endsAt: AT },
  { kind: 'new_address', loginId: 1 },
  { kind: 'address_changed', loginId: 1, undoUntil: AT },
  { kind: 'address_changed', loginId: null, undoUntil: AT },
  { kind: 'account_deleted', at: AT, isFormer: false },
  { kind: 'account_deleted', at: AT, isFormer: true },
  {
    ...({ kind: 'webhook_failing', webhook: '3', host: 'exemplu.ro', delivery: 1, since: AT } as const),
    ...({ failure: 'status', httpStatus: 503 } as const),
  },
  ...(['gone', 'failing'] as const).map((reason) => ({
    ...({ kind: 'webhook_stopped', webhook: '3', host: 'exemplu.ro', at: AT, reason } as const),
    ...({ failure: 'timeout', httpStatus: null } as const),
  })),
  { kind: 'key_replaced', last4: 'wxyz', slot: 1, oldValidUntil: AT },
  { kind: 'key_replaced', last4: 'wxyz', slot: 2, oldValidUntil: null },
  { kind: 'key_replaced', last4: 'wxyz', slot: 1, oldValidUntil: null },
];
const ALL = CONTENTS.flatMap((content) => (['ro', 'en'] as const).map((language) => ({ content, language })));

/** The words of a document, as somebody reads them. */
const wordsOf = (markup: string) =>
  markup
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '$2: $1')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .split(/[\s:]+/)
    .filter(Boolean);

describe('a mail', () => {
  it('says the same as text and as HTML, in either language', () => {
    for (const { content, language } of ALL) {
      const { text, html } = writeMail(content, language, SECRETS, SENDER);
      const inHtml = new Set(wordsOf(html));
      const missing = text.split(/[\s:]+/).filter((word) => word !== '' && word !== '--' && !inHtml.has(word));
      assert.deepEqual(missing, [], `${content.kind} ${language}`);
      assert.ok(html.includes(`<html lang="${language}">`));
    }
  });

  it('loads nothing, is small, and has short lines', () => {
    for (const { content, language } of ALL) {
      const { text, html, subject } = writeMail(content, language, SECRETS, SENDER);
      assert.doesNotMatch(html, /<(img|script|link|iframe)|url\(|@import/);
      assert.ok(html.length < 30_000);
      assert.doesNotMatch(subject, /[\r\n]/);
      assert.doesNotMatch(text + html, /undefined|NaN|\[object|Invalid/);
    }
  });

  it('has a secret only where it promises one, never in its subject, and is not written without it', () => {
    for (const { content, language } of ALL) {
      const { text, html, subject } = writeMail(content, language, SECRETS, SENDER);
      const hasKey = ['key', 'free_key'].includes(content.kind);
      const hasCode = ['login', 'free_key_confirmation', 'new_address'].includes(content.kind);
      const hasLogin = hasCode || (content.kind === 'address_changed' && content.loginId !== null);
      assert.equal(text.includes('pompa_live_abc') && html.includes('pompa_live_abc'), hasKey);
      assert.equal(text.includes('123456'), hasCode);
      assert.equal(text.includes('TOKEN') && html.includes('TOKEN'), hasLogin);
      assert.doesNotMatch(subject, /pompa_live_abc|123456|TOKEN/);
      if (hasKey || hasLogin) assert.throws(() => writeMail(content, language, {}, SENDER), /secret/);
    }
  });

  it('tells the price, the day of the first charge and how to cancel with the key', () => {
    const { text } = writeMail(
      { kind: 'key', keyId: 1, plan: 'pro', orderId: 'o-1', terms: TERMS, term: { kind: 'trial', until: AT } },
      'ro',
      SECRETS,
      SENDER,
    );
    assert.match(
      text,
      /Perioada de probă ține până pe 25 noiembrie 2026[^.]*\. Atunci se plătesc 49 EUR, TVA inclus, apoi tot/,
    );
    assert.match(text, /Abonamentul poate fi anulat oricând din cont/);
    assert.match(text, /Cereri pe lună: 100\.000/);
    assert.match(text, /https:\/\/pompa\.example\/cont\n/);
  });

  it('tells before the first charge how much it is, now and every month', () => {
    const textOf = (language: 'ro' | 'en') =>
      writeMail({ kind: 'trial_ending', plan: 'pro', chargedAt: AT }, language, SECRETS, SENDER).text;
    assert.match(textOf('ro'), /se plătesc 49 EUR, TVA inclus, pentru planul Pro, apoi tot atât în fiecare lună\./);
    assert.match(textOf('en'), /EUR 49 \(VAT included\) for the Pro plan, and the same every month after that\./);
  });

  it('says of a subscription that is paid or ending what is true of it', () => {
    const textOf = (kind: 'paid' | 'ending') =>
      writeMail(
        { kind: 'key', keyId: 1, plan: 'pro', orderId: 'o-1', terms: TERMS, term: { kind, until: AT } },
        ...(['ro', SECRETS, SENDER] as const),
      ).text.replaceAll('\n', ' ');
    assert.match(
      textOf('paid'),
      /Abonamentul este plătit până pe 25 noiembrie 2026[^.]*\. Atunci se plătesc din nou 49 EUR/,
    );
    assert.match(textOf('ending'), /Abonamentul se încheie pe 25 noiembrie 2026[^.]*, fără altă plată/);
  });

  it('confirms the contract: the seller, the consent, the withdrawal and the terms', () => {
    const content = {
      kind: 'key',
      keyId: 1,
      plan: 'pro',
      orderId: 'o-1',
      terms: TERMS,
      term: { kind: 'trial', until: AT },
    } as const;
    const textOf = (change: Partial<MailSender>) => writeMail(content, 'ro', SECRETS, { ...SENDER, ...change }).text;
    const own = textOf({});
    assert.match(own, /Vânzător: Carburanți & Fii SRL, Cluj, cod fiscal RO1, ops@pompa\.example\n/);
    assert.match(own, /ați cerut să începem imediat\. Vă puteți retrage din contract în 14 zile/);
    assert.match(own, /https:\/\/pompa\.example\/retragere\n[\s\S]*https:\/\/pompa\.example\/termeni\n/);
    assert.match(own, /Termenii acceptați: \d{4}-\d\d\n/);
    assert.match(
      own,
      /\nDreptul de retragere\n\n[^\n]* pe pagina retragerii \(https:\/\/pompa\.example\/retragere\) sau/,
    );
    assert.match(
      own,
      /Returnăm integral ce ați plătit[^\n]*14 zile de la retragere[\s\S]*Modelul mesajului[\s\S]*ANPC \(https:/,
    );
    assert.match(own, /\nAbonamentele\n\n[\s\S]*se plătește la începutul fiecărei luni de abonament, până la anulare/);
    assert.doesNotMatch(own, /\]\(/);
    const earlier = writeMail({ ...content, terms: '2025-01' }, 'ro', SECRETS, SENDER).text;
    assert.match(earlier, /Termenii acceptați: 2025-01\n/);
    assert.doesNotMatch(earlier, /Dreptul de retragere\n/);
    const { seller } = SENDER;
    const termsUrl = 'https://seller.example/terms';
    const mor = textOf({ salesMode: 'mor', seller: seller && { ...seller, termsUrl } });
    assert.match(mor, /Vânzător: Stripe \(Merchant of Record\)\nFurnizor: Carburanți & Fii SRL/);
    assert.match(mor, /https:\/\/seller\.example\/terms\n/);
  });

  it('about usage names the next plan, a contract after the largest, or the limit of one’s own', () => {
    const usage = { kind: 'usage', percent: 100, quota: 5, hasOwnCap: false, resetsAt: AT } as const;
    const textOf = (change: Pick<Extract<MailContent, { kind: 'usage' }>, 'plan'> & { hasOwnCap?: boolean }) =>
      writeMail({ ...usage, ...change }, 'ro', SECRETS, SENDER).text;
    assert.match(textOf({ plan: 'gratuit' }), /Planul Starter are 10\.000 de cereri pe lună, la 19 EUR pe lună/);
    assert.match(textOf({ plan: 'gratuit' }), /https:\/\/pompa\.example\/planuri\n/);
    assert.match(textOf({ plan: 'pro' }), /Planul Business are 1\.000\.000 de cereri.+ Planul se schimbă din cont/);
    assert.doesNotMatch(textOf({ plan: 'pro' }), /\/planuri/, 'an order would make a second subscription');
    assert.match(textOf({ plan: 'business' }), /planul Dedicat, prin contract: scrieți la ops@pompa\.example/);
    const own = textOf({ plan: 'pro', hasOwnCap: true });
    assert.match(own, /toată limita proprie de 5 cereri pe lună[\s\S]*Limita ați stabilit-o dumneavoastră/);
    assert.doesNotMatch(own, /Planul/);
    const unsold = writeMail({ ...usage, plan: 'gratuit' }, 'ro', SECRETS, { ...SENDER, seller: null }).text;
    assert.doesNotMatch(unsold, /Planul/);
  });

  it('is declined by one click only when it is about usage', () => {
    for (const { content, language } of ALL) {
      const { headers, text } = writeMail(content, language, SECRETS, SENDER);
      const url = `https://pompa.example${language === 'ro' ? '/cont/dezabonare' : '/en/account/unsubscribe'}?token=UNSUBSCRIBE`;
      const isUsage = content.kind === 'usage';
      const oneClick = { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
      assert.deepEqual(headers, isUsage ? oneClick : {});
      assert.equal(text.includes(url), isUsage);
    }
  });

  it('ends with why it comes, true also of an address that somebody mistyped, and with whom to write to', () => {
    for (const { content, language } of ALL) {
      const { text } = writeMail(content, language, SECRETS, SENDER);
      const isAskedByAnybody = ['login', 'free_key_confirmation', 'new_address'].includes(content.kind);
      const why = isAskedByAnybody
        ? /a scris această adresă pe|entered this address at/
        : /ați avut un cont|or had an account/;
      const [, footer = ''] = text.split('\n-- \n');
      assert.match(footer, why, content.kind);
      assert.match(footer, /Pompa\.\nhttps:\/\/pompa\.example\nCarburanți & Fii SRL, Cluj, ops@pompa\.example\n$/);
    }
  });

  it('leads a login back to the page that asked for it, by link and code', () => {
    const linkOf = (content: MailContent) =>
      /https:\S+\?token=\S+/.exec(writeMail(content, 'ro', SECRETS, SENDER).text)?.[0];
    const link = 'https://pompa.example/cont/confirmare?token=TOKEN';
    assert.equal(linkOf({ kind: 'login', loginId: 1 }), link);
    assert.equal(linkOf({ kind: 'login', loginId: 1, next: 'address' }), `${link}&next=address`);
  });

  it('escapes what is not ours', () => {
    assert.match(writeMail({ kind: 'ended', plan: 'pro' }, 'ro', {}, SENDER).html, /Carburanți &amp; Fii SRL, Cluj/);
  });
});
