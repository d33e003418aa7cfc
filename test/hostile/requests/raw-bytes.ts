/** Corrupted requests, random bytes and other protocols, as broken clients and fuzzers send them. */
import type { SeededRandom } from './seeded-random.ts';

const TOKENS = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\0',
  ' ',
  ':',
  'GET ',
  'HTTP/1.1',
  'HTTP/9.9',
  'HTTP/1.0',
  '%',
  '?',
  '/',
  '\xff',
  'Host: x\r\n',
  '0\r\n\r\n',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: keep-alive\r\n',
  'x'.repeat(20_000),
];

const PREFACES = [
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'SSH-2.0-x\r\n',
  'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
  'EHLO x\r\n',
  '\x04\x01\x00\x50',
  'HTTP/1.1 200 OK\r\n\r\n',
  '*1\r\n$4\r\nPING\r\n',
  '\x00\x00\x00\x08\x04\xd2\x16\x2f',
  'GET\r\n\r\n',
  'GET /\r\n',
  '\r\n\r\n\r\n',
];

/** Changes, inserts, removes or repeats a few bytes, or replaces them by a piece of another request. */
export function corrupted(good: Buffer, other: Buffer, random: SeededRandom): Buffer {
  let bytes = good;
  for (let times = random.integer(1, 4); times > 0; times -= 1) bytes = corruptedOnce(bytes, other, random);
  return bytes;
}

function corruptedOnce(bytes: Buffer, other: Buffer, random: SeededRandom): Buffer {
  const at = random.integer(0, Math.max(0, bytes.length - 1));
  const end = Math.min(bytes.length, at + random.integer(1, 12));
  const from = random.integer(0, Math.max(0, other.length - 1));
  const splice = (middle: Buffer, rest: number) => Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(rest)]);
  switch (random.integer(0, 6)) {
    case 0:
      return splice(Buffer.from([(bytes[at] ?? 0) ^ (1 << random.integer(0, 7))]), at + 1);
    case 1:
      return splice(random.bytes(random.integer(1, 6)), at);
    case 2:
      return splice(Buffer.from(random.oneOf(TOKENS), 'latin1'), at);
    case 3:
      return splice(Buffer.alloc(0), end);
    case 4:
      return splice(bytes.subarray(at, end), at);
    case 5:
      return splice(other.subarray(from, from + random.integer(1, 80)), end);
    default:
      return bytes.subarray(0, at);
  }
}

/** Random bytes, or bytes of another protocol. */
export function noise(random: SeededRandom): Buffer {
  if (random.percent(40))
    return Buffer.concat([Buffer.from(random.oneOf(PREFACES), 'latin1'), random.bytes(random.integer(0, 30))]);
  const noiseBytes = random.bytes(random.oneOf([1, 2, 10, 100, 500]));
  return random.percent(30)
    ? Buffer.concat([Buffer.from('GET '), noiseBytes, Buffer.from(' HTTP/1.1\r\n\r\n')])
    : noiseBytes;
}
