import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONNECTION_LIMITS } from '../api/http/connection/connection-limits.ts';
import { limitsForOpenFiles, maxConnections } from './connection-limits-of-system.ts';

const listing = (files: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             7823                 7823                 processes
Max open files            ${files.padEnd(20)} ${files.padEnd(20)} files
`;

test('connections leave room for other files of the process, and are bounded even if the system allows more', () => {
  assert.equal(maxConnections(listing('1024')), 824);
  assert.equal(maxConnections(listing('1048576')), CONNECTION_LIMITS.connections);
  assert.equal(maxConnections(listing('unlimited')), CONNECTION_LIMITS.connections);
  assert.equal(maxConnections(listing('64')), 1);
  assert.equal(maxConnections(null), CONNECTION_LIMITS.connections);
  assert.ok(maxConnections() > 1, 'the limit that this system reports is understood');
});

test('no client may hold more than an eighth of few connections, and no network more than a quarter', () => {
  assert.deepEqual(limitsForOpenFiles(1, listing('400')), {
    connections: 200,
    connectionsPerClient: 25,
    connectionsPerNetwork: 50,
  });
  assert.deepEqual(limitsForOpenFiles(1, listing('unlimited')), {
    connections: 10_000,
    connectionsPerClient: 1_000,
    connectionsPerNetwork: 2_500,
  });
  assert.deepEqual(limitsForOpenFiles(1, listing('64')), {
    connections: 1,
    connectionsPerClient: 1,
    connectionsPerNetwork: 1,
  });
});

test('of several processes each holds its part of the share of a client and of a network', () => {
  assert.deepEqual(limitsForOpenFiles(4, listing('unlimited')), {
    connections: 10_000,
    connectionsPerClient: 250,
    connectionsPerNetwork: 625,
  });
});
