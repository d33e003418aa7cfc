import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerHead, apiRequest, MOST_SHOWN, readableBody, type TypedValue } from './api-request.ts';

const query = (name: string, value: string): TypedValue => ({ name, in: 'query', type: 'string', value });

describe('the request of a form', () => {
  test('has its values in path and query, encoded, and leaves out what is empty', () => {
    const values: TypedValue[] = [
      { name: 'judet', in: 'path', type: 'string', value: 'Bistrița/Năsăud' },
      query('tip', 'gpl'),
      query('q', 'a&b=c'),
      query('zeros', ''),
    ];
    assert.deepEqual(apiRequest({ method: 'GET', path: '/api/v1/judete/{judet}' }, values, ''), {
      method: 'GET',
      target: '/api/v1/judete/Bistri%C8%9Ba%2FN%C4%83s%C4%83ud?tip=gpl&q=a%26b%3Dc',
      headers: {},
    });
  });

  test('posts JSON, in which a number is a number, and a text that is none stays for the service to refuse', () => {
    const field = (name: string, type: string, value: string): TypedValue => ({ name, in: 'body', type, value });
    const values = [field('start', 'string', '7'), field('raza', 'number', '7.5'), field('litri', 'number', '1e9')];
    const { headers, body, target } = apiRequest({ method: 'POST', path: '/api/v1/traseu/custom' }, values, '');
    assert.equal(target, '/api/v1/traseu/custom');
    assert.deepEqual(headers, { 'Content-Type': 'application/json' });
    assert.equal(body, '{"start":"7","raza":7.5,"litri":"1e9"}');
  });

  test('has the key in the header of the contract and nowhere else', () => {
    const request = apiRequest({ method: 'GET', path: '/api/v1/cheie' }, [query('tip', 'gpl')], ' pompa_live_x ');
    assert.deepEqual(request.headers, { 'X-Api-Key': 'pompa_live_x' });
    assert.doesNotMatch(request.target, /pompa/);
  });
});

describe('an answer', () => {
  test('is summed up by status, duration, size and what it says of limits', () => {
    const headers = new Headers({ 'X-RateLimit-Remaining': '4', 'Retry-After': '60', 'Cache-Control': 'no-store' });
    assert.equal(
      answerHead({ status: 429, statusText: 'Too Many Requests', headers }, { ms: 33.6, bytes: 1_250 }),
      '429 Too Many Requests · 34 ms · 1.3 kB\nretry-after: 60\nx-ratelimit-remaining: 4',
    );
    assert.equal(
      answerHead({ status: 200, statusText: '', headers: new Headers() }, { ms: 5, bytes: 999 }),
      '200 · 5 ms · 999 B',
    );
  });

  test('has its JSON indented; other texts stay as they are', () => {
    assert.deepEqual(readableBody('{"pret":null}'), { text: '{\n  "pret": null\n}', isShortened: false });
    assert.deepEqual(readableBody('<html>'), { text: '<html>', isShortened: false });
  });

  test('is cut at the end of a line within the bound, or at the bound where there is none', () => {
    const long = readableBody(JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index)));
    assert.equal(long.isShortened, true);
    assert.ok(long.text.length <= MOST_SHOWN && long.text.length > MOST_SHOWN - 20);
    assert.match(long.text, /\d,$/);
    assert.equal(readableBody('x'.repeat(MOST_SHOWN + 1)).text.length, MOST_SHOWN);
  });
});
