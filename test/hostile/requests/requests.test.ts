import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exhaustiveRequests } from './exhaustive-requests.ts';
import { hostileRequest } from './hostile-requests.ts';
import { HOSTILE_STRINGS } from './hostile-strings.ts';
import { operationsOf } from './operations.ts';
import type { HostileRequest } from './request-draft.ts';
import { createJudge } from './response-oracle.ts';

const REVIEW = {
  type: 'object',
  required: ['statie_slug', 'rating'],
  properties: {
    statie_slug: { type: 'string' },
    rating: { type: 'integer', minimum: 1, maximum: 5 },
    comment: { type: 'string', maxLength: 500 },
  },
};
const DOCUMENT = {
  paths: {
    '/api/v1/opinion': {
      post: {
        operationId: 'review',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Review' } } } },
        responses: { 200: {}, 400: {}, 403: {}, 500: {}, 502: {}, 503: {} },
      },
    },
  },
  components: { schemas: { Review: REVIEW } },
};
const operations = operationsOf(DOCUMENT);
const requests = (seed: number) => Array.from({ length: 4_000 }, (_, i) => hostileRequest(operations, {}, seed, i));

test('the same seed always gives the same requests, and another seed gives others', () => {
  const [first, again, other] = [7, 7, 8].map((seed) => requests(seed).map(({ bytes }) => bytes.toString('latin1')));
  assert.deepEqual(first, again);
  const shared = new Set(first);
  assert.ok((other ?? []).filter((each) => shared.has(each)).length < 200);
});

test('an operation with a body receives good bodies, and bodies with each of its fields invalid', () => {
  const isReview = new Ajv2020().compile(REVIEW);
  const bodies = (kind: string) =>
    requests(1)
      .filter((each) => each.kind === kind)
      .map(({ bytes }) => bytes.toString().split('\r\n\r\n').slice(1).join('\r\n\r\n'));
  const good = bodies('good').map((body) => JSON.parse(body));
  assert.ok(good.length > 20);
  for (const body of good) assert.ok(isReview(body), JSON.stringify(body));
  const mutated = bodies('body').flatMap((body) => {
    const json = parsed(body);
    return isReview(json)
      ? []
      : (isReview.errors ?? []).map(({ instancePath, params }) => instancePath || params.missingProperty);
  });
  for (const field of ['/rating', '/statie_slug', '/comment', 'rating'])
    assert.ok(mutated.includes(field), `${field} was never wrong`);
  assert.ok(
    bodies('body').some((body) => parsed(body) === undefined),
    'every body was JSON',
  );
});

test('exhaustive requests send every hostile text in every field', () => {
  assert.equal(exhaustiveRequests(operations, {}).length, 3 * HOSTILE_STRINGS.length);
});

test('a good request may only be answered with the statuses of its own operation', () => {
  const good = requests(1).filter(({ kind }) => kind === 'good');
  for (const { statuses } of good) assert.deepEqual(statuses, [200, 403]);
});

test('a failure is never a correct answer, although the document describes it', () => {
  const judge = createJudge(DOCUMENT, operations);
  const hostile = requests(1).find(({ kind }) => kind === 'good') as HostileRequest;
  for (const status of ['500 Internal Server Error', '502 Bad Gateway', '503 Service Unavailable']) {
    const answer = `HTTP/1.1 ${status}\r\nDate: x\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 0\r\n\r\n`;
    assert.throws(() => judge(hostile, Buffer.from(answer)), /^Error: (outage|failure): 50\d to POST/);
  }
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
