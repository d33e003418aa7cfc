/**
 * A push service on loopback (RFC 8030) with simulated browsers behind it: it receives messages and passes them on in
 * plain text.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
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
  const { origin, endpointOf, close } = await startPushEndpoints((name, message, headers) => {
    const browser = browsers.get(name);
    if (browser === undefined) return 410;
    try {
      onPush({ browser: name, headers, text: browser.read(message) });
      return 201;
    } catch {
      return 400;
    }
  }, port);
  return {
    origin,
    subscribe(name) {
      const browser = browsers.get(name) ?? new SimulatedBrowser();
      browsers.set(name, browser);
      return { endpoint: endpointOf(name), p256dh: browser.p256dh, auth: browser.auth };
    },
    close,
  };
}

/** Takes a message for a browser: 201 = accepted, 400 = the browser cannot read it, 410 = nobody is subscribed. */
export type PushReceiver = (browser: string, message: Buffer, headers: IncomingHttpHeaders) => 201 | 400 | 410;

export type PushEndpoints = {
  readonly origin: string;
  readonly server: Server;
  endpointOf(browser: string): string;
  close(): Promise<void>;
};

/** The HTTP side of a push service, to which others send messages. */
export async function startPushEndpoints(receive: PushReceiver, port = 0): Promise<PushEndpoints> {
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent((request.url ?? '').replace(/^\/push\//, ''));
    const message = await buffer(request).catch(() => null);
    if (request.method !== 'POST' || message === null) return response.writeHead(405).end();
    if (message.length > LARGEST_MESSAGE) return response.writeHead(413).end();
    const status = receive(name, message, request.headers);
    return response.writeHead(status, status === 201 ? { Location: `/message/${name}` } : {}).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    server,
    endpointOf: (name) => `${origin}/push/${encodeURIComponent(name)}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
