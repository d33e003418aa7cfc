/**
 * A push service on loopback (RFC 8030) with browsers behind it: it receives messages and passes them on in plain text.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SimulatedBrowser } from './browser.ts';

/** Source: RFC 8030, section 7.2: a push service may refuse larger messages. */
const LARGEST_MESSAGE = 4_096;

export type ReceivedPush = {
  /** The last part of the endpoint. */
  readonly browser: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

export type SimulatedPushService = {
  /** `http://127.0.0.1:PORT`, as `PUSH_HOSTS` accepts it. */
  readonly origin: string;
  /** The subscription that a page in a browser sends; the same name gives the same browser. */
  subscribe(browser: string): { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  close(): Promise<void>;
};

/** Listens on the port, or on a free one if it is taken; calls `onPush` with every message that could be decrypted. */
export async function startSimulatedPushService(
  onPush: (push: ReceivedPush) => void,
  port = 0,
): Promise<SimulatedPushService> {
  const browsers = new Map<string, SimulatedBrowser>();
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent((request.url ?? '').replace(/^\/push\//, ''));
    const browser = browsers.get(name);
    const message = await buffer(request).catch(() => null);
    if (request.method !== 'POST' || message === null) return response.writeHead(405).end();
    if (browser === undefined) return response.writeHead(410).end();
    if (message.length > LARGEST_MESSAGE) return response.writeHead(413).end();
    const { headers } = request;
    try {
      onPush({ browser: name, headers, text: browser.read(message) });
      return response.writeHead(201, { Location: `/message/${name}` }).end();
    } catch {
      return response.writeHead(400).end();
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    subscribe(name) {
      const browser = browsers.get(name) ?? new SimulatedBrowser();
      browsers.set(name, browser);
      return { endpoint: `${origin}/push/${encodeURIComponent(name)}`, p256dh: browser.p256dh, auth: browser.auth };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
