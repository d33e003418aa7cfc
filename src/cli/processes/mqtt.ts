/** `pompa mqtt`: prices for a smart home, through an MQTT broker. */

import { type Command, CommandError } from '../../app/command.ts';
import { createDatabaseConnection } from '../../app/database/configured-database.ts';
import { createLog } from '../../app/log/process-log.ts';
import { OFFLINE, statusTopic } from '../../app/mqtt/mqtt-messages.ts';
import { mqttPlaces } from '../../app/mqtt/mqtt-places.ts';
import { MqttPublisher } from '../../app/mqtt/mqtt-publisher.ts';
import { collectionSettingsOf } from '../../app/settings/derived-settings.ts';
import { version } from '../../app/settings/version.ts';
import { connectToBroker } from '../../clients/mqtt-broker.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { whenAborted } from '../../concurrency/when-aborted.ts';
import { type Config, publicUrl } from '../../config/config.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { SnapshotFollower } from '../../worker/serving/snapshot-follower.ts';

export const mqttCommand: Command = {
  name: 'mqtt',
  usage: 'mqtt',
  details: `Publishes the national prices, and those of the towns and stations in MQTT_PLACES, to the broker at MQTT_URL:
retained, with the messages by which Home Assistant, openHAB and others discover sensors. Follows every publication.`,
  flags: {},
  args: { min: 0, max: 0 },
  async run({ config, signal, terminal }) {
    if (config.MQTT_URL === null) {
      throw new CommandError('MQTT_URL must be set: the broker, such as mqtt://user:password@127.0.0.1:1883');
    }
    const places = mqttPlaces(config.MQTT_PLACES, loadGazetteer());
    if (typeof places === 'string') throw new CommandError(places);
    const log = createLog(config);
    const topics = { base: config.MQTT_TOPIC, discovery: config.MQTT_DISCOVERY_TOPIC };
    const source = { ...topics, places, publicUrl: publicUrl(config, config.PORT), version: version() };
    const outage = new WarnOnce({
      warn: (why) => log.warn(`the MQTT broker cannot be reached: ${why}`),
      onRecovery: () => log.info('the MQTT broker answers again'),
    });
    const broker = await connectToBroker({
      url: config.MQTT_URL,
      will: { topic: statusTopic(topics), payload: OFFLINE },
      onConnected: () => {
        outage.succeeded();
        publisher.reconnected();
      },
      onRetained: (topic, payload) => publisher.found(topic, payload),
      onUnreachable: (why) => outage.failed(why),
    });
    const address = withoutCredentials(config.MQTT_URL);
    const publisher = new MqttPublisher(source, broker, (sensors) =>
      terminal.out(`publishes ${sensors} sensors to ${address}`),
    );
    const ended = new AbortController();
    const following = followPrices(config, log, AbortSignal.any([signal, ended.signal]), (snapshot) =>
      publisher.show(snapshot),
    );
    try {
      await Promise.race([broker.refused, following]);
    } catch (error) {
      throw new CommandError((error as Error).message);
    } finally {
      ended.abort();
      await following.catch(() => undefined);
      await broker.close({ topic: statusTopic(topics), payload: OFFLINE });
    }
    return 0;
  },
};

/** `mqtt://user:password@127.0.0.1:1883` as it may be shown. */
function withoutCredentials(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** Passes on every snapshot, the last good one first, until it is stopped. Rejects when the operator must act. */
async function followPrices(
  config: Config,
  log: ReturnType<typeof createLog>,
  signal: AbortSignal,
  onSnapshot: (snapshot: Snapshot) => void,
): Promise<void> {
  const settings = collectionSettingsOf(config);
  const follower = await SnapshotFollower.start({
    ...{ dataDir: config.DATA_DIR, settings, clock: Date.now, log },
    onSnapshot,
  });
  let database: Database<Schema> | null = null;
  try {
    database = await createDatabaseConnection(config, log, signal).connect();
    if (database !== null) follower.useDatabase(database);
    await whenAborted(signal);
  } finally {
    await follower.close();
    await database?.close();
  }
}
