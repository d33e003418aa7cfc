import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Template } from '@huggingface/jinja';
import { parse, type ScalarTag } from 'yaml';
import { DOCUMENTED_ADDRESS, snippetsOf } from '../../support/documented-code.ts';
import { allowAll, allowWithoutKey, SOME_KEY } from '../../support/service/open-access.ts';
import { TestService } from '../../support/service/test-service.ts';
import { TURZII, world } from '../../support/worlds/contract-world.ts';

type Sensor = {
  name: string;
  value_template: string;
  availability?: string;
  json_attributes_path?: string;
  json_attributes?: string[];
};
type Resource = {
  resource: string;
  params: Record<string, string | number>;
  headers: Record<string, string>;
  sensor: Sensor[];
};
type Configuration = { rest?: Resource[]; automation?: { actions: { data: { message: string } }[] }[] };

const SECRETS: Readonly<Record<string, string>> = { pompa_api_key: 'pompa_live_x' };
/** `!secret NAME`, as Home Assistant reads it. */
const secret: ScalarTag = { tag: '!secret', resolve: (name) => SECRETS[name] ?? assert.fail(`no secret ${name}`) };
const snippets: Configuration[] = snippetsOf('docs/HOME-ASSISTANT.md', 'yaml').map((text) =>
  parse(text, { customTags: [secret] }),
);
const resources = snippets.flatMap(({ rest = [] }) => rest);
const [nearby, watched] = resources as [Resource, Resource];

/** What a sensor shows after an answer, as the integration decides it. */
function stateOf({ availability, value_template }: Sensor, answer: unknown): string {
  const render = (template: string) => new Template(template).render({ value_json: answer }).trim();
  if (availability !== undefined && render(availability) !== 'true') return 'unavailable';
  return render(value_template);
}

/** Sends the request of a snippet. */
async function answerTo({ resource, params, headers }: Resource, service: TestService): Promise<unknown> {
  assert.ok(resource.startsWith(`${DOCUMENTED_ADDRESS}/api/`), resource);
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return (await service.ask(`${resource.slice(DOCUMENTED_ADDRESS.length)}?${query}`, { headers })).json;
}

describe('The snippets for Home Assistant', () => {
  let live: TestService;
  let empty: TestService;
  let refusing: TestService;
  before(async () => {
    const accessControl = allowAll(SOME_KEY);
    live = await TestService.start({ accessControl, snapshot: world() });
    empty = await TestService.start({ accessControl, snapshot: world({ records: [] }) });
    refusing = await TestService.start({ accessControl: allowWithoutKey });
  });
  after(() => Promise.all([live, empty, refusing].map(({ api }) => api.close())));

  test('send the key from the secrets, in every request', () => {
    assert.equal(resources.length, 2);
    for (const { headers } of resources) assert.deepEqual(headers, { 'X-Api-Key': SECRETS.pompa_api_key });
  });

  test('show the cheapest price nearby, with attributes of the same record', async () => {
    const answer = (await answerTo(nearby, live)) as { total: number; statii: [Record<string, unknown>] };
    const [sensor] = nearby.sensor as [Sensor];
    assert.equal(stateOf(sensor, answer), '7.45');
    assert.equal(answer.total, 1);
    assert.equal(sensor.json_attributes_path, '$.statii[0]');
    for (const attribute of sensor.json_attributes ?? [])
      assert.ok(Object.hasOwn(answer.statii[0], attribute), attribute);
    assert.deepEqual([answer.statii[0].id, answer.statii[0].adresa], [TURZII, 'Calea Turzii 178']);
  });

  test('show a watched station, and why another has no price', async () => {
    const [work, home] = watched.sensor as [Sensor, Sensor];
    assert.equal(stateOf(work, await answerTo(watched, live)), '7.89');
    assert.equal(stateOf(home, await answerTo(watched, live)), '');
    const lpg = { ...watched, params: { ...watched.params, tip: 'gpl' } };
    assert.equal(stateOf(work, await answerTo(lpg, live)), 'unavailable');
    assert.equal(stateOf(home, await answerTo(lpg, live)), 'nu_se_vinde');
  });

  for (const [name, service] of [
    ['nothing is found', () => empty],
    ['the key is refused', () => refusing],
  ] as const) {
    test(`are unavailable while ${name}`, async () => {
      for (const resource of resources) {
        const answer = await answerTo(resource, service());
        for (const sensor of resource.sensor) {
          assert.equal(stateOf(sensor, answer), sensor.availability === undefined ? '' : 'unavailable', sensor.name);
          assert.doesNotThrow(() => new Template(sensor.value_template).render({ value_json: answer }));
        }
      }
    });
  }

  test('tell of a low price in a whole sentence', () => {
    const [automation] = snippets.flatMap(({ automation = [] }) => automation);
    const message = automation?.actions[0]?.data.message ?? '';
    const attributes: Readonly<Record<string, string>> = { brand: 'Petrom', adresa: 'Calea Turzii 178' };
    const text = new Template(message).render({
      states: () => '7.25',
      state_attr: (_: string, name: string) => attributes[name],
    });
    assert.equal(text.trim().replaceAll(/\s+/g, ' '), '7.25 RON/L at Petrom, Calea Turzii 178.');
  });
});
