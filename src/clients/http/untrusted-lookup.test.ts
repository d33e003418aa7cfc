import assert from 'node:assert/strict';
import { ADDRCONFIG, type LookupAddress, type LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DnsServer } from '../../../test/support/simulators/dns-server.ts';
import { createUntrustedLookup } from './untrusted-lookup.ts';

const HOST = 'receiver.example.com';
const V4 = { address: '8.8.8.8', family: 4 };
const V6 = { address: '2001:4860:4860::8888', family: 6 };

let server: DnsServer;
beforeEach(async () => {
  server = await DnsServer.start();
});
afterEach(() => server.close());

/** What a socket would be given: all addresses, or one with its family. */
function look(host: string, options: LookupOptions = { all: true }): Promise<LookupAddress[] | LookupAddress> {
  const untrustedLookup = createUntrustedLookup({ servers: [server.address] });
  return new Promise((resolve, reject) => {
    untrustedLookup(host, options, (error, found, family = 0) => {
      if (error) reject(error);
      else resolve(typeof found === 'string' ? { address: found, family } : found);
    });
  });
}

describe('a name', () => {
  test('has its IPv4 and IPv6 addresses, or those of the family that is asked for', async () => {
    server.setA(HOST, ['8.8.8.8', '1.1.1.1']);
    server.setAaaa(HOST, ['2001:4860:4860:0:0:0:0:8888']);
    assert.deepEqual(await look(HOST), [V4, { address: '1.1.1.1', family: 4 }, V6]);
    assert.deepEqual(await look(HOST, {}), V4);
    assert.deepEqual(await look(HOST, { family: 6 }), V6);
    assert.deepEqual(await look(HOST, { family: 'IPv4', all: true }), [V4, { address: '1.1.1.1', family: 4 }]);
  });

  test('has those of one family if there are none of the other, or no answer', async () => {
    server.setA(HOST, ['8.8.8.8']);
    for (const other of ['nothing', 'servfail'] as const) {
      server.setAaaa(HOST, other);
      assert.deepEqual(await look(HOST), [V4], other);
    }
  });

  test('loses its private addresses, and is refused if it has no other', async () => {
    server.setA(HOST, ['10.0.0.1', '8.8.8.8', '127.0.0.1']);
    server.setAaaa(HOST, ['fd00:0:0:0:0:0:0:1', '0:0:0:0:0:ffff:7f00:1']);
    assert.deepEqual(await look(HOST), [V4]);
    server.setA(HOST, ['169.254.169.254']);
    for (const all of [true, false]) await assert.rejects(look(HOST, { all }), { code: 'PRIVATE_ADDRESS' });
    server.setAaaa(HOST, ['2001:4860:4860:0:0:0:0:8888']);
    assert.deepEqual(await look(HOST), [V6]);
  });

  test('that means this machine is private, and nobody is asked', async () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost'])
      await assert.rejects(look(host), { code: 'PRIVATE_ADDRESS' }, host);
    assert.deepEqual(server.questions, []);
  });

  test('that is an address is that address, public or refused', async () => {
    for (const literal of [V4, V6]) assert.deepEqual(await look(literal.address, {}), literal);
    for (const host of ['127.0.0.1', '::1']) await assert.rejects(look(host), { code: 'PRIVATE_ADDRESS' }, host);
    assert.deepEqual(server.questions, []);
  });

  test('is unknown, or its servers failed', async () => {
    await assert.rejects(look('nowhere.example.com'), { code: 'ENOTFOUND' });
    server.setA(HOST, 'nothing');
    server.setAaaa(HOST, 'nothing');
    await assert.rejects(look(HOST), { code: 'ENOTFOUND' });
    await assert.rejects(look(`${'a'.repeat(64)}.example.com`), { code: 'ENOTFOUND' });
    server.setAaaa(HOST, 'servfail');
    await assert.rejects(look(HOST), { code: 'EAI_AGAIN' });
  });

  test('is asked for in the families that this machine has, if a socket wants it so', async (t) => {
    const own = (family: string, address: string, internal = false) =>
      ({ family, address, internal }) as NetworkInterfaceInfo;
    const [v4, v6] = [own('IPv4', '192.168.1.2'), own('IPv6', '2a00:1450::2')];
    const local = [own('IPv4', '127.0.0.1', true), own('IPv6', '::1', true), own('IPv6', 'fe80::1')];
    const { mock } = t.mock.method(os, 'networkInterfaces');
    const asked = async (mine: NetworkInterfaceInfo[], options: LookupOptions) => {
      mock.mockImplementation(() => ({ lo: local, eth0: mine }));
      const before = server.questions.length;
      await assert.rejects(look(HOST, options), { code: 'ENOTFOUND' });
      return server.questions.slice(before).map((question) => question.split(' ')[0]);
    };
    assert.deepEqual(await asked([v4], { hints: ADDRCONFIG }), ['A']);
    assert.deepEqual(await asked([v6], { hints: ADDRCONFIG }), ['AAAA']);
    assert.deepEqual((await asked([v4, v6], { hints: ADDRCONFIG })).sort(), ['A', 'AAAA']);
    assert.deepEqual((await asked([], { hints: ADDRCONFIG })).sort(), ['A', 'AAAA']);
    assert.deepEqual((await asked([v4], {})).sort(), ['A', 'AAAA']);
  });
});

describe('names whose servers are silent', () => {
  beforeEach(() => {
    server.setA(HOST, 'silence');
    server.setAaaa(HOST, 'silence');
  });

  test('end after five seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const events: string[] = [];
    void assert.rejects(look(HOST), { code: 'EAI_AGAIN' }).then(() => events.push('ended'));
    await server.waitForQuestions(2);
    for (const ms of [4_999, 1]) {
      t.mock.timers.tick(ms);
      await assert.rejects(look('nowhere.example.com'), { code: 'ENOTFOUND' });
      events.push('another look-up ended');
    }
    assert.deepEqual(events, ['another look-up ended', 'ended', 'another look-up ended']);
  });

  test('keep no other look-up waiting, however many they are', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let ended = 0;
    const silent = Array.from({ length: 10 }, () =>
      assert.rejects(look(HOST), { code: 'EAI_AGAIN' }).then(() => {
        ended += 1;
      }),
    );
    await server.waitForQuestions(20);
    await lookup('localhost');
    await assert.rejects(look('nowhere.example.com'), { code: 'ENOTFOUND' });
    assert.equal(ended, 0);
    t.mock.timers.tick(5_000);
    await Promise.all(silent);
  });
});
