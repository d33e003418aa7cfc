import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPEN_ACCESS } from '../access/access-rules.ts';
import { Body } from '../encoding/body.ts';
import { ok } from '../response/answer.ts';
import { endpoint } from './endpoint.ts';
import { createEndpointFinder, createPathMatcher } from './endpoint-finder.ts';

const [cities, county, history] = ['/api/preturi', '/api/judete/{judet}', '/api/statie/{id}/istoric'].map((path) => {
  const handle = () => ok(Body.singleUse(path));
  return endpoint({
    path,
    operationId: path,
    tag: '',
    summary: { ro: '', en: '' },
    description: { ro: '', en: '' },
    access: OPEN_ACCESS,
    parameters: {},
    answers: {},
    handle,
  });
});
const endpoints = [cities, county, history].filter((each) => each !== undefined);
const find = createEndpointFinder(endpoints);
const match = createPathMatcher(endpoints);

test('finds an endpoint whose path matches literally, with its open segment', () => {
  assert.deepEqual(find('/api/preturi'), { endpoint: cities, segments: {} });
  assert.deepEqual(find('/api/judete/CJ'), { endpoint: county, segments: { judet: 'CJ' } });
  assert.deepEqual(find('/api/statie/0a1b2c3d4e5f/istoric'), { endpoint: history, segments: { id: '0a1b2c3d4e5f' } });
});

for (const path of [
  ...['/api/preturi/', '/api//preturi', '/api/Preturi', '/api/pre%74uri', '/api/preturi#a', '/api/preturi;a=1', ''],
  ...[
    '/api/judete/',
    '/api/judete/C%4A',
    '/api/judete/Bistrița',
    '/api/judete/CJ/',
    '/api/judete/..',
    '/api/judete/a+b',
  ],
  ...['/api/statie//istoric', '/api/statie/istoric', '/api/statie/a/b/istoric', '/api/statie/a/istoric/'],
  `/api/judete/${'a'.repeat(101)}`,
]) {
  test(`leaves a path that needs decoding or is spelled differently to Fastify: ${path}`, () => {
    assert.equal(find(path), undefined);
  });
}

test('a decoded path is matched with whatever its open segment holds, and no further', () => {
  assert.deepEqual(match('/api/preturi'), { endpoints: [cities], segment: '' });
  for (const segment of ['', 'CJ', 'Bistrița Năsăud', 'a%2Fb', 'x'.repeat(600)])
    assert.deepEqual(match(`/api/judete/${segment}`), { endpoints: [county], segment });
  assert.deepEqual(match('/api/statie/ /istoric'), { endpoints: [history], segment: ' ' });
  for (const path of ['/api/preturi/', '/api/Preturi', '/apixpreturi', '/api/judete/a/b', '/api/statie/a/istoric/'])
    assert.equal(match(path), undefined);
});
