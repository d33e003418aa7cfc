/** The settings of `pompa mqtt`. Each parser throws a clause that describes a valid value. */
import { BadValue } from './parse.ts';
import { setting } from './setting.ts';

const MAX_PLACES = 100;

export const MQTT_SETTINGS = {
  MQTT_URL: setting<string | null>(
    null,
    brokerUrl,
    'The broker of `pompa mqtt`, such as `mqtt://127.0.0.1:1883` or, with TLS, `mqtts://user:password@host`. A secret.',
  ),
  MQTT_PLACES: setting<readonly string[]>(
    '',
    places,
    `Comma-separated list of at most ${MAX_PLACES} towns and stations that it publishes besides the country: slugs such as \`cluj-napoca\`, ids of \`/statii\` such as \`0a1b2c3d4e5f\`.`,
  ),
  MQTT_TOPIC: setting('pompa', topicLevel, 'What its topics begin with; a broker with two of them needs two names.'),
  MQTT_DISCOVERY_TOPIC: setting(
    'homeassistant',
    topicLevel,
    'What the topics begin with in which Home Assistant and others look for sensors.',
  ),
};

function brokerUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^mqtts?:$/.test(url.protocol) && url.hostname !== '') return text;
  throw new BadValue('must be the address of an MQTT broker, such as mqtt://user:password@127.0.0.1:1883');
}

function places(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length <= MAX_PLACES && names.every((name) => /^[a-z0-9-]+$/.test(name))) return Object.freeze(names);
  throw new BadValue(
    `must be at most ${MAX_PLACES} slugs of towns and ids of stations, such as cluj-napoca,0a1b2c3d4e5f`,
  );
}

/** One level of a topic that is valid in names of sensors, too. */
function topicLevel(text: string): string {
  if (/^[A-Za-z0-9_-]{1,40}$/.test(text)) return text;
  throw new BadValue('must be up to 40 letters, digits, _ and -, such as pompa');
}
