/** A connection to an MQTT broker that keeps what we publish retained, made again after every interruption. */
import type { MqttClient } from 'mqtt';
import { withTimeout } from '../concurrency/with-timeout.ts';

export type BrokerOptions = {
  /** `mqtt://` or `mqtts://`, with user and password if the broker asks for them. */
  readonly url: string;
  /** What the broker publishes, retained, when this connection breaks. */
  readonly will: { readonly topic: string; readonly payload: string };
  /** Called with every retained message under the subscribed topics. */
  readonly onRetained: (topic: string, payload: string) => void;
  /** Called whenever the broker has accepted the connection. */
  readonly onConnected: () => void;
  /** Called when the broker cannot be reached; the connection is tried again every few seconds. */
  readonly onUnreachable: (why: string) => void;
};

export type MqttBroker = {
  /**
   * Publishes retained; an empty payload deletes. Without a connection it does nothing, and so does `subscribe`: after
   * `onConnected` everything is to be said again.
   */
  publish(topic: string, payload: string): void;
  subscribe(topics: readonly string[]): void;
  /** Rejects with a sentence when the broker refuses us for good. */
  readonly refused: Promise<never>;
  /** Publishes one more message, waits until everything is delivered, a few seconds at most, and disconnects. */
  close(last: { readonly topic: string; readonly payload: string }): Promise<void>;
};

const RETRY_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 3_000;
const RETAINED = { retain: true, qos: 1 } as const;

/** Connects in the background. Rejects if the package `mqtt` is not installed. */
export async function connectToBroker(options: BrokerOptions): Promise<MqttBroker> {
  const { connect } = await import('mqtt');
  const { will, onConnected, onRetained, onUnreachable } = options;
  const client = connect(options.url, {
    reconnectPeriod: RETRY_MS,
    // `onConnected` does: the library would do it besides.
    resubscribe: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    will: { ...will, payload: Buffer.from(will.payload), ...RETAINED },
  });
  const { promise: refused, reject } = Promise.withResolvers<never>();
  refused.catch(() => undefined);
  client.on('connect', onConnected);
  client.on('message', (topic, payload, { retain }) => {
    if (retain) onRetained(topic, payload.toString());
  });
  client.on('error', (error: Error & { code?: string | number }) => {
    // A number is the broker's own answer to our connection: asking again would not change it.
    if (typeof error.code === 'number') reject(new Error(`the MQTT broker refuses the connection: ${error.message}`));
    else onUnreachable(error.message || String(error.code));
  });
  return {
    publish: (topic, payload) => {
      if (client.connected) client.publish(topic, payload, RETAINED);
    },
    subscribe: (topics) => {
      if (client.connected) client.subscribe([...topics], { qos: 1 });
    },
    refused,
    close: (last) => disconnect(client, last),
  };
}

async function disconnect(client: MqttClient, { topic, payload }: { topic: string; payload: string }): Promise<void> {
  if (!client.connected) {
    client.end(true);
    return;
  }
  const isDelivered = await withTimeout(CLOSE_TIMEOUT_MS, client.publishAsync(topic, payload, RETAINED)).then(
    () => true,
    () => false,
  );
  // A broker that confirms nothing is not waited for.
  await withTimeout(CLOSE_TIMEOUT_MS, client.endAsync(!isDelivered)).catch(() => undefined);
}
