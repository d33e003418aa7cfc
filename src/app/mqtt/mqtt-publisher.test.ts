import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aSnapshot } from '../../../test/support/builders/snapshot-builders.ts';
import { MqttPublisher } from './mqtt-publisher.ts';

const source = {
  ...{ base: 'pompa', discovery: 'homeassistant', publicUrl: 'https://pompa.example', version: '1' },
  places: { cities: [], stations: [] },
};

describe('a publisher', () => {
  it('says once how many sensors the broker has, when it is connected and there are prices', () => {
    const said: number[] = [];
    const published: string[] = [];
    const broker = { publish: (topic: string) => published.push(topic), subscribe: () => undefined };
    const publisher = new MqttPublisher(source, broker, (sensors) => said.push(sensors));
    publisher.show(aSnapshot());
    assert.deepEqual(said, [], 'not connected');
    publisher.reconnected();
    publisher.reconnected();
    publisher.show(aSnapshot());
    assert.deepEqual(said, [new Set(published.filter((topic) => topic.endsWith('/config'))).size]);
    assert.equal(said[0], 15);
  });
});
