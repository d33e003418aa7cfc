import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { crawlerOf, crawlerTable, DEFAULT_CRAWLERS, isCrawlerToken } from './crawlers.ts';

const TABLE = crawlerTable(DEFAULT_CRAWLERS);
const named = (userAgent: string | undefined) => crawlerOf(userAgent, TABLE)?.token ?? null;

/** The rule implemented differently: checks every occurrence of every token; the first match wins. */
function byHand(userAgent: string, tokens: readonly string[]): string | null {
  const lower = userAgent.toLowerCase();
  for (let at = 0; at < lower.length; at += 1) {
    const before = at === 0 || ' ;(,'.includes(lower.charAt(at - 1));
    const token = tokens.find((token) => {
      const end = at + token.length;
      const [next, after] = [lower.charAt(end), lower.charAt(end + 1)];
      const follows = next === '' || next === ';' || next === ')' || (next === '/' && after >= '0' && after <= '9');
      return lower.startsWith(token.toLowerCase(), at) && follows;
    });
    if (before && token !== undefined) return token;
  }
  return null;
}

describe('a crawler', () => {
  it('is recognised by the User-Agent that it really sends', () => {
    const real = {
      Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      bingbot:
        'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/103.0.5060.134 Safari/537.36',
      Applebot:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
      YandexBot: 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
      Amazonbot:
        'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36',
      GPTBot: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot',
      ClaudeBot:
        'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
      'meta-externalagent': 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
      CCBot: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
      DuckDuckBot: 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
    };
    for (const [token, userAgent] of Object.entries(real)) assert.equal(named(userAgent), token);
  });

  it('is recognised in any case, at every allowed position of its token', () => {
    for (const { token } of DEFAULT_CRAWLERS) {
      for (const spelled of [token, token.toLowerCase(), token.toUpperCase()]) {
        const good = [spelled, `${spelled}/1`, `${spelled};`, `${spelled})`, `x ${spelled}`, `x;${spelled}/2.0 y`];
        const bad = [
          `x${spelled}`,
          `${spelled}x`,
          `${spelled} x`,
          `${spelled}/x`,
          `${spelled}/`,
          `-${spelled}`,
          `${spelled},`,
        ];
        for (const text of [...good, `(${spelled})`, `x,${spelled}`]) assert.equal(named(text), token, text);
        for (const text of [...bad, `/${spelled}`, `\t${spelled}`, `${spelled}\n`])
          assert.equal(named(text), null, text);
      }
    }
  });

  it('is not a client that only mentions one, a browser, or a client without User-Agent', () => {
    const others = [
      'DrumIQ/1.0 (ClaudeBot-assisted)',
      'anthropic-ai LIVRA/1.0',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'curl/8.14.1',
      '',
    ];
    for (const userAgent of others) assert.equal(named(userAgent), null, userAgent);
    assert.equal(named(undefined), null);
  });

  it('is the whole token, not the beginning of a longer one', () => {
    assert.equal(named('Applebot-Extended/0.1'), 'Applebot-Extended');
    assert.equal(named('Applebot/0.1'), 'Applebot');
    const table = crawlerTable([
      { token: 'bot', suffixes: [] },
      { token: 'bot.x', suffixes: [] },
    ]);
    assert.equal(crawlerOf('bot.x/1', table)?.token, 'bot.x');
    assert.equal(crawlerOf('botax/1', table), null);
    assert.equal(crawlerOf('botax/1 bot.x/1', table)?.token, 'bot.x');
  });

  it('that names several counts as the first only', () => {
    const crawler = crawlerOf('ClaudeBot/1.0 (compatible; Googlebot/2.1)', TABLE);
    assert.deepEqual(crawler, { token: 'ClaudeBot', suffixes: [] });
    assert.deepEqual(crawlerOf('bingbot/2.0 Googlebot/2.1', TABLE)?.suffixes, ['.search.msn.com']);
  });

  it('is recognised exactly by the rule, for any User-Agent', () => {
    const tokens = DEFAULT_CRAWLERS.map(({ token }) => token);
    const piece = fc.oneof(
      fc.constantFrom(...tokens),
      fc.constantFrom(' ', ';', '(', ')', ',', '/', '/1', '-', '\t', '\u017f', 'x', 'bot', 'Mozilla/5.0'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        assert.equal(named(pieces.join('')), byHand(pieces.join(''), tokens));
      }),
      { numRuns: 20_000 },
    );
  });

  it('is searched for in linear time in a hostile User-Agent', () => {
    for (const userAgent of [' '.repeat(100_000), ' Googlebo'.repeat(10_000), 'Googlebot '.repeat(10_000)]) {
      const began = process.cpuUsage().user;
      assert.equal(named(userAgent), null);
      assert.ok(process.cpuUsage().user - began < 500_000);
    }
  });
});

describe('the built-in table', () => {
  it('has the 24 tokens of the rule, all valid, and DNS suffixes for five operators', () => {
    assert.equal(DEFAULT_CRAWLERS.length, 24);
    assert.equal(new Set(DEFAULT_CRAWLERS.map(({ token }) => token.toLowerCase())).size, 24);
    assert.ok(DEFAULT_CRAWLERS.every(({ token }) => isCrawlerToken(token)));
    assert.deepEqual(
      DEFAULT_CRAWLERS.filter(({ suffixes }) => suffixes.length > 0).map(({ token }) => token),
      ['Googlebot', 'Google-Extended', 'bingbot', 'Applebot', 'Applebot-Extended', 'Amazonbot', 'YandexBot'],
    );
  });

  it('may be empty', () => {
    assert.equal(crawlerOf('', crawlerTable([])), null);
    assert.equal(crawlerOf('Googlebot/2.1', crawlerTable([])), null);
  });
});

it('a token consists of letters, digits and single signs between them', () => {
  for (const token of ['a', 'A-b_c.d', '9x', 'a'.repeat(64)]) assert.equal(isCrawlerToken(token), true, token);
  for (const token of ['', ' ', 'a b', '-a', 'a-', 'a/1', 'a;', '(a)', 'ă', 'a\n', 'a'.repeat(65), '.*']) {
    assert.equal(isCrawlerToken(token), false, token);
  }
});
