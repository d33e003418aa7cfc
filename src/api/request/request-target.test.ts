import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { originForm, parseQuery, pathOf, splitTarget } from './request-target.ts';

const word = fc.string({ unit: 'grapheme', maxLength: 12 });

test('a form-encoded query is decoded, in order', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          word.filter((name) => name !== ''),
          word,
        ),
      ),
      (pairs) => {
        const query = parseQuery(new URLSearchParams(pairs).toString());
        for (const [name] of pairs) {
          assert.deepEqual(
            query?.get(name),
            pairs.filter(([each]) => each === name).map(([, value]) => value),
          );
        }
      },
    ),
  );
});

test('any text is decoded or refused without an exception', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      parseQuery(text);
      splitTarget(text);
      originForm(text);
    }),
  );
});

test('bytes that are not UTF-8 are refused', () => {
  for (const text of ['a=%', 'a=%g0', 'a=%80', 'a=%C8', 'a=%C0%80', 'a=%ED%A0%80', '%FF=1'])
    assert.equal(parseQuery(text), null, text);
});

test('empty pairs are ignored, and a name without "=" has the empty value', () => {
  assert.deepEqual(
    [...(parseQuery('&&a&=b&c=&d=e=f&') ?? [])],
    [
      ['a', ['']],
      ['', ['b']],
      ['c', ['']],
      ['d', ['e=f']],
    ],
  );
});

test('the path of a target is decoded and ends at its query or fragment', () => {
  for (const target of ['/a/b', '/a/%62', 'http://x/a/b', '/a/b?c', '/a/b#c', '/a/b?c#d', '/a/b#c?d'])
    assert.equal(pathOf(target), '/a/b', target);
  assert.equal(pathOf('*'), '/*');
});

test('the absolute form of a target is reduced to its path', () => {
  assert.equal(originForm('http://x.example:8080/a?b=c'), '/a?b=c');
  assert.equal(originForm('HTTPS://x.example'), '/');
  assert.equal(originForm('http://x?y'), '/?y');
  assert.equal(originForm('*'), '/*');
  assert.equal(originForm('//x/y'), '//x/y');
});
