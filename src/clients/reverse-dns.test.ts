import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DnsServer } from '../../test/support/simulators/dns-server.ts';
import { createReverseDns, type ReverseDns } from './reverse-dns.ts';

const GOOGLE = ['.googlebot.com', '.google.com'] as const;
const BING = ['.search.msn.com'] as const;
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** Longer than any answer takes on a machine that is busy with other tests. */
const PATIENT = 20_000;

let server: DnsServer;
let now: number;
let dns: ReverseDns;
beforeEach(async () => {
  server = await DnsServer.start();
  now = 1_000;
  dns = resolverWithTimeout(PATIENT);
});
afterEach(() => server.close());

const resolverWithTimeout = (timeoutMs: number) =>
  createReverseDns({ servers: [server.address], clock: () => now, timeoutMs });

/** An address whose name leads back to it. */
function known(address = '66.249.66.1', name = 'crawl-66-249-66-1.googlebot.com'): string {
  server.setPtr(address, [name]);
  server.setA(name, [address]);
  return address;
}

/** What needs no answer from outside is done after a few turns of the event loop. */
async function eventLoopTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

/** Which of these times, in their order, the verdict is kept for to the millisecond; `null` = for none of them. */
async function cachedFor(address: string, times: readonly number[]): Promise<number | null> {
  const start = now;
  await dns.confirms(address, GOOGLE);
  const askedAfter = async (ms: number) => {
    const before = server.questions.length;
    now = start + ms;
    await dns.confirms(address, GOOGLE);
    return server.questions.length > before;
  };
  for (const time of times) {
    if (await askedAfter(time - 1)) return null;
    if (await askedAfter(time)) return time;
  }
  return null;
}

describe('an address is confirmed', () => {
  test('when its name is below a suffix and leads back to it', async () => {
    assert.equal(await dns.confirms(known(), GOOGLE), true);
    assert.deepEqual(server.questions, ['PTR 1.66.249.66.in-addr.arpa', 'A crawl-66-249-66-1.googlebot.com']);
  });

  test('of IPv6 as well, in whatever spelling', async () => {
    const [full, name] = ['2001:4860:4801:0010:0000:0000:0000:001f', 'crawl-v6.googlebot.com'];
    server.setPtr(full, [name]);
    server.setAaaa(name, ['2001:db8:0:0:0:0:0:1', full]);
    assert.equal(await dns.confirms('2001:4860:4801:10::1f', GOOGLE), true);
    assert.equal(server.questions[0], 'PTR f.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa');
    assert.equal(await dns.confirms('2001:4860:4801:10::2f', GOOGLE), false);
  });

  test('in whatever case its name is written', async () => {
    assert.equal(await dns.confirms(known('66.249.66.2', 'Crawl.GoogleBot.COM'.toLowerCase()), GOOGLE), true);
    server.setPtr('66.249.66.3', ['CRAWL.GoogleBot.COM']);
    server.setA('crawl.googlebot.com', ['66.249.66.2', '66.249.66.3']);
    assert.equal(await dns.confirms('66.249.66.3', GOOGLE), true);
  });

  test('when one of several names does it, the others being strangers, dead or without an answer', async () => {
    server.setPtr('66.249.66.1', ['a.example.org', 'b.googlebot.com', 'c.googlebot.com', 'd.google.com']);
    server.setA('b.googlebot.com', ['192.0.2.1']);
    server.setA('c.googlebot.com', 'servfail');
    server.setA('d.google.com', ['192.0.2.1', '66.249.66.1']);
    assert.equal(await dns.confirms('66.249.66.1', GOOGLE), true);
    assert.ok(!server.questions.includes('A a.example.org'), 'a stranger’s name is not followed');
  });

  test('when its name stands behind an alias, or comes over TCP because there are too many', async () => {
    server.setAlias('66.249.66.1', '1.0-25.66.249.66.in-addr.arpa', 'alias.googlebot.com');
    server.setA('alias.googlebot.com', ['66.249.66.1']);
    assert.equal(await dns.confirms('66.249.66.1', GOOGLE), true);
    server.setTruncated('66.249.66.9', ['many.googlebot.com']);
    server.setA('many.googlebot.com', ['66.249.66.9']);
    assert.equal(await dns.confirms('66.249.66.9', GOOGLE), true);
  });
});

