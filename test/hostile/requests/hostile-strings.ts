/** Texts that have broken programs, for parameters, headers and body fields; each is of another class. */

const LONG = 600;

/** Plain text; addresses contain them encoded. */
export const HOSTILE_STRINGS: readonly string[] = [
  // Empty text, and text that looks empty.
  ...['', ' ', '   \t ', '\u00a0', '\u200b', '\ufeff', '\u3000'],
  // Control characters, line ends, header injection.
  ...['\0', 'a\0b', '\x01\x1f\x7f\x85', '\r\n', 'x\r\nX-Injected: 1\r\n\r\n<html>', 'a\u2028b\u2029c', '\x1b[31mred'],
  // Direction marks, combining marks, wide and astral letters, lone surrogates.
  ...['\u202egnp.exe', '\u2066x\u2069', 'مرحبا', 'Z̷̡̛a̸͝l̵g̶o̷'.repeat(8), 'e\u0301'.repeat(60), '👩‍👩‍👧‍👦🇷🇴', '𝒸𝓁𝓊𝒿'],
  ...['ＣＬＵＪ', '１２', '٤٤', 'ﬀ', 'İıſẞ', '\ud800', 'a\udfffb', '\uffff', '\u{10ffff}'],
  // Injections into SQL, shells and HTML.
  ...["' OR '1'='1", '1;drop table stations--', '"; SELECT pg_sleep(9)--', '\\', '\\x00', '$$', "''"],
  ...['<script>alert(1)</script>', '"><svg/onload=alert(1)>', 'javascript:alert(1)', '&lt;&#x3c;', '</title>', '<!--'],
  ...['../../../../etc/passwd', '..\\..\\win.ini', 'file:///etc/passwd', '/dev/null', 'C:\\', '~root', '.', '..'],
  ...[
    '%s%n%x%d',
    '{0}',
    '{{7*7}}',
    '$\u007b7*7}',
    '#{7*7}',
    '<%= 7*7 %>',
    '`id`',
    '$(id)',
    '| id',
    '; id',
    '*',
    '(*)',
    '[a-',
    '(a+)+$',
  ],
  // Names with a meaning in JavaScript or JSON.
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then', 'length'],
  ...['null', 'undefined', 'true', 'false', '[object Object]', '{}', '[]', '{"a":1}', '[1,2]', '"x"'],
  // Numbers, and texts that some parsers accept as numbers.
  ...[
    '0',
    '-0',
    '+1',
    '01',
    '1.',
    '.5',
    '1e3',
    '1e999',
    '-1e999',
    '1e-400',
    '0x1F',
    '0b1',
    '0o7',
    '1_000',
    '1,5',
    '1.2.3',
  ],
  ...['NaN', 'nan', 'Infinity', '-Infinity', 'inf', '1/0', '2147483648', '-2147483649', '9007199254740993', '1n'],
  ...['9'.repeat(400), `0.${'0'.repeat(400)}1`, `-${'0'.repeat(300)}1`, '180.0000000000001', '90.00000000000001'],
  // Days and times.
  ...['2026-02-30', '0000-00-00', '275760-09-14', '2026-11-20T25:61:61Z', '1970-01-01', '-1', '20.11.2026'],
  // Length.
  ...['a'.repeat(LONG), 'ș'.repeat(LONG), '👩‍👩‍👧‍👦'.repeat(40), ' '.repeat(LONG), `${'('.repeat(LONG)}`],
  // Words of this service in the wrong place.
  ...['Cluj', 'B', 'București', 'MUNICIPIUL BUCURESTI', 'gpl', 'adblue', 'motorina_standard', 'petrom', 'da', 'TRUE'],
];

/** Parts of an address in encoded form that no encoder would produce. */
export const HOSTILE_ENCODED_STRINGS: readonly string[] = [
  ...['%', '%%', '%0', '%zz', '%u0041', '%00', '%0d%0aX-Injected:%201', '%25', '%2500', '%252e%252e%252f'],
  ...['%c0%af', '%c0%80', '%e0%80%af', '%f0%80%80%80', '%f8%a1%a1%a1%a1', '%ed%a0%80', '%ed%bf%bf', '%ff%fe', '%80'],
  ...['%c8', '%f0%9f%91', '%ef%bb%bf', '%ef%bf%bf', '%f4%90%80%80', '+', '++', '%2b', '%20', '%09', '%7f'],
  ...[
    '%2f',
    '%5c',
    '%2e',
    '%2e%2e',
    '%3f',
    '%23',
    '%26',
    '%3d',
    '%3b',
    '[]',
    '[0]',
    '[__proto__]',
    '=',
    '==',
    ';',
    ',',
  ],
];

/** Percent-encodes a text as a client would; a lone surrogate becomes the three bytes that UTF-8 forbids. */
export function encoded(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : [...text].map((each) => (each.isWellFormed() ? encodeURIComponent(each) : surrogate(each))).join('');
}

function surrogate(character: string): string {
  const code = character.charCodeAt(0);
  const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  return bytes.map((byte) => `%${byte.toString(16)}`).join('');
}
