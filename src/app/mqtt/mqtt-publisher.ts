/** Keeps what a broker holds of ours equal to the latest snapshot. */
import type { MqttBroker } from '../../clients/mqtt-broker.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import {
  isSensorTopic,
  type MqttSource,
  mqttMessages,
  ONLINE,
  ownTopics,
  replacementOf,
  statusTopic,
} from './mqtt-messages.ts';

export class MqttPublisher {
  readonly #source: MqttSource;
  readonly #broker: Pick<MqttBroker, 'publish' | 'subscribe'>;
  /** What the broker holds, as far as this process has told it. */
  #held = new Map<string, string>();
  #snapshot: Snapshot | undefined;
  #isSubscribed = false;
  #isConnected = false;
  #onFirst: ((sensors: number) => void) | undefined;

  /** @param onFirst called once, when prices were given to the connected broker, with the number of sensors. */
  constructor(
    source: MqttSource,
    broker: Pick<MqttBroker, 'publish' | 'subscribe'>,
    onFirst: (sensors: number) => void,
  ) {
    this.#source = source;
    this.#broker = broker;
    this.#onFirst = onFirst;
  }

  /** Publishes what a snapshot changes. Before the first publication of prices it says nothing. */
  show(snapshot: Snapshot): void {
    if (snapshot.version === 0) return;
    this.#snapshot = snapshot;
    const messages = mqttMessages(this.#source, snapshot);
    for (const [topic, payload] of messages) this.#publish(topic, payload);
    for (const topic of this.#held.keys()) if (!messages.has(topic)) this.#replace(topic);
    if (!this.#isSubscribed) this.#broker.subscribe(ownTopics(this.#source));
    this.#isSubscribed = true;
    if (!this.#isConnected) return;
    this.#onFirst?.([...messages.keys()].filter((topic) => isSensorTopic(this.#source, topic)).length);
    this.#onFirst = undefined;
  }

  /** A new connection: the broker may have lost everything, or hold what an earlier process left. */
  reconnected(): void {
    this.#held = new Map();
    this.#isSubscribed = false;
    this.#isConnected = true;
    this.#broker.publish(statusTopic(this.#source), ONLINE);
    if (this.#snapshot !== undefined) this.show(this.#snapshot);
  }

  /** A message that the broker holds: what this snapshot does not have is replaced. */
  found(topic: string, payload: string): void {
    if (this.#snapshot === undefined || payload === '' || this.#held.has(topic)) return;
    this.#held.set(topic, payload);
    this.#replace(topic);
  }

  #replace(topic: string): void {
    const payload = replacementOf(this.#source, topic);
    if (payload !== null) this.#publish(topic, payload);
  }

  #publish(topic: string, payload: string): void {
    if (this.#held.get(topic) === payload) return;
    this.#held.set(topic, payload);
    this.#broker.publish(topic, payload);
  }
}
