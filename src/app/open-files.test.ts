import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONNECTION_LIMITS } from '../api/http/connection/connection-limits.ts';
import { maxConnections } from './open-files.ts';

const listing = (files: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             7823                 7823                 processes
Max open files            ${files.padEnd(20)} ${files.padEnd(20)} files
`;

test('connections leave room for the other files of the process, and are bounded whatever the system allows', () => {
  assert.equal(maxConnections(listing('1024')), 824);
  assert.equal(maxConnections(listing('1048576')), CONNECTION_LIMITS.connections);
  assert.equal(maxConnections(listing('unlimited')), CONNECTION_LIMITS.connections);
  assert.equal(maxConnections(listing('64')), 1);
  assert.equal(maxConnections(null), CONNECTION_LIMITS.connections);
  assert.ok(maxConnections() > 1, 'what this system tells is understood');
});
