/** `pompa mqtt`: prices for a smart home, through an MQTT broker. */

import { type Command, CommandError } from '../../app/command.ts';
import { collectionSettingsOf, createDatabaseConnection, createLog } from '../../app/composition.ts';
import { OFFLINE, statusTopic } from '../../app/mqtt/mqtt-messages.ts';
import { mqttPlaces } from '../../app/mqtt/mqtt-places.ts';
import { MqttPublisher } from '../../app/mqtt/mqtt-publisher.ts';
import { version } from '../../app/version.ts';
import { connectToBroker } from '../../clients/mqtt-broker.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { whenAborted } from '../../concurrency/when-aborted.ts';
import { publicUrl } from '../../config/config.ts';
import { SnapshotFollower } from '../../worker/serving/snapshot-follower.ts';

export const mqttCommand: Command = {
  name: 'mqtt',
  usage: 'mqtt',
  details: `Publishes the national prices, and those of the towns and stations in MQTT_PLACES, to the broker at MQTT_URL:
retained, with the messages by which Home Assistant, openHAB and others discover sensors. Follows every publication.`,
  flags: {},
  args: { min: 0, max: 0 },
  async run({ config, signal }) {
    if (config.MQTT_URL === null) {
      throw new CommandError('MQTT_URL must be set: the broker, such as mqtt://user:password@127.0.0.1:1883');
    }
    const settings = collectionSettingsOf(config);
    const places = mqttPlaces(config.MQTT_PLACES, settings.gazetteer);
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
    const publisher = new MqttPublisher(source, broker);
    const follower = await SnapshotFollower.start({
      ...{ dataDir: config.DATA_DIR, settings, clock: Date.now, log },
      onSnapshot: (snapshot) => publisher.show(snapshot),
    });
    const following = createDatabaseConnection(config, log, signal)
      .connect()
      .then((database) => {
        if (database !== null) follower.useDatabase(database);
        return database;
      });
    try {
      const stopped = whenAborted(signal);
      await Promise.race([stopped, broker.refused, following.then(() => stopped)]);
    } catch (error) {
      throw new CommandError((error as Error).message);
    } finally {
      // The follower first begins to follow, if it still has to: it would not end otherwise.
      const database = await following.catch(() => null);
      await follower.close();
      await broker.close({ topic: statusTopic(topics), payload: OFFLINE });
      await database?.close();
    }
    return 0;
  },
};
