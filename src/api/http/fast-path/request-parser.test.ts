import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRequestParser } from './request-parser.ts';

const read = createRequestParser();
const request = (target: string, ...headers: string[]) =>
  `GET ${target} HTTP/1.1\r\n${['Host: x', ...headers].join('\r\n')}\r\n\r\n`;

test('a plain GET is parsed whole, the second time as the first', () => {
  const text = request('/a?b=%20c', 'Accept-Encoding:br, gzip  ', 'X-Api-Key:\tk', 'Cookie: a=\xff');
  const expected = {
    target: '/a?b=%20c',
    headers: { host: 'x', 'accept-encoding': 'br, gzip', 'x-api-key': 'k', cookie: 'a=\xff' },
    closeAfter: false,
  };
  for (let time = 0; time < 2; time += 1) assert.deepEqual(read(text), expected);
  assert.equal(read(request('/other', 'Accept-Encoding:br, gzip  ', 'X-Api-Key:\tk'))?.target, '/other');
  assert.equal(read(request('/', 'Connection: Close'))?.closeAfter, true);
  assert.equal(read(request('/', 'connection: Keep-Alive'))?.closeAfter, false);
});

test('a key is read wherever its line stands, and never reaches another client’s request', () => {
  for (const lines of [
    ['X-Api-Key: %', 'A: b'],
    ['A: b', 'x-API-key:%  '],
  ]) {
    for (const key of ['one', 'two', '']) {
      const { headers } = read(request('/', ...lines.map((line) => line.replace('%', key)))) ?? {};
      assert.deepEqual(headers, { host: 'x', a: 'b', 'x-api-key': key });
    }
    assert.equal(read(request('/', 'A: b'))?.headers['x-api-key'], undefined);
  }
});

test('equal header blocks are parsed once; their cache is bounded', () => {
  const headersOf = (agent: string) => read(request('/', `User-Agent: ${agent}`))?.headers;
  const first = headersOf('one');
  assert.equal(headersOf('one'), first);
  for (let other = 0; other < 1_024; other += 1) headersOf(`other ${other}`);
  assert.notEqual(headersOf('one'), first);
});

describe('left to Node’s full parser', () => {
  const OTHERS: Readonly<Record<string, string>> = {
    nothing: '',
    'half a request': 'GET / HTTP/1.1\r\nHost: x\r\n',
    'half a line': 'GET / HTTP/1.1',
    'no headers': 'GET / HTTP/1.1\r\n\r\n',
    'two requests in one chunk': request('/') + request('/'),
    'bytes after the request': `${request('/')}x`,
    'another method': request('/').replace('GET', 'HEAD'),
    'another version': request('/').replace('1.1', '1.0'),
    'bare line feeds': request('/').replaceAll('\r\n', '\n'),
    'a line feed within a header': request('/', 'A: b\nc'),
    'a line feed between two headers': request('/', 'A: b\nC: d'),
    'a carriage return within a header': request('/', 'A: b\rc'),
    'a folded header': request('/', 'A: b', ' c'),
    'a header without a name': request('/', ': b'),
    'a space before the colon': request('/', 'A : b'),
    'a space in the target': request('/a b'),
    'a fragment': request('/a#b'),
    'the absolute form': request('http://x/'),
    'the asterisk form': request('*'),
    'bytes above ASCII in the target': request('/\xe4'),
    'a quotation mark in the target': request('/"'),
    'NUL in a header': request('/', 'A: \0'),
    'no Host': request('/').replace('Host', 'Most'),
    'two Hosts': request('/', 'host: y'),
    'two keys': request('/', 'X-Api-Key: a', 'x-api-key: b'),
    'a folded key': request('/', 'X-Api-Key: a', ' b'),
    'a key with a control character': request('/', 'X-Api-Key: a\0'),
    'a body by length': request('/', 'Content-Length: 0'),
    'a body in chunks': request('/', 'Transfer-Encoding: chunked'),
    'an expectation': request('/', 'Expect: 100-continue'),
    'an upgrade': request('/', 'Connection: upgrade', 'Upgrade: h2c'),
    'a named hop-by-hop header': request('/', 'Connection: keep-alive, x-api-key'),
    'a dangerous name': request('/', '__proto__: x'),
    'more than 2 KiB': request(`/${'a'.repeat(2_048)}`),
  };
  for (const [name, text] of Object.entries(OTHERS)) {
    test(name, () => assert.deepEqual([read(text), read(text)], [null, null]));
  }
});
