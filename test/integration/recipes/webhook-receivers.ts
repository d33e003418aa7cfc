/** Runs a receiver of webhooks as the documentation has it, and sends it deliveries. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { CHANGES_EVENT, PING_EVENT } from '../../../src/api/declaration/event-examples.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { freePort } from '../../support/processes/free-port.ts';

const KEY = randomBytes(24);
const SECRET = `whsec_${KEY.toString('base64')}`;

/** Starts the program, and asserts that it takes what we sign, once, and nothing else. */
export async function checkReceiver(
  t: TestContext,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const port = await freePort();
  const [program = '', ...args] = command;
  const settings = { ...process.env, ...env, PORT: String(port), WEBHOOK_SECRET: SECRET };
  const child = spawn(program, args, { env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextEvent = async () => {
    const [, type, data = ''] = /^(\S+) (.*)$/.exec((await lines.next()).value ?? '') ?? [];
    return { type, data: JSON.parse(data) };
  };
  const told = ({ type, data }: { type: string; data: object }) => ({ type, data });
  await waitFor('the receiver listens', 10_000, () => isListening(port));

  assert.equal(await post(port, '1.ping-1', PING_EVENT), 204);
  assert.deepEqual(await nextEvent(), told(PING_EVENT));
  assert.equal(await post(port, '1.a.9', CHANGES_EVENT), 204);
  assert.deepEqual(await nextEvent(), told(CHANGES_EVENT));
  assert.equal(await post(port, '1.a.9', CHANGES_EVENT), 204);
  assert.equal(await post(port, '1.a.10', CHANGES_EVENT, randomBytes(24)), 400);
  assert.equal(await post(port, '1.ping-2', PING_EVENT), 204);
  // What came twice, and what was forged, was not written in between.
  assert.deepEqual(await nextEvent(), told(PING_EVENT));
}

async function post(port: number, id: string, event: object, key: Buffer = KEY): Promise<number> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    ...{ 'Content-Type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp },
    'webhook-signature': `v1,${signature}`,
  };
  const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
  return status;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