describe('an address is not confirmed', () => {
  test('when its name is not below a suffix at a dot', async () => {
    const names = ['evilgooglebot.com', 'googlebot.com', 'googlebot.com.evil.org', 'crawl.googlebot.com.evil.org'];
    const escaped = ['x\\.googlebot.com.evil.org', 'evil\\.googlebot.com', 'x y.googlebot.com'];
    for (const [at, name] of [...names, ...escaped].entries()) {
      assert.equal(await dns.confirms(known(`192.0.2.${at}`, name), GOOGLE), false, name);
    }
    assert.deepEqual(
      server.questions.filter((question) => question.startsWith('A ')),
      [],
    );
  });

  test('when its name leads elsewhere, nowhere, or only in the other family', async () => {
    server.setPtr('192.0.2.1', ['one.googlebot.com']);
    server.setA('one.googlebot.com', ['66.249.66.1']);
    server.setPtr('192.0.2.2', ['two.googlebot.com']);
    server.setPtr('192.0.2.3', ['three.googlebot.com']);
    server.setA('three.googlebot.com', 'nothing');
    server.setAaaa('three.googlebot.com', ['0:0:0:0:0:ffff:c000:203']);
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      assert.equal(await dns.confirms(address, GOOGLE), false, address);
    }
  });

  test('by a fifth name: no more than four are followed', async () => {
    server.setPtr('192.0.2.1', ['a.google.com', 'b.google.com', 'c.google.com', 'd.google.com', 'e.google.com']);
    server.setA('e.google.com', ['192.0.2.1']);
    assert.equal(await dns.confirms('192.0.2.1', GOOGLE), false);
    assert.equal(server.questions.length, 5);
  });

  test('for another operator: each asks for itself', async () => {
    const address = known();
    assert.equal(await dns.confirms(address, BING), false);
    assert.equal(await dns.confirms(address, GOOGLE), true);
    assert.equal(await dns.confirms(address, BING), false);
  });

  test('without a look-up when it is no address, or when its operator has no names', async () => {
    assert.equal(await dns.confirms('unknown', GOOGLE), false);
    assert.equal(await dns.confirms(known(), []), false);
    assert.deepEqual(server.questions, []);
  });

  test('when the name server refuses, fails, talks nonsense, or is not there', async () => {
    for (const [at, reply] of (['refused', 'servfail', 'nonsense', 'nothing', 'nxdomain'] as const).entries()) {
      server.setPtr(`192.0.2.${at}`, reply);
      assert.equal(
        await (reply === 'nonsense' ? resolverWithTimeout(50) : dns).confirms(`192.0.2.${at}`, GOOGLE),
        false,
        reply,
      );
    }
    const nobody = createReverseDns({ servers: ['127.0.0.1:1'], timeoutMs: PATIENT });
    assert.equal(await nobody.confirms('66.249.66.1', GOOGLE), false);
  });
});

describe('a name server that keeps silent', () => {
  test('is waited for 500 ms in all, and asked once', async (t) => {
    const address = known();
    server.setA('crawl-66-249-66-1.googlebot.com', 'silence');
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let verdict: boolean | undefined;
    const answer = createReverseDns({ servers: [server.address] }).confirms(address, GOOGLE);
    void answer.then((confirmed) => {
      verdict = confirmed;
    });
    await server.waitForQuestions(2);
    t.mock.timers.tick(499);
    await eventLoopTurns();
    assert.equal(verdict, undefined);
    t.mock.timers.tick(1);
    await eventLoopTurns();
    assert.equal(verdict, false);
    assert.equal(server.questions.length, 2);
  });

  test('to the first question already, too', async () => {
    server.setPtr('66.249.66.1', 'silence');
    assert.equal(await resolverWithTimeout(50).confirms('66.249.66.1', GOOGLE), false);
    assert.deepEqual(server.questions, ['PTR 1.66.249.66.in-addr.arpa']);
  });
});

