/** Malformed headers. */

import { HOSTILE_STRINGS } from './hostile-strings.ts';
import { type RequestDraft, utf8 } from './request-draft.ts';
import type { SeededRandom } from './seeded-random.ts';

type HeaderLines = RequestDraft['headers'];
type HeaderMaker = (random: SeededRandom) => HeaderLines;

/** A hostile text as header bytes, line ends included: where they end the head, the rest is another request. */
const hostileText = (random: SeededRandom) => utf8(random.oneOf(HOSTILE_STRINGS));

const LENGTHS = [
  '0',
  '-1',
  '+5',
  '5, 5',
  '5,6',
  '0x5',
  '1e1',
  ' ',
  '5 5',
  '99999999999999999999',
  '18446744073709551617',
  '５',
  '00005',
];
const CODINGS = [
  'chunked',
  'identity',
  'gzip, chunked',
  'chunked, chunked',
  'xchunked',
  ' chunked',
  'chunked\t',
  'CHUNKED',
  '"chunked"',
  '\x0bchunked',
];

/** Header lines that may make a server and a proxy disagree on where a request ends. */
export function conflictingLengths(body: Buffer, random: SeededRandom): HeaderLines {
  const length = (): [string, string] => [
    'Content-Length',
    random.percent(40) ? String(body.length) : utf8(random.oneOf(LENGTHS)),
  ];
  const coding = (): [string, string] => [
    random.oneOf([
      'Transfer-Encoding',
      'transfer-encoding',
      'Transfer-Encoding ',
      'Transfer_Encoding',
      ' Transfer-Encoding',
    ]),
    random.oneOf(CODINGS),
  ];
  return random.oneOf([
    () => [length(), length()],
    () => [length(), coding()],
    () => [coding(), length()],
    () => [coding(), coding()],
    () => [length()],
    () => [coding()],
  ])();
}

const HEADER_MAKERS: readonly HeaderMaker[] = [
  (random) => [
    [
      'Accept-Encoding',
      random.oneOf([
        'br;q=2',
        'gzip;q=-1',
        '*;q=0',
        'identity;q=0',
        ',,,',
        'gzip;q=0.5;q=1',
        'br, '.repeat(400),
        'x'.repeat(5_000),
        'BR;Q=1',
        '*',
        'zstd',
        'gzip, br, zstd',
      ]),
    ],
  ],
  (random) => [['Accept-Encoding', hostileText(random)]],
  (random) => [
    ['Accept-Encoding', 'gzip'],
    ['Accept-Encoding', 'br;q=0'],
    ['accept-encoding', hostileText(random)],
  ],
  // Keys that were never issued: every endpoint that accepts keys refuses them.
  (random) => [['X-Api-Key', hostileText(random)]],
  (random) => [['x-api-key', `pompa_live_${random.bytes(20).toString('hex')}`]],
  () => [
    ['X-Api-Key', 'a'],
    ['X-Api-Key', 'b'],
  ],
  () => [
    ['X-API-KEY', ''],
    ['X_Api_Key', 'x'],
    ['Authorization', 'Bearer x'],
  ],
  // False addresses of the client, and false hosts.
  (random) => [
    [
      'X-Forwarded-For',
      random.oneOf([
        '127.0.0.1',
        '::1',
        '1.2.3.4, , 5',
        '999.1.1.1',
        '::ffff:1.2.3.4%eth0',
        'unknown',
        '[::1]:80',
        ','.repeat(500),
      ]),
    ],
    ['X-Real-IP', hostileText(random)],
  ],
  (random) => [
    ['X-Forwarded-For', hostileText(random)],
    ['X-Forwarded-For', '10.0.0.1'],
    ['Forwarded', 'for="_x";host=evil'],
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'javascript'],
  ],
  (random) => [
    [
      random.oneOf(['X-HTTP-Method-Override', 'X-Original-URL', 'X-Rewrite-URL', 'Client-IP', 'Via']),
      random.oneOf(['DELETE', '/api/v1/health', hostileText(random)]),
    ],
  ],
  (random) => [
    ['User-Agent', hostileText(random)],
    ['Accept-Language', hostileText(random)],
    ['Cookie', hostileText(random)],
    ['Referer', hostileText(random)],
  ],
  (random) => [
    ['Origin', random.oneOf(['null', 'https://evil.example', hostileText(random)])],
    ['Access-Control-Request-Method', 'PUT'],
    ['Access-Control-Request-Headers', hostileText(random)],
  ],
  (random) => [
    ['Range', 'bytes=0-1'],
    ['If-None-Match', '*'],
    ['If-Modified-Since', hostileText(random)],
    ['If-Match', '"x"'],
  ],
  (random) => [['Expect', random.oneOf(['100-continue', 'coffee', '', '100-continue, 100-continue'])]],
  (random) => [
    ['Upgrade', random.oneOf(['websocket', 'h2c', 'TLS/1.0'])],
    ['Connection', 'upgrade'],
    ['HTTP2-Settings', 'AAMAAABkAARAAAAAAAIAAAAA'],
  ],
  (random) => [
    ['Connection', random.oneOf(['close, x-api-key', 'host', '', 'close, keep-alive', ',', hostileText(random)])],
  ],
  () => [
    ['Content-Encoding', 'gzip'],
    ['TE', 'trailers, deflate'],
    ['Trailer', 'X-Api-Key'],
    ['Accept', 'text/html;q=x'],
  ],
  // Header names: JavaScript's own, empty, invalid, many, long.
  (random) =>
    [
      [
        random.oneOf([
          '__proto__',
          'constructor',
          'hasOwnProperty',
          'toString',
          ':path',
          '',
          ' ',
          'a b',
          'ș',
          'a\0',
          '(x)',
          'x'.repeat(9_000),
        ]),
        '1',
      ],
    ].map(([name, value]) => [utf8(name as string), value as string]),
  (random) => Array.from({ length: random.oneOf([90, 1_500, 2_500]) }, (_, i) => [`X-${i % 40}`, '1']),
  (random) => [['X-Long', 'y'.repeat(random.oneOf([8_000, 15_000, 16_300, 17_000, 60_000]))]],
  // Folded lines, bare line ends, control characters, raw bytes.
  (random) => [['X-Folded', `a\r\n ${random.oneOf(['b', 'Host: evil', ''])}`]],
  (random) => [
    ['X-Bare', random.oneOf(['a\nX-Injected: 1', 'a\rX-Injected: 1', 'a\0b', 'a\x7fb', 'a\r\r\nb', '\t\t'])],
  ],
  (random) => [['X-Raw', random.bytes(random.integer(1, 40)).toString('latin1')]],
];

/** One to three unusual header fields. */
export function unusualHeaders(random: SeededRandom): HeaderLines {
  return Array.from({ length: random.integer(1, 3) }, () => random.oneOf(HEADER_MAKERS)(random)).flat();
}

/** Lines to replace a good `Host`. */
export function unusualHost(random: SeededRandom): HeaderLines {
  const value = random.oneOf([
    '',
    ' ',
    'evil.example',
    'evil.example:99999',
    'a b',
    '[::1',
    'x'.repeat(2_000),
    '127.0.0.1@evil',
    '../../..',
    hostileText(random),
  ]);
  return random.oneOf<HeaderLines>([
    [],
    [['Host', value]],
    [
      ['Host', 'a'],
      ['Host', 'b'],
    ],
    [['Host', 'a, b']],
    [['host', value]],
  ]);
}
