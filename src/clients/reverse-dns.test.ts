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

/** An address whose name resolves to it. */
function known(address = '66.249.66.1', name = 'crawl-66-249-66-1.googlebot.com'): string {
  server.setPtr(address, [name]);
  server.setA(name, [address]);
  return address;
}

/** Waits a few turns of the event loop, after which everything that needs no outside answer is done. */
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
  test('when its name is below a suffix and resolves back to it', async () => {
    assert.equal(await dns.confirms(known(), GOOGLE), true);
    assert.deepEqual(server.questions, ['PTR 1.66.249.66.in-addr.arpa', 'A crawl-66-249-66-1.googlebot.com']);
  });

  test('of IPv6 too, in any spelling', async () => {
    const [full, name] = ['2001:4860:4801:0010:0000:0000:0000:001f', 'crawl-v6.googlebot.com'];
    server.setPtr(full, [name]);
    server.setAaaa(name, ['2001:db8:0:0:0:0:0:1', full]);
    assert.equal(await dns.confirms('2001:4860:4801:10::1f', GOOGLE), true);
    assert.equal(server.questions[0], 'PTR f.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa');
    assert.equal(await dns.confirms('2001:4860:4801:10::2f', GOOGLE), false);
  });

  test('when its name has any letter case', async () => {
    assert.equal(await dns.confirms(known('66.249.66.2', 'Crawl.GoogleBot.COM'.toLowerCase()), GOOGLE), true);
    server.setPtr('66.249.66.3', ['CRAWL.GoogleBot.COM']);
    server.setA('crawl.googlebot.com', ['66.249.66.2', '66.249.66.3']);
    assert.equal(await dns.confirms('66.249.66.3', GOOGLE), true);
  });

  test('when one of several names matches, even if the others are foreign, unknown or unanswered', async () => {
    server.setPtr('66.249.66.1', ['a.example.org', 'b.googlebot.com', 'c.googlebot.com', 'd.google.com']);
    server.setA('b.googlebot.com', ['192.0.2.1']);
    server.setA('c.googlebot.com', 'servfail');
    server.setA('d.google.com', ['192.0.2.1', '66.249.66.1']);
    assert.equal(await dns.confirms('66.249.66.1', GOOGLE), true);
    assert.ok(!server.questions.includes('A a.example.org'), 'an untrusted name is not looked up');
  });

  test('when its name is behind an alias, or comes over TCP because there are too many', async () => {
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

  test('when its name resolves to another address, to none, or only in the other family', async () => {
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

  test('by a fifth name: at most four are followed', async () => {
    server.setPtr('192.0.2.1', ['a.google.com', 'b.google.com', 'c.google.com', 'd.google.com', 'e.google.com']);
    server.setA('e.google.com', ['192.0.2.1']);
    assert.equal(await dns.confirms('192.0.2.1', GOOGLE), false);
    assert.equal(server.questions.length, 5);
  });

  test('for another operator: each needs its own lookup', async () => {
    const address = known();
    assert.equal(await dns.confirms(address, BING), false);
    assert.equal(await dns.confirms(address, GOOGLE), true);
    assert.equal(await dns.confirms(address, BING), false);
  });

  test('and not looked up when it is not an address, or when its operator has no names', async () => {
    assert.equal(await dns.confirms('unknown', GOOGLE), false);
    assert.equal(await dns.confirms(known(), []), false);
    assert.deepEqual(server.questions, []);
  });

  test('when the name server refuses, fails, sends garbage or does not exist', async () => {
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

describe('a silent name server', () => {
  test('gets one query and 500 ms in all', async (t) => {
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

  test('is given up on after the first query too', async () => {
    server.setPtr('66.249.66.1', 'silence');
    assert.equal(await resolverWithTimeout(50).confirms('66.249.66.1', GOOGLE), false);
    assert.deepEqual(server.questions, ['PTR 1.66.249.66.in-addr.arpa']);
  });
});

describe('a verdict is cached', () => {
  const TIMES = [MINUTE, HOUR, DAY, 2 * DAY];

  test('for a day when confirmed', async () => {
    assert.equal(await cachedFor(known(), TIMES), DAY);
  });

  test('for an hour when refuted: no name, a foreign one, or one that resolves elsewhere', async () => {
    server.setPtr('192.0.2.2', 'nothing');
    server.setPtr('192.0.2.3', ['a.example.org']);
    server.setPtr('192.0.2.4', ['b.googlebot.com']);
    server.setA('b.googlebot.com', ['192.0.2.9']);
    server.setPtr('192.0.2.5', ['c.googlebot.com']);
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']) {
      assert.equal(await cachedFor(address, TIMES), HOUR, address);
    }
  });

  test('for a minute when the first or the second query is unanswered', async () => {
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

describe('concurrent lookups', () => {
  test('of one address share one lookup', async () => {
    const address = known();
    const answers = await Promise.all(Array.from({ length: 100 }, () => dns.confirms(address, GOOGLE)));
    assert.deepEqual(new Set(answers), new Set([true]));
    assert.equal(server.questions.length, 2);
  });

  /** An address of its own network each. */
  const elsewhere = (at: number) => `10.${at >> 8}.${at & 255}.1`;

  test('are 32 look-ups; the 33rd waits for its turn', async () => {
    const addresses = Array.from({ length: 33 }, (_, at) => known(elsewhere(at), `c${at}.googlebot.com`));
    server.pause();
    const answers = addresses.map((address) => dns.confirms(address, GOOGLE));
    await server.waitForQuestions(32);
    await eventLoopTurns();
    assert.equal(server.questions.length, 32);
    server.release();
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([true]));
  });

  test('wait as long as a look-up may take; what comes too late is not confirmed, and not remembered', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    dns = createReverseDns({ servers: [server.address], clock: () => now });
    server.pause();
    for (let at = 0; at < 32; at += 1) void dns.confirms(known(elsewhere(at), `c${at}.googlebot.com`), GOOGLE);
    await server.waitForQuestions(32);
    const late = dns.confirms(known(), GOOGLE);
    t.mock.timers.tick(500);
    assert.equal(await late, false);
    server.release();
    await eventLoopTurns();
    assert.equal(await dns.confirms(known(), GOOGLE), true);
  });
});

describe('untrusted clients that flood', () => {
  const CRAWLER = '66.249.66.1';
  /** A new address of one /64 on each call; its reverse zone is silent. */
  let strangers = 0;
  const stranger = (network = '2001:db8:1:2') => {
    strangers += 1;
    return `${network}:0:0:0:${strangers.toString(16)}`;
  };
  const silentAddress = (network?: string) => {
    const address = stranger(network);
    server.setPtr(address, 'silence');
    return address;
  };

  test('of one /64 have two look-ups under way, and delay no crawler', async () => {
    const asked = Array.from({ length: 34 }, () => dns.confirms(silentAddress(), GOOGLE));
    await server.waitForQuestions(2);
    assert.equal(await dns.confirms(known(CRAWLER), GOOGLE), true, 'confirmed for the first time');
    now += DAY;
    assert.equal(await dns.confirms(CRAWLER, GOOGLE), true, 'confirmed again');
    assert.equal(server.questions.length, 2 + 4, 'none of the others has sent a query');
    assert.equal(new Set(asked).size, 34);
  });

  test('of one /48 have four, however many /64 they use', async () => {
    for (let at = 0; at < 60; at += 1) void dns.confirms(silentAddress(`2001:db8:1:${at.toString(16)}`), GOOGLE);
    await server.waitForQuestions(4);
    assert.equal(await dns.confirms(known(CRAWLER), GOOGLE), true);
    assert.equal(server.questions.length, 4 + 2);
  });

  test('of one /24 or /64 get 64 look-ups, then 128 an hour', async () => {
    const lookUps = async (address: () => string, times: number) => {
      const before = server.questions.length;
      for (let at = 0; at < times; at += 1) await dns.confirms(address(), GOOGLE);
      return server.questions.length - before;
    };
    const of24 = Array.from({ length: 120 }, (_, at) => `192.0.2.${at}`);
    const ofOne24 = () => of24.pop() ?? '';
    for (const address of [stranger, ofOne24]) {
      assert.equal(await lookUps(address, 80), 64);
      now += HOUR / 8;
      assert.equal(await lookUps(address, 40), 16);
    }
    assert.equal(await dns.confirms(known(CRAWLER), GOOGLE), true);
  });

  test('evict no confirmed crawler, only the oldest of their own 10,000 verdicts', async () => {
    assert.equal(await dns.confirms(known(CRAWLER), GOOGLE), true);
    for (let from = 0; from < 10_001; from += 25) {
      const batch = Array.from({ length: Math.min(25, 10_001 - from) }, (_, at) =>
        dns.confirms(`10.${(from + at) >> 8}.${(from + at) & 255}.1`, GOOGLE),
      );
      await Promise.all(batch);
    }
    const asked = server.questions.length;
    assert.equal(await dns.confirms(CRAWLER, GOOGLE), true);
    await dns.confirms('10.0.1.1', GOOGLE);
    assert.equal(server.questions.length, asked, 'the second oldest of them is there, too');
    await dns.confirms('10.0.0.1', GOOGLE);
    assert.equal(server.questions.length, asked + 1, 'the oldest went');
  });
});
