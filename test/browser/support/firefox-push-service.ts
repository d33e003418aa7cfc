/**
 * The push service of a Firefox, on loopback: the browser registers over a WebSocket and receives its messages there,
 * still encrypted. Source of the protocol: Mozilla's autopush, "Push Service Bridge and WebSocket protocol".
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { startPushEndpoints } from '../../../src/simulation/push-service.ts';

export type FirefoxPushService = {
  /** `http://127.0.0.1:PORT`, as `PUSH_HOSTS` accepts it. */
  readonly origin: string;
  /** The address of `dom.push.serverURL`. */
  readonly webSocketUrl: string;
  readonly events: EventEmitter<{
    /** A message was accepted for the browser: its headers, and the key that the subscription is bound to. */
    message: [headers: IncomingHttpHeaders, key: string];
    /** The browser has handled a message: 100 = delivered to the service worker without an error. */
    ack: [code: number];
    /** The browser ended a subscription. */
    unregister: [];
  }>;
  close(): Promise<void>;
};

type ClientMessage =
  | { readonly messageType: 'hello' | 'ping' | 'broadcast_subscribe' | 'nack' }
  | { readonly messageType: 'register'; readonly channelID: string; readonly key: string }
  | { readonly messageType: 'unregister'; readonly channelID: string }
  | { readonly messageType: 'ack'; readonly updates: readonly { readonly code: number }[] };

/** Listens on a free port. */
export async function startFirefoxPushService(): Promise<FirefoxPushService> {
  const events: FirefoxPushService['events'] = new EventEmitter();
  /** Public keys by channel: a channel is one subscription. */
  const keys = new Map<string, string>();
  let browser: WebSocket | undefined;
  const reply = (message: object): void => browser?.send(JSON.stringify(message));

  const { origin, server, endpointOf, close } = await startPushEndpoints((channelID, message, headers) => {
    const key = keys.get(channelID);
    if (key === undefined) return 410;
    events.emit('message', headers, key);
    const data = message.toString('base64url');
    const encoding = headers['content-encoding'];
    reply({ messageType: 'notification', channelID, version: randomUUID(), data, headers: { encoding } });
    return 201;
  });

  const answer = (message: ClientMessage): void => {
    switch (message.messageType) {
      case 'hello':
        reply({ messageType: 'hello', status: 200, uaid: randomUUID().replaceAll('-', ''), use_webpush: true });
        break;
      case 'register':
        // Firefox pads it; senders do not.
        keys.set(message.channelID, message.key.replace(/=+$/, ''));
        reply({ ...message, status: 200, pushEndpoint: endpointOf(message.channelID) });
        break;
      case 'unregister':
        keys.delete(message.channelID);
        reply({ ...message, status: 200 });
        events.emit('unregister');
        break;
      case 'ack':
        for (const { code } of message.updates) events.emit('ack', code);
        break;
      case 'ping':
        reply({});
    }
  };

  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    browser = socket;
    socket.on('message', (data) => answer(JSON.parse(data.toString()) as ClientMessage));
  });
  return {
    origin,
    webSocketUrl: `${origin.replace('http', 'ws')}/`,
    events,
    async close() {
      browser?.terminate();
      sockets.close();
      await once(sockets, 'close');
      await close();
    },
  };
}
