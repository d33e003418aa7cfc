/** Faults in who is calling: whose word on an address is taken, what counts as one client, who is a crawler. */
import type { Fault } from './fault.ts';

const CLIENT = 'src/domain/client-address.ts';
const ADDRESS = 'src/domain/ip-address.ts';
const PROXIES = 'src/domain/trusted-proxies.ts';
const CRAWLERS = 'src/domain/crawlers.ts';
const DNS = 'src/outside/reverse-dns.ts';
const CLIENTS = ['src/domain/client-address.test.ts', 'test/contract/weekly.test.ts'];
const LISTS = ['src/domain/trusted-proxies.test.ts'];
const TOKENS = ['src/domain/crawlers.test.ts', 'test/contract/crawlers.test.ts'];
const NAMES = ['src/outside/reverse-dns.test.ts'];

export const CALLER_FAULTS: readonly Fault[] = [
  {
    name: 'forwarded-for-of-anybody',
    harm: 'X-Forwarded-For is believed of anybody: with another one each time no limit holds',
    file: CLIENT,
    from: 'isTrusted(caller, trusted)',
    to: '(caller === socket || isTrusted(caller, trusted))',
    tests: CLIENTS,
  },
  {
    name: 'forwarded-for-leftmost',
    harm: 'behind a proxy the client is whom it claims to be in front of the proxy',
    file: CLIENT,
    from: 'end >= 0 && isTrusted(caller, trusted)',
    to: 'end >= 0 && isTrusted(socket, trusted)',
    tests: CLIENTS,
  },
  {
    name: 'forwarded-for-with-port',
    harm: 'behind a proxy that adds ports all clients are one',
    file: ADDRESS,
    from: '(?::(\\d{1,5}))?$/.exec',
    to: '()$/.exec',
    tests: [...CLIENTS, 'src/domain/ip-address.test.ts'],
  },
  {
    name: 'ipv6-by-address',
    harm: 'whoever has IPv6 has 2^64 addresses, and as many answers a week',
    file: CLIENT,
    from: 'const CLIENT_PREFIX = 64;',
    to: 'const CLIENT_PREFIX = 128;',
    tests: CLIENTS,
  },
  {
    name: 'ipv4-stays-mapped',
    harm: 'on a socket for both families all of IPv4 is one client, and no IPv4 proxy is trusted',
    file: ADDRESS,
    from: 'bits >> 32n === MAPPED ?',
    to: 'bits < 0n ?',
    tests: [...CLIENTS, 'src/domain/ip-address.test.ts'],
  },
  {
    name: 'proxy-network-one-short',
    harm: 'the last address of a network of proxies is not trusted',
    file: PROXIES,
    from: 'bits <= last',
    to: 'bits < last',
    tests: LISTS,
  },
  {
    name: 'proxies-everywhere',
    harm: 'TRUSTED_PROXIES=0.0.0.0/0 is taken, and everybody is whom he says',
    file: PROXIES,
    from: 'size(proxies[family]) > 1n',
    to: 'size(proxies[family]) > 4n',
    tests: LISTS,
  },
  {
    name: 'proxy-host-bits-taken',
    harm: '10.0.0.7/8 trusts from there on, over the end of the network',
    file: PROXIES,
    from: 'network.bits !== bits',
    to: 'network.bits > bits',
    tests: LISTS,
  },
  {
    name: 'crawler-by-substring',
    harm: 'who only mentions a crawler is one, and has no weekly cap',
    file: CRAWLERS,
    from: `(?:^|[ ;(,])(\${tokens.join('|')})(?=/\\\\d|[;)]|$)`,
    to: `(\${tokens.join('|')})`,
    tests: TOKENS,
  },
  {
    name: 'crawler-by-last-token',
    harm: 'a crawler that nobody confirms borrows the right of one that it names behind itself',
    file: CRAWLERS,
    from: 'pattern.exec(userAgent)?.[1]',
    to: "[...userAgent.matchAll(new RegExp(pattern, 'gi'))].at(-1)?.[1]",
    tests: TOKENS,
  },
  {
    name: 'dns-not-led-back',
    harm: 'whoever names his own address after Google is Googlebot',
    file: DNS,
    from: "isSame(parseAddress(text), address)) ? 'confirmed'",
    to: "text !== '') ? 'confirmed'",
    tests: NAMES,
  },
  {
    name: 'dns-suffix-without-its-dot',
    harm: 'evilgooglebot.com is Google',
    file: DNS,
    from: 'name.endsWith(suffix)',
    to: 'name.endsWith(suffix.slice(1))',
    tests: NAMES,
  },
  {
    name: 'dns-suffix-anywhere',
    harm: 'googlebot.com.evil.example is Google',
    file: DNS,
    from: 'name.endsWith(suffix)',
    to: 'name.includes(suffix)',
    tests: [...NAMES, 'test/contract/crawlers.test.ts'],
  },
  {
    name: 'dns-verdict-of-another-operator',
    harm: 'an address that is Bing for one token is Google for another',
    file: DNS,
    from: ` \${suffixes.join(' ')}`,
    to: '',
    tests: NAMES,
  },
  {
    name: 'dns-silence-remembered',
    harm: 'a minute without an answer costs a crawler its day',
    file: DNS,
    from: 'unanswered: 60_000',
    to: 'unanswered: 86_400_000',
    tests: NAMES,
  },
  {
    name: 'dns-look-ups-unbounded',
    harm: 'a flood of made-up crawlers has a name server asked without end',
    file: DNS,
    from: 'underWay.size >= MOST_AT_ONCE',
    to: 'underWay.size < 0',
    tests: NAMES,
  },
];