describe('a verdict is kept', () => {
  const TIMES = [MINUTE, HOUR, DAY, 2 * DAY];

  test('for a day when confirmed', async () => {
    assert.equal(await cachedFor(known(), TIMES), DAY);
  });

  test('for an hour when refuted: no name, a stranger’s, or one that leads elsewhere', async () => {
    server.setPtr('192.0.2.2', 'nothing');
    server.setPtr('192.0.2.3', ['a.example.org']);
    server.setPtr('192.0.2.4', ['b.googlebot.com']);
    server.setA('b.googlebot.com', ['192.0.2.9']);
    server.setPtr('192.0.2.5', ['c.googlebot.com']);
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']) {
      assert.equal(await cachedFor(address, TIMES), HOUR, address);
    }
  });

  test('for a minute when unanswered, to the first question or to the second', async () => {
    server.setPtr('192.0.2.1', 'servfail');
    server.setPtr('192.0.2.2', 'refused');
    server.setPtr('192.0.2.3', ['a.googlebot.com', 'b.googlebot.com']);
    server.setA('a.googlebot.com', 'servfail');
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      assert.equal(await cachedFor(address, TIMES), MINUTE, address);
    }
    dns = resolverWithTimeout(50);
    server.setPtr('192.0.2.4', 'silence');
    assert.equal(await cachedFor('192.0.2.4', TIMES), MINUTE);
  });

  test('and replaced by the next one', async () => {
    server.setPtr('66.249.66.1', 'servfail');
    assert.equal(await dns.confirms('66.249.66.1', GOOGLE), false);
    known();
    assert.equal(await dns.confirms('66.249.66.1', GOOGLE), false);
    now += MINUTE;
    assert.equal(await dns.confirms('66.249.66.1', GOOGLE), true);
  });
});

describe('many at once', () => {
  test('who ask for one address share one look-up', async () => {
    const address = known();
    const answers = await Promise.all(Array.from({ length: 100 }, () => dns.confirms(address, GOOGLE)));
    assert.deepEqual(new Set(answers), new Set([true]));
    assert.equal(server.questions.length, 2);
  });

  test('are 32 look-ups; the 33rd is not confirmed, and not remembered', async () => {
    const addresses = Array.from({ length: 33 }, (_, at) => known(`66.249.66.${at}`, `c${at}.googlebot.com`));
    server.pause();
    const first = addresses.slice(0, 32).map((address) => dns.confirms(address, GOOGLE));
    assert.equal(await dns.confirms('66.249.66.32', GOOGLE), false);
    const sharing = dns.confirms('66.249.66.31', GOOGLE);
    await server.waitForQuestions(32);
    server.release();
    assert.deepEqual(new Set(await Promise.all([...first, sharing])), new Set([true]));
    assert.equal(await dns.confirms('66.249.66.32', GOOGLE), true);
  });

  test('leave 10,000 verdicts, of which the oldest goes first', async () => {
    const nobody = (at: number) => `192.0.${at >> 8}.${at & 255}`;
    const oldest = known();
    assert.equal(await dns.confirms(oldest, GOOGLE), true);
    for (let at = 0; at < 9_999; at += 25) {
      const batch = Array.from({ length: Math.min(25, 9_999 - at) }, (_, more) =>
        dns.confirms(nobody(at + more), GOOGLE),
      );
      await Promise.all(batch);
    }
    const asked = server.questions.length;
    await dns.confirms(oldest, GOOGLE);
    assert.equal(server.questions.length, asked, 'the oldest is still there');
    await dns.confirms(nobody(9_999), GOOGLE);
    await dns.confirms(nobody(0), GOOGLE);
    assert.equal(server.questions.length, asked + 1, 'the second oldest is, too');
    await dns.confirms(oldest, GOOGLE);
    assert.equal(server.questions.length, asked + 3, 'the oldest went');
  });
});
