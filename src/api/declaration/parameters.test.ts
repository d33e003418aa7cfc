import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from '../request/request-target.ts';
import {
  cappedInteger,
  clampedDecimal,
  createParameterParser,
  decimal,
  parseParameters,
  requiredDecimal,
  segment,
  text,
} from './parameters.ts';

const about = { description: { ro: 'x', en: 'x' } };
const table = {
  lat: decimal({ min: -90, max: 90 }, about),
  lon: decimal({ min: -180, max: 180 }, { ...about, alias: 'lng' }),
  raza: clampedDecimal({ min: 0.1, max: 50 }, 10, about),
  days: cappedInteger({ min: 1, max: 90 }, 30, about),
};
const read = (query: string) => parseParameters(table, parseQuery(query) ?? new Map(), {});

test('accepts every decimal number in range at its value', () => {
  fc.assert(
    fc.property(fc.integer({ min: -90_000_000, max: 90_000_000 }), (millionths) => {
      const text = (millionths / 1_000_000).toFixed(6);
      const result = read(`lat=${text}`);
      assert.ok('values' in result);
      assert.equal(result.values.lat, millionths / 1_000_000);
    }),
  );
});

test('turns any text into a finite number in range or a refusal that names the parameter', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double().map(String),
    fc.constantFrom('1e3', 'NaN', '٣', '１', '1_0', '\n1', '1\n'),
  );
  fc.assert(
    fc.property(fc.constantFrom('lat', 'lon', 'lng', 'raza', 'days'), texts, (name, text) => {
      const result = read(`${name}=${encodeURIComponent(text.toWellFormed())}`);
      if ('problem' in result) {
        assert.match(String(result.problem.body.message), new RegExp(`„${name}”`));
        assert.ok(String(result.problem.body.message).length < 250);
        return;
      }
      const { lat, lon, raza, days } = result.values;
      assert.ok(lat === null || Math.abs(lat) <= 90);
      assert.ok(lon === null || Math.abs(lon) <= 180);
      assert.ok(raza >= 0.1 && raza <= 50);
      assert.ok(Number.isInteger(days) && days >= 1 && days <= 90);
    }),
  );
});

test('uses the default of a parameter that is not sent', () => {
  assert.deepEqual(read(''), { values: { lat: null, lon: null, raza: 10, days: 30 } });
});

test('refuses a missing required parameter and says what it should have been', () => {
  const needed = { lat: requiredDecimal({ min: 47, max: 55.2 }, about) };
  const result = (query: string) => parseParameters(needed, parseQuery(query) ?? new Map(), {});
  for (const query of ['', 'lng=1', 'Lat=50']) {
    const refused = result(query);
    assert.ok('problem' in refused);
    assert.equal(refused.problem.body.message, 'Lipsește parametrul „lat”; se așteaptă un număr între 47 și 55.2.');
  }
  assert.deepEqual(result('lat=55.2'), { values: { lat: 55.2 } });
});

test('ignores the names of properties that every object has', () => {
  assert.deepEqual(read('__proto__=1&constructor=2&toString=3'), read(''));
});

test('parses a query that clients repeat once, and each of many others anew', () => {
  const parsed: string[] = [];
  const counted = { q: { ...text(about), parse: (sent = '') => ({ value: parsed.push(sent) }) } };
  const parse = createParameterParser(counted);
  const countOf = (query: string) => {
    const result = parse(query, {});
    assert.ok('values' in result);
    return result.values.q;
  };
  assert.deepEqual([countOf('q=a'), countOf('q=b'), countOf('q=a'), countOf('q=b')], [1, 2, 1, 2]);
  const long = `q=${'a'.repeat(300)}`;
  assert.notEqual(countOf(long), countOf(long), 'a long one is not kept');
  for (let other = 0; other < 100; other += 1) countOf(`q=${other}`);
  assert.equal(countOf('q=a'), parsed.length, 'a hundred others have displaced it');
});

test('parses the segments of each path, whatever was parsed before', () => {
  const parse = createParameterParser({ judet: segment(about), zile: cappedInteger({ min: 1, max: 90 }, 30, about) });
  for (const judet of ['CJ', 'B']) assert.deepEqual(parse('zile=7', { judet }), { values: { judet, zile: 7 } });
});
