import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { crawlerOf } from '../domain/access/crawlers.ts';
import { type IpAddress, parseAddress } from '../domain/access/ip-address.ts';
import { isTrusted } from '../domain/access/trusted-proxies.ts';
import { ConfigError, isRemote, PROJECT_DIR, publicUrl, readConfig } from './config.ts';
import { PUBLIC_REGISTER, SETTINGS } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const dotEnv = (text: string) => writeFileSync(path.join(folder, '.env'), text);
const read = (environment: Record<string, string> = {}) => readConfig(environment, folder);

/** The message of the `ConfigError` for these settings. */
function refusal(environment: Record<string, string>): string {
  try {
    read(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError, `${error}`);
    assert.ok(!error.message.includes('\n'), 'one line');
    return error.message;
  }
  throw new Error('it was not refused');
}

describe('without any setting', () => {
  test('the service listens on loopback, collects nothing and keeps its data in the project', () => {
    const { HOST, PORT, SOURCES, DATABASE_URL, DATA_DIR, PUBLIC_URL, CONTACT, COLLECT_EVERY, REGISTER_URL } = read();
    assert.deepEqual(
      { HOST, PORT, SOURCES, DATABASE_URL, DATA_DIR, PUBLIC_URL, CONTACT, COLLECT_EVERY, REGISTER_URL },
      {
        HOST: '127.0.0.1',
        PORT: 8_080,
        SOURCES: [],
        DATABASE_URL: null,
        DATA_DIR: path.join(folder, 'data'),
        PUBLIC_URL: null,
        CONTACT: null,
        COLLECT_EVERY: 7_200_000,
        REGISTER_URL: PUBLIC_REGISTER,
      },
    );
    assert.ok(path.isAbsolute(PROJECT_DIR));
  });

  test('an empty setting counts as unset', () => {
    assert.equal(read({ PORT: '', DATABASE_URL: '', SOURCES: '' }).PORT, 8_080);
  });
});

