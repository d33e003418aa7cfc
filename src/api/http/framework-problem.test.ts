import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameworkProblem } from './framework-problem.ts';

const error = (code: string, statusCode?: number) => Object.assign(new Error('x'), { code, statusCode });
const statusOf = (failed: Error) => frameworkProblem(failed)?.status;

test('Fastify’s refusals, and a body that breaks off, get the status of the contract', () => {
  assert.equal(statusOf(error('FST_ERR_CTP_BODY_TOO_LARGE', 413)), 413);
  assert.equal(statusOf(error('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415)), 415);
  assert.equal(statusOf(error('FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400)), 400);
  assert.equal(statusOf(error('FST_ERR_BAD_URL', 400)), 400);
  assert.equal(statusOf(error('ECONNRESET', 400)), 400);
});

test('an error of our own is never blamed on the client, whatever status it carries', () => {
  for (const failed of [new Error('x'), error('UND_ERR_RESPONSE', 400), error('ECONNRESET'), error('FST_ERR_X', 500)])
    assert.equal(frameworkProblem(failed), null);
});
