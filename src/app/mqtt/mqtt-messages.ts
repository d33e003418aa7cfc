/**
 * What the broker holds for a snapshot: the states of prices, and how Home Assistant and its like discover them. A
 * topic has the words of the API. Source: https://www.home-assistant.io/integrations/sensor.mqtt/
 */
import { cityRecord, extendedFields, nationalBuckets, stationRecord } from '../../api/contract/contract.ts';
import { FUEL_NAME, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import { FUEL_CODE, SHORT_FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { Locality } from '../../domain/places/locality.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import { NO_PRICES, type Snapshot, type StationRecord } from '../../snapshot/snapshot.ts';
import type { MqttPlaces } from './mqtt-places.ts';

/** Payloads by topic; all of them are retained. */
export type MqttMessages = ReadonlyMap<string, string>;

export type MqttTopics = {
  /** What our topics begin with, such as `pompa`. */
  readonly base: string;
  /** What the topics begin with that tell of sensors, such as `homeassistant`. */
  readonly discovery: string;
};

export type MqttSource = MqttTopics & {
  readonly places: MqttPlaces;
  /** The base address of the site, without a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
};

export const ONLINE = 'online';
export const OFFLINE = 'offline';

/** Whether this process is connected: the broker itself changes it when the connection breaks. */
export const statusTopic = ({ base }: Pick<MqttTopics, 'base'>) => `${base}/stare`;

/** Every message for a snapshot. */
export function mqttMessages(source: MqttSource, snapshot: Snapshot): MqttMessages {
  const messages = new Map<string, string>();
  const devices = [
    country(source, snapshot),
    ...source.places.cities.map((city) => cityDevice(source, city, snapshot)),
    ...source.places.stations.map((id) => stationDevice(source, id, snapshot)),
  ];
  for (const { states, sensors, ...device } of devices) {
    for (const [topic, state] of states) messages.set(topic, state);
    for (const sensor of sensors) {
      messages.set(`${source.discovery}/sensor/${source.base}/${sensor.id}/config`, configOf(source, device, sensor));
    }
  }
  return messages;
}

/** Whether a topic of ours tells of a sensor. */
export const isSensorTopic = ({ base, discovery }: MqttTopics, topic: string) =>
  topic.startsWith(`${discovery}/sensor/${base}/`);

/** The topics of ours that a broker may hold, those of an earlier process included. */
export function ownTopics({ base, discovery }: MqttTopics): string[] {
  return [`${base}/#`, `${discovery}/sensor/${base}/+/config`];
}

/**
 * What to put in place of a message that a snapshot no longer has: a price that is gone is `null`, the sensor of a
 * configured station stays (`null`), and what belongs to no configured place is deleted.
 */
export function replacementOf(source: MqttSource, topic: string): string | null {
  const { base, discovery, places } = source;
  if (topic === statusTopic(source)) return null;
  for (const station of places.stations) {
    if (topic.startsWith(`${base}/statie/${station}/`)) return GONE;
    if (topic.startsWith(`${discovery}/sensor/${base}/${base}_statie_${station}_`)) return null;
  }
  return '';
}

const GONE = JSON.stringify({ pret: null });

type Sensor = {
  /** Unique among all sensors: letters, digits, `_` and `-`. */
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** Takes the value from the state. */
  readonly template: string;
  /** Whether the whole state is shown as attributes, too. */
  readonly hasAttributes?: true;
};

type Device = { readonly id: string; readonly name: string; readonly availability?: string };
type DeviceMessages = Device & {
  readonly states: readonly (readonly [string, string])[];
  readonly sensors: readonly Sensor[];
};

function country({ base }: MqttSource, snapshot: Snapshot): DeviceMessages {
  const id = `${base}_romania`;
  const topic = `${base}/romania`;
  const sensor = (fuel: RoadFuel, statistic: 'min' | 'mediu' | 'max', name: string): Sensor => ({
    id: `${id}_${FUEL_CODE[fuel]}_${statistic}`,
    name: `${FUEL_NAME[fuel].ro}, ${name}`,
    topic,
    template: `{{ value_json.${FUEL_CODE[fuel]}.${statistic} }}`,
  });
  return {
    id,
    name: 'România',
    states: [[topic, JSON.stringify(nationalBuckets(snapshot.national, 'null'))]],
    sensors: ROAD_FUELS.flatMap((fuel) => [
      sensor(fuel, 'min', 'minim'),
      sensor(fuel, 'mediu', 'medie'),
      sensor(fuel, 'max', 'maxim'),
    ]),
  };
}

/** A town without a trusted price keeps its sensors, whose states are `null`. */
function cityDevice({ base }: MqttSource, city: Locality, { cities }: Snapshot): DeviceMessages {
  const id = `${base}_oras_${city.slug}`;
  const topic = `${base}/oras/${city.slug}`;
  const { ascii: name, slug, county, lat, lng } = city;
  const prices = cities.find((each) => each.slug === slug) ?? { name, slug, county, lat, lng, prices: NO_PRICES };
  return {
    id,
    name: city.name,
    states: [[topic, JSON.stringify(cityRecord(prices, 'null'))]],
    sensors: ROAD_FUELS.map((fuel) => ({
      id: `${id}_${SHORT_FUEL_CODE[fuel]}`,
      name: `${FUEL_NAME[fuel].ro}, minim`,
      topic,
      template: `{{ value_json.${SHORT_FUEL_CODE[fuel]} }}`,
    })),
  };
}

/** A station that is not served is unavailable, and keeps the sensors that it has had. */
function stationDevice({ base }: MqttSource, station: string, { records, today }: Snapshot): DeviceMessages {
  const id = `${base}_statie_${station}`;
  const topic = `${base}/statie/${station}`;
  const availability = `${topic}/stare`;
  const own = records.filter((record) => record.station.id === station);
  const state = (record: StationRecord) =>
    JSON.stringify({ ...stationRecord(record), ...extendedFields(record, today, false) });
  return {
    id,
    name: nameOf(own[0]) ?? station,
    availability,
    states: [
      [availability, own.length > 0 ? ONLINE : OFFLINE],
      ...own.map((record) => [`${topic}/${FUEL_CODE[record.fuel]}`, state(record)] as const),
    ],
    sensors: own.map(({ fuel }) => ({
      id: `${id}_${FUEL_CODE[fuel]}`,
      name: FUEL_NAME[fuel].ro,
      topic: `${topic}/${FUEL_CODE[fuel]}`,
      template: '{{ value_json.pret }}',
      hasAttributes: true,
    })),
  };
}

function nameOf(record: StationRecord | undefined): string | undefined {
  if (record === undefined) return undefined;
  const { network, city, address } = record.station;
  return [network.name, address || city].filter(Boolean).join(', ');
}

function configOf(source: MqttSource, device: Device, { id, name, topic, template, hasAttributes }: Sensor): string {
  const own = device.availability === undefined ? [] : [{ topic: device.availability }];
  return JSON.stringify({
    name,
    unique_id: id,
    state_topic: topic,
    value_template: template,
    ...(hasAttributes && { json_attributes_topic: topic }),
    unit_of_measurement: 'RON/L',
    state_class: 'measurement',
    suggested_display_precision: 2,
    icon: 'mdi:gas-station',
    availability: [{ topic: statusTopic(source) }, ...own],
    availability_mode: 'all',
    device: {
      identifiers: [device.id],
      name: device.name,
      manufacturer: SERVICE_NAME,
      model: 'Prețuri carburanți',
      configuration_url: source.publicUrl,
    },
    origin: { name: SERVICE_NAME, sw_version: source.version, support_url: source.publicUrl },
  });
}
