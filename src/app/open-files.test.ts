import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../api/http/connection/connection-limits.ts';
import { connectionsAllowed } from './open-files.ts';

const listing = (files: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             7823                 7823                 processes
Max open files            ${files.padEnd(20)} ${files.padEnd(20)} files
`;

test('connections leave room for the other files of the process, and are bounded whatever the system allows', () => {
  assert.equal(connectionsAllowed(listing('1024')), 824);
  assert.equal(connectionsAllowed(listing('1048576')), LIMITS.connections);
  assert.equal(connectionsAllowed(listing('unlimited')), LIMITS.connections);
  assert.equal(connectionsAllowed(listing('64')), 1);
  assert.equal(connectionsAllowed(null), LIMITS.connections);
  assert.ok(connectionsAllowed() > 1, 'what this system tells is understood');
});