describe('settings', () => {
  test('are frozen, including lists', () => {
    const config = read({ SOURCES: 'manual' }) as unknown as { PORT: number; SOURCES: string[] };
    assert.throws(() => {
      config.PORT = 1;
    }, TypeError);
    assert.throws(() => config.SOURCES.push('register'), TypeError);
  });

  test('come from .env, with its quotes and comments; the environment wins', () => {
    dotEnv('# ours\nPORT=9000\nHOST="0.0.0.0" # all\nDATA_DIR=kept here\n');
    const { PORT, HOST, DATA_DIR } = read({ PORT: '9001' });
    assert.deepEqual(
      { PORT, HOST, DATA_DIR },
      { PORT: 9_001, HOST: '0.0.0.0', DATA_DIR: path.join(folder, 'kept here') },
    );
  });

  test('an absolute DATA_DIR stays as it is', () => {
    assert.equal(read({ DATA_DIR: '/var/lib/pompa' }).DATA_DIR, '/var/lib/pompa');
  });

  test('ranges that are not named keep their default', () => {
    const { PRICE_RANGES } = read({ PRICE_RANGES: 'benzina=6.00-9.505, gpl=2-5' });
    assert.deepEqual(PRICE_RANGES.petrol, { min: 6_000, max: 9_505 });
    assert.deepEqual(PRICE_RANGES.petrol_premium, { min: 6_000, max: 9_505 });
    assert.deepEqual(PRICE_RANGES.lpg, { min: 2_000, max: 5_000 });
    assert.deepEqual(PRICE_RANGES.diesel, { min: 5_500, max: 13_000 });
  });

  test('name servers get the DNS port if none is given; unset = the system’s', () => {
    const { DNS_SERVERS } = read({ DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353,2620:FE::fe ,[::1]:1053' });
    assert.deepEqual(DNS_SERVERS, ['9.9.9.9:53', '127.0.0.1:5353', '[2620:fe::fe]:53', '[::1]:1053']);
    assert.equal(read().DNS_SERVERS, null);
  });

  test('proxies are trusted as listed, by default none', () => {
    const parsed = parseAddress('10.1.2.3') as IpAddress;
    assert.equal(isTrusted(parsed, read({ TRUSTED_PROXIES: '::1, 10.0.0.0/8' }).TRUSTED_PROXIES), true);
    assert.equal(isTrusted(parsed, read().TRUSTED_PROXIES), false);
  });

  test('crawlers come from CRAWLERS_FILE, relative to the project’s folder, else from the built-in table', () => {
    writeFileSync(path.join(folder, 'crawlers.json'), '[{"token": "Spinne", "suffixes": [".spinne.example"]}]');
    const own = read({ CRAWLERS_FILE: 'crawlers.json' }).crawlers;
    assert.deepEqual(crawlerOf('spinne/1.0', own), { token: 'Spinne', suffixes: ['.spinne.example'] });
    assert.equal(crawlerOf('Googlebot/2.1', own), null);
    assert.equal(crawlerOf('Googlebot/2.1', read().crawlers)?.token, 'Googlebot');
  });

  test('the public address is PUBLIC_URL, else where the service listens', () => {
    assert.equal(publicUrl(read({ PUBLIC_URL: 'https://pompa.example.ro/' }), 1), 'https://pompa.example.ro');
    assert.equal(publicUrl(read(), 8_081), 'http://127.0.0.1:8081');
    assert.equal(publicUrl(read({ HOST: '::1' }), 8_081), 'http://[::1]:8081');
  });
});

describe('setting names', () => {
  test('an unknown one in .env prevents startup, with a suggestion', () => {
    dotEnv('PROT=9000\n');
    assert.equal(refusal({}), 'unknown setting PROT in .env; did you mean PORT?');
    for (const name of ['NOTHING_LIKE_IT', 'constructor']) {
      dotEnv(`${name}=1\n`);
      assert.equal(refusal({}), `unknown setting ${name} in .env; docs/SETTINGS.md lists them`);
    }
  });

  for (const name of ['DATABASE_UR', 'DATABASE_URLS', 'DATABASE_URI', 'DATABASE_RUL', 'SOURCE', 'LOGLEVEL']) {
    test(`${name} in the environment is one letter off and prevents startup`, () => {
      assert.match(
        refusal({ [name]: 'x' }),
        new RegExp(`^unknown setting ${name} in the environment; did you mean [A-Z_]+\\?$`),
      );
    });
  }

  for (const name of [
    'HOME',
    'PATH',
    'SHELL',
    'HOSTNAME',
    'LANG',
    'PWD',
    'DATABASE',
    'LOG',
    'PORTAL',
    'port',
    'constructor',
  ]) {
    test(`${name} in the environment is ignored`, () => {
      read({ [name]: 'x' });
    });
  }

  test('a malformed line of .env prevents startup and is named', () => {
    dotEnv('# the port\n\nPORT 8081\n');
    assert.equal(refusal({}), '.env line 3 must be NAME=value, a comment after #, or empty');
  });

  test('an unreadable .env prevents startup', () => {
    mkdirSync(path.join(folder, '.env'));
    assert.match(refusal({}), /\.env cannot be read: EISDIR/);
  });
});

test('CAPTCHA_KIND follows from CAPTCHA_SECRET unless it is set', () => {
  const kind = (settings: Record<string, string>) => read(settings).CAPTCHA_KIND;
  assert.equal(kind({}), 'altcha');
  assert.equal(kind({ CAPTCHA_SECRET: 'geheim' }), 'recaptcha');
  assert.equal(kind({ CAPTCHA_SECRET: 'geheim', CAPTCHA_KIND: 'recaptcha' }), 'recaptcha');
  for (const CAPTCHA_KIND of ['altcha', 'none'])
    for (const CAPTCHA_SECRET of ['', 'geheim']) assert.equal(kind({ CAPTCHA_SECRET, CAPTCHA_KIND }), CAPTCHA_KIND);
  assert.equal(
    refusal({ CAPTCHA_KIND: 'recaptcha' }),
    'CAPTCHA_SECRET must be set when CAPTCHA_KIND is recaptcha: the secret of its verifier',
  );
});

test('ROUTER_URL is an origin, with or without a trailing slash', () => {
  const { ROUTER_URL, ROUTER_KIND } = read();
  assert.deepEqual([ROUTER_URL, ROUTER_KIND], [null, 'osrm']);
  assert.equal(read({ ROUTER_URL: 'http://127.0.0.1:5000/' }).ROUTER_URL, 'http://127.0.0.1:5000');
  assert.equal(read({ ROUTER_URL: 'https://routes.example.org' }).ROUTER_URL, 'https://routes.example.org');
});

describe('an .env with a secret that other users of the machine can read', () => {
  const file = () => path.join(folder, '.env');

  test('prevents startup, with the command that fixes it', () => {
    for (const secret of [
      'CAPTCHA_SECRET=geheim',
      'DATABASE_URL=postgres://pompa:geheim@db/pompa',
      'ROMPETROL_URL=https://lists.example.org/stations?token=geheim',
      'SOURCES=register, prices:socar=https://lists.example.org/socar.csv?token=geheim',
    ]) {
      for (const mode of [0o640, 0o604, 0o644]) {
        dotEnv(`${secret}\nCAPTCHA_HOSTNAMES=x.ro\nCONTACT=ops@example.org\n`);
        chmodSync(file(), mode);
        const [name] = secret.split('=');
        const sentence = `${name} in .env is a secret that other users of this machine can read: run chmod 600 ${file()}`;
        assert.equal(refusal({}), sentence);
        chmodSync(file(), 0o600);
        assert.equal(read().CAPTCHA_HOSTNAMES?.[0], 'x.ro');
      }
    }
  });

  test('does not concern files without secrets, nor secrets in the environment', () => {
    dotEnv(
      'PORT=9000\nCAPTCHA_SECRET=\nDATABASE_URL=postgres:///pompa?host=/run/postgresql\nREGISTER_URL=http://127.0.0.1:1/Gas\n',
    );
    chmodSync(file(), 0o644);
    assert.equal(read({ CAPTCHA_SECRET: 'geheim' }).PORT, 9_000);
  });
});

test('a message shows only the scheme and the host of an address', () => {
  for (const [name, text] of [
    ['ROMPETROL_URL', 'https://ana:geheim@lists.example.org/stations'],
    ['LOCATOR_MOL_URL', 'https://lists.example.org/stations?token=geheim#geheim'],
    ['REGISTER_URL', 'https://lists.example.org/geheim?token=geheim'],
    ['ROUTER_URL', 'https://ana:geheim@lists.example.org:5000'],
    ['SOURCES', 'prices:socar=https://ana:geheim@lists.example.org/x'],
    ['SOURCES', 'price:socar=https://lists.example.org/x?token=geheim'],
  ] as const) {
    const message = refusal({ [name]: text });
    assert.doesNotMatch(message, /geheim|ana/, name);
    assert.match(message, /https:\/\/lists\.example\.org/, name);
  }
});

describe('a wrong value', () => {
  const cases: [name: string, values: string[], advice: RegExp][] = [
    [
      'PORT',
      ['-1', '65536', '80a', '1e3', ' 80', '8080.5'],
      /^PORT must be a whole number from 0 to 65535, such as 8080, not "/,
    ],
    ['HOST', ['a b', 'http://x', 'x/y'], /^HOST must be a host name or an IP address, such as 127\.0\.0\.1/],
    [
      'METRICS_HOST',
      ['a b', 'http://x', 'x/y'],
      /^METRICS_HOST must be a host name or an IP address, such as 127\.0\.0\.1/,
    ],
    [
      'PUBLIC_URL',
      ['pompa.ro', 'ftp://x', 'https://x?y=1', 'https://x#y', 'https://u@x', 'https://:p@x'],
      /^PUBLIC_URL must be an http or https address without a query, such as https:/,
    ],
    [
      'DATABASE_URL',
      ['mysql://u:geheim@h/d', 'geheim', '/var/run'],
      /^DATABASE_URL must be a PostgreSQL address, such as postgres:\/\/user:password@host:5432\/pompa$/,
    ],
    [
      'SOURCES',
      ['registre', 'register,nobody'],
      /^SOURCES names the unknown source "(registre|nobody)"; the sources are register, rompetrol, locator:omv, locator:petrom, locator:mol, prices:NAME=URL-or-path, manual/,
    ],
    ['SOURCES', ['manual,manual'], /^SOURCES names the source manual twice/],
    [
      'DUMP_SOURCES',
      ['all', 'register;manual', 'prices:', 'prices:socar=https://lists.example.org/x?token=geheim'],
      /^DUMP_SOURCES names the unknown source "[^?]*"; the sources are register, .*, manual, prices:NAME, import/,
    ],
    ['DUMP_SOURCES', ['import, import'], /^DUMP_SOURCES names the source import twice/],
    [
      'COLLECT_EVERY',
      ['2', '2 h', '2hours', '0h', '25h', '2w', '-1h', '1.5h'],
      /^COLLECT_EVERY must be a duration from 1s to 1d, such as 30m or 2h/,
    ],
    ['REGISTER_URL', ['monitorulpreturilor.info'], /^REGISTER_URL must be an http or https address/],
    [
      'REGISTER_PAUSE_MS',
      ['-1', '60001', 'fast'],
      /^REGISTER_PAUSE_MS must be a whole number from 0 to 60000, such as 300/,
    ],
    ['REGISTER_PARALLEL', ['0', '17'], /^REGISTER_PARALLEL must be a whole number from 1 to 16, such as 2/],
    [
      'CONTACT',
      ['me', 'me@home', 'a b@c.d', 'x@y.z (evil)', 'http://x\r\nEvil: 1', 'a\u001b@b.ro', 'ană@b.ro'],
      /^CONTACT must be an e-mail address or a URL, such as ops@example\.org/,
    ],
    [
      'PRICE_RANGES',
      ['benzina', 'benzina=12-5', 'benzina=5,5-12', 'petrol=5-12', 'benzina=5-12;gpl=2-6', 'toString=5-12'],
      /^PRICE_RANGES must name ranges in RON per litre, such as benzina=5\.50-12\.00/,
    ],
    [
      'TRUSTED_PROXIES',
      ['localhost', '10.1.0.0/8', '10.0.0.1,', '0.0.0.0/1,128.0.0.0/2', '::/0', 'true'],
      /^TRUSTED_PROXIES must .* 10\.0\.0\.0\/8/,
    ],
    [
      'DNS_SERVERS',
      ['localhost', 'dns.example.org:53', '1.2.3', '1.2.3.4:0', '1.2.3.4:65536', '::1,', '[::1', 'udp://1.2.3.4', ' '],
      /^DNS_SERVERS must be IP addresses, with or without a port, such as 9\.9\.9\.9 or \[2620:fe::fe\]:53; entry \d is "/,
    ],
    ['TANKERKOENIG_URL', ['tankerkoenig.de'], /^TANKERKOENIG_URL must be an http or https address/],
    [
      'TANKERKOENIG_API_KEY',
      ['a b', 'schlüssel', 'x'.repeat(201)],
      /^TANKERKOENIG_API_KEY must be at most 200 letters, digits and signs, without spaces$/,
    ],
    [
      'TANKERKOENIG_PER_HOUR',
      ['0', '1001', '1.5'],
      /^TANKERKOENIG_PER_HOUR must be a whole number from 1 to 1000, such as 12/,
    ],
    [
      'ROUTER_URL',
      ['127.0.0.1:5000', 'ftp://x', 'http://x/osrm', 'http://x/?a', 'http://x#', 'http://u@x', 'osrm'],
      /^ROUTER_URL must be an http or https address without a path, such as http:\/\/127\.0\.0\.1:5000/,
    ],
    ['ROUTER_KIND', ['OSRM', 'graphhopper'], /^ROUTER_KIND must be one of osrm, valhalla/],
    ['METRICS_PORT', ['-1', '65536', 'on'], /^METRICS_PORT must be a whole number from 0 to 65535, such as 9464/],
    ['CAPTCHA_KIND', ['ALTCHA', 'hcaptcha'], /^CAPTCHA_KIND must be one of altcha, recaptcha, none/],
    ['CAPTCHA_URL', ['google.com'], /^CAPTCHA_URL must be an http or https address/],
    [
      'CAPTCHA_SECRET',
      ['ge heim', 'geheim\n', 'ă', 'x'.repeat(201)],
      /^CAPTCHA_SECRET must be at most 200 letters, digits and signs, without spaces$/,
    ],
    [
      'CAPTCHA_HOSTNAMES',
      ['https://x.ro', 'x.ro:80', 'x.ro,', '-x'],
      /^CAPTCHA_HOSTNAMES must be host names without a scheme or port, such as pompa/,
    ],
    [
      'CAPTCHA_MIN_SCORE',
      ['-0.1', '1.1', '.5', '0,5', '50%'],
      /^CAPTCHA_MIN_SCORE must be a number from 0 to 1, such as 0\.5/,
    ],
    ['LOG_LEVEL', ['loud', 'INFO'], /^LOG_LEVEL must be one of trace, debug, info/],
  ];
  for (const [name, values, advice] of cases) {
    test(`of ${name} prevents startup, with a sentence that names it and a valid value`, () => {
      for (const value of values) assert.match(refusal({ [name]: value }), advice, value);
    });
  }

  test('of PRICES_MAP prevents startup: a missing file or a wrong map', () => {
    assert.match(refusal({ PRICES_MAP: 'nowhere.json' }), /^PRICES_MAP must point to a readable file: ENOENT/);
    writeFileSync(path.join(folder, 'maps.json'), '{"socar": {"column": {}}}');
    assert.match(
      refusal({ PRICES_MAP: 'maps.json' }),
      /^PRICES_MAP accepts .*, not "column", for "socar" in .*maps\.json$/,
    );
    writeFileSync(path.join(folder, 'maps.json'), '{"socar": {}}');
    assert.deepEqual([...read({ PRICES_MAP: 'maps.json' }).priceMaps.keys()], ['socar']);
  });

  test('of CRAWLERS_FILE prevents startup: a missing or wrong file', () => {
    assert.match(
      refusal({ CRAWLERS_FILE: 'nowhere.json' }),
      /^CRAWLERS_FILE must point to a readable file: ENOENT.*nowhere\.json/,
    );
    writeFileSync(path.join(folder, 'crawlers.json'), '[{"token": ""}]');
    assert.match(refusal({ CRAWLERS_FILE: 'crawlers.json' }), /^CRAWLERS_FILE needs a "token" of letters/);
  });

  test('in .env prevents startup as well', () => {
    dotEnv('PORT=http\n');
    assert.match(refusal({}), /^PORT must be .* not "http"$/);
  });

  test('of DATABASE_URL is never repeated: it may hold a password', () => {
    assert.doesNotMatch(refusal({ DATABASE_URL: 'mysql://u:geheim@h/d' }), /geheim/);
  });

  test('of TANKERKOENIG_API_KEY is never repeated', () => {
    assert.doesNotMatch(refusal({ TANKERKOENIG_API_KEY: 'geheim geheim' }), /geheim/);
  });

  test('is cut in the message if it is very long', () => {
    assert.ok(refusal({ PORT: '9'.repeat(5_000) }).length < 250);
  });
});

describe('price lists', () => {
  test('are named in SOURCES with an address, or with a path relative to the project’s folder', () => {
    const { SOURCES, priceLists } = read({
      SOURCES: 'prices:socar=https://example.org/p.csv?a=b%2Cc, manual,prices:de-pe-drum=lists/independent.csv',
      CONTACT: 'ops@example.org',
    });
    assert.deepEqual(SOURCES, ['prices:socar', 'manual', 'prices:de-pe-drum']);
    assert.deepEqual(
      [...priceLists],
      [
        ['prices:socar', 'https://example.org/p.csv?a=b%2Cc'],
        ['prices:de-pe-drum', path.join(folder, 'lists/independent.csv')],
      ],
    );
  });

  test('must have a name and a location', () => {
    for (const text of [
      'prices:',
      'prices:socar',
      'prices:socar=',
      'prices:Socar=a.csv',
      'prices:=a.csv',
      'prices:-a=b',
    ])
      assert.match(
        refusal({ SOURCES: text }),
        /^SOURCES must name a price list and its location, such as prices:socar=/,
      );
    assert.match(
      refusal({ SOURCES: 'prices:a=ftp://h/a' }),
      /^SOURCES must point prices:a to an http or https address/,
    );
    assert.match(refusal({ SOURCES: 'prices:a=x.csv,prices:a=y.csv' }), /^SOURCES names the source prices:a twice/);
  });
});

describe('CONTACT', () => {
  const PRIVATE = 'http://127.0.0.1:9000/pmonsvc/Gas';

  test('must be set before the real register goes into service', () => {
    assert.match(
      refusal({ SOURCES: 'register' }),
      /^CONTACT must be set when the register in service is on another machine.*ops@example\.org$/,
    );
    assert.match(
      refusal({ SOURCES: 'register', REGISTER_URL: 'https://mirror.example.org/Gas' }),
      /^CONTACT must be set/,
    );
    read({ SOURCES: 'register', CONTACT: 'ops@example.org' });
    read({ SOURCES: 'register', CONTACT: 'https://example.org/about' });
  });

  test('must be set before any other source on another machine goes into service', () => {
    const needs = (source: string, settings = {}) =>
      assert.match(
        refusal({ SOURCES: source, ...settings }),
        new RegExp(`^CONTACT must be set when ${source.replace(/=.*/, '')} in`),
      );
    for (const source of ['rompetrol', 'locator:omv', 'locator:petrom', 'locator:mol']) needs(source);
    needs('prices:socar=https://example.org/prices.csv');
    read({
      SOURCES: 'prices:socar=http://localhost:9000/prices.csv, rompetrol',
      ROMPETROL_URL: 'http://[::1]:1/a?b=c',
    });
    read({ SOURCES: 'prices:socar=prices/socar.csv' });
  });

  test('is not needed for sources on this machine, or for none', () => {
    read({ SOURCES: 'register', REGISTER_URL: PRIVATE });
    read({ SOURCES: 'manual' });
  });

  test('the host decides whether an address is on another machine', () => {
    const here = ['http://localhost:1', 'http://127.8.8.8', 'http://[::1]:80/x'];
    const out = ['http://10.0.0.1', 'http://localhost.example.org', 'http://127.0.0.1.nip.io', 'https://[2001:db8::1]'];
    assert.deepEqual([...here, ...out].map(isRemote), [false, false, false, true, true, true, true]);
  });
});

test('every setting has a description and a default that its own parser accepts', () => {
  for (const [name, { defaultText, parse, description }] of Object.entries(SETTINGS)) {
    assert.ok(description.endsWith('.'), name);
    if (defaultText !== null) assert.doesNotThrow(() => parse(defaultText), name);
  }
});
