import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import jsonata from 'jsonata';
import { parse } from 'yaml';
import { DOCUMENTED_ADDRESS, snippetsOf } from '../../support/documented-code.ts';
import { allowAll, SOME_KEY } from '../../support/service/open-access.ts';
import { TestService } from '../../support/service/test-service.ts';
import { world } from '../../support/worlds/contract-world.ts';

type Column = { selector: string; text: string; type: 'string' | 'number' };
type Target = {
  url: string;
  url_options: { params?: { key: string; value: string }[] };
  root_selector: string;
  columns: Column[];
};
type Panel = { title: string; type: string; options?: { xField: string }; targets: [Target] };

const [dataSources] = snippetsOf('docs/GRAFANA.md', 'yaml').map((text) => parse(text).datasources);
const [panels] = snippetsOf('docs/GRAFANA.md', 'json').map((text) => JSON.parse(text).panels as Panel[]);

/** The rows that a panel shows, as the data source reads them. */
async function rowsOf(
  { url, url_options, root_selector }: Target,
  service: TestService,
): Promise<Record<string, unknown>[]> {
  assert.ok(url.startsWith(`${DOCUMENTED_ADDRESS}/api/`), url);
  const query = new URLSearchParams((url_options.params ?? []).map(({ key, value }) => [key, value]));
  const { status, json } = await service.ask(`${url.slice(DOCUMENTED_ADDRESS.length)}?${query}`);
  assert.equal(status, 200);
  const rows = [await jsonata(root_selector).evaluate(json)].flat();
  return rows.map((row) => ({ ...row }));
}

describe('The dashboard for Grafana', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start({ accessControl: allowAll(SOME_KEY), snapshot: world() });
  });
  after(() => service.api.close());

  test('has a data source that may ask the service, with the key in a header', () => {
    const [{ type, jsonData, secureJsonData }] = dataSources;
    assert.deepEqual([type, jsonData.allowedHosts], ['yesoreyeram-infinity-datasource', [DOCUMENTED_ADDRESS]]);
    assert.deepEqual([jsonData.httpHeaderName1, secureJsonData.httpHeaderValue1], ['X-Api-Key', '$POMPA_API_KEY']);
  });

  for (const { title, options, targets } of panels ?? []) {
    test(`shows ${title}: every column has its type, and a missing price is no number`, async () => {
      const [target] = targets;
      const rows = await rowsOf(target, service);
      assert.ok(rows.length > 0);
      for (const { selector, type } of target.columns) {
        const values = rows.map((row) => row[selector] ?? null);
        assert.ok(
          values.some((value) => value !== null),
          selector,
        );
        for (const value of values) assert.ok(value === null || (typeof value === type && value !== 0), selector);
      }
      if (options !== undefined) assert.ok(target.columns.some(({ text }) => text === options.xField));
    });
  }

  test('shows each day of a history beside its price', async () => {
    const history = panels?.find(({ type }) => type === 'barchart') ?? assert.fail();
    const rows = await rowsOf(history.targets[0], service);
    assert.deepEqual(rows.slice(0, 3), [
      { day: '15.11', petrol: 7.495, diesel: null },
      { day: '16.11', petrol: 7.48, diesel: null },
      { day: '17.11', petrol: null, diesel: null },
    ]);
  });
});
