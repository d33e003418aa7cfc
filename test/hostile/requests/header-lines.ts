/** Headers gone wrong. */

import { NAUGHTY_TEXTS } from './hostile-strings.ts';
import { type Draft, utf8 } from './request-draft.ts';
import type { Dice } from './seeded-random.ts';

type Lines = Draft['headers'];
type Make = (dice: Dice) => Lines;

/** A text in the bytes of a header. Line ends stay in it: where they end the head, what follows is another request. */
const text = (dice: Dice) => utf8(dice.oneOf(NAUGHTY_TEXTS));

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

/** Lines by which a server and a proxy may disagree over where a request ends. */
export function conflictingLengths(body: Buffer, dice: Dice): Lines {
  const length = (): [string, string] => [
    'Content-Length',
    dice.percent(40) ? String(body.length) : utf8(dice.oneOf(LENGTHS)),
  ];
  const coding = (): [string, string] => [
    dice.oneOf([
      'Transfer-Encoding',
      'transfer-encoding',
      'Transfer-Encoding ',
      'Transfer_Encoding',
      ' Transfer-Encoding',
    ]),
    dice.oneOf(CODINGS),
  ];
  return dice.oneOf([
    () => [length(), length()],
    () => [length(), coding()],
    () => [coding(), length()],
    () => [coding(), coding()],
    () => [length()],
    () => [coding()],
  ])();
}

const MAKERS: readonly Make[] = [
  (dice) => [
    [
      'Accept-Encoding',
      dice.oneOf([
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
  (dice) => [['Accept-Encoding', text(dice)]],
  (dice) => [
    ['Accept-Encoding', 'gzip'],
    ['Accept-Encoding', 'br;q=0'],
    ['accept-encoding', text(dice)],
  ],
  // Keys: none has been given out, so each is refused where a key is taken.
  (dice) => [['X-Api-Key', text(dice)]],
  (dice) => [['x-api-key', `pompa_live_${dice.bytes(20).toString('hex')}`]],
  () => [
    ['X-Api-Key', 'a'],
    ['X-Api-Key', 'b'],
  ],
  () => [
    ['X-API-KEY', ''],
    ['X_Api_Key', 'x'],
    ['Authorization', 'Bearer x'],
  ],
  // Lies about who is calling and what is called.
  (dice) => [
    [
      'X-Forwarded-For',
      dice.oneOf([
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
    ['X-Real-IP', text(dice)],
  ],
  (dice) => [
    ['X-Forwarded-For', text(dice)],
    ['X-Forwarded-For', '10.0.0.1'],
    ['Forwarded', 'for="_x";host=evil'],
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'javascript'],
  ],
  (dice) => [
    [
      dice.oneOf(['X-HTTP-Method-Override', 'X-Original-URL', 'X-Rewrite-URL', 'Client-IP', 'Via']),
      dice.oneOf(['DELETE', '/api/v1/health', text(dice)]),
    ],
  ],
  (dice) => [
    ['User-Agent', text(dice)],
    ['Accept-Language', text(dice)],
    ['Cookie', text(dice)],
    ['Referer', text(dice)],
  ],
  (dice) => [
    ['Origin', dice.oneOf(['null', 'https://evil.example', text(dice)])],
    ['Access-Control-Request-Method', 'PUT'],
    ['Access-Control-Request-Headers', text(dice)],
  ],
  (dice) => [
    ['Range', 'bytes=0-1'],
    ['If-None-Match', '*'],
    ['If-Modified-Since', text(dice)],
    ['If-Match', '"x"'],
  ],
  (dice) => [['Expect', dice.oneOf(['100-continue', 'coffee', '', '100-continue, 100-continue'])]],
  (dice) => [
    ['Upgrade', dice.oneOf(['websocket', 'h2c', 'TLS/1.0'])],
    ['Connection', 'upgrade'],
    ['HTTP2-Settings', 'AAMAAABkAARAAAAAAAIAAAAA'],
  ],
  (dice) => [['Connection', dice.oneOf(['close, x-api-key', 'host', '', 'close, keep-alive', ',', text(dice)])]],
  () => [
    ['Content-Encoding', 'gzip'],
    ['TE', 'trailers, deflate'],
    ['Trailer', 'X-Api-Key'],
    ['Accept', 'text/html;q=x'],
  ],
  // Names: of the language's own, empty, odd, many, long.
  (dice) =>
    [
      [
        dice.oneOf([
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
  (dice) => Array.from({ length: dice.oneOf([90, 1_500, 2_500]) }, (_, i) => [`X-${i % 40}`, '1']),
  (dice) => [['X-Long', 'y'.repeat(dice.oneOf([8_000, 15_000, 16_300, 17_000, 60_000]))]],
  // Folded, bare line ends, control characters, raw bytes.
  (dice) => [['X-Folded', `a\r\n ${dice.oneOf(['b', 'Host: evil', ''])}`]],
  (dice) => [['X-Bare', dice.oneOf(['a\nX-Injected: 1', 'a\rX-Injected: 1', 'a\0b', 'a\x7fb', 'a\r\r\nb', '\t\t'])]],
  (dice) => [['X-Raw', dice.bytes(dice.whole(1, 40)).toString('latin1')]],
];

/** A few odd lines. */
export function oddLines(dice: Dice): Lines {
  return Array.from({ length: dice.whole(1, 3) }, () => dice.oneOf(MAKERS)(dice)).flat();
}

/** Instead of a good `Host`. */
export function oddHost(dice: Dice): Lines {
  const value = dice.oneOf([
    '',
    ' ',
    'evil.example',
    'evil.example:99999',
    'a b',
    '[::1',
    'x'.repeat(2_000),
    '127.0.0.1@evil',
    '../../..',
    text(dice),
  ]);
  return dice.oneOf<Lines>([
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
