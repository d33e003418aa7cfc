import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dayNumber } from '../../src/domain/days.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { callTool, connectMcp, type Era, logged, withMcp } from '../support/service/mcp-service.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const TODAY = dayNumber('2026-11-20');
/** Thirty dear days, then a cheap one. */
const CHEAP_TODAY = Array.from({ length: 31 }, (_, n) => {
  const mean = n === 30 ? 7_400 : 7_500;
  return { day: TODAY - 30 + n, stations: 9, min: mean, p10: mean, median: mean, mean, p90: mean, max: mean };
});

const feed = new ToldFeed();
let guarded: GuardedServices;
before(async () => {
  const snapshot = { ...world(), statistics: (scope: string) => (scope === 'national' ? CHEAP_TODAY : []) };
  guarded = await GuardedServices.start(1, null, () => ({ ...withMcp(undefined, feed.log), snapshot }));
});
after(async () => {
  await guarded.close();
  assert.deepEqual(logged, []);
});

const connect = (options: Parameters<typeof connectMcp>[1] = {}) => connectMcp(guarded.service, options);

/** A good call of each tool, a line of its answer, and a bad call with what is said of it. */
const CALLS = [
  {
    name: 'cheapest_near',
    good: { fuel: 'benzina_standard', place: 'Cluj-Napoca' },
    says: /^The cheapest benzina_standard within 10 km of Cluj-Napoca.*\n1\. 7\.45 RON\/L – Petrom.*observed yesterday.*station_id 0a1b/,
    bad: { fuel: 'benzina_standard' },
    refuses: /Give "place".*or both "lat" and "lon"/,
  },
  {
    name: 'along_route',
    good: { from: 'Cluj-Napoca', to: 'Turda', fuel: 'benzina_standard' },
    says: /^From Cluj-Napoca to Turda: [\d.]+ km, about \d+ minutes/,
    bad: { from: 'Cluj-Napoca', to: 'Atlantida Noua', fuel: 'gpl' },
    refuses: /No place in Romania is known as "Atlantida Noua"/,
  },
  {
    name: 'national_prices',
    good: {},
    says: /1\. benzina_standard: lowest 7\.43 RON\/L, average 7\.44 RON\/L, highest 7\.45 RON\/L/,
    bad: { fuel: 'gpl' },
    refuses: /there is no argument "fuel"; it takes none/,
  },
  {
    name: 'city_prices',
    good: { city: 'Târgu Mureș', fuel: 'motorina_standard' },
    says: /in Târgu Mureș:\n1\. Targu Mures \(MS\): motorina_standard 7\.85 RON\/L/,
    bad: { county: 'Atlantida' },
    refuses: /No county of Romania is called "Atlantida"/,
  },
  {
    name: 'price_history',
    good: { station_id: TURZII, fuel: 'benzina_standard' },
    says: /1\. 2026-11-19: 7\.45 RON\/L, before 7\.47 RON\/L\n2\. 2026-11-18/,
    bad: { station_id: TURZII, days: 91 },
    refuses: /"days" must be <= 90/,
  },
  {
    name: 'is_it_cheap_now',
    good: { fuel: 'benzina_standard' },
    says: /^Yes, today is cheap compared with the last 30 days: benzina_standard in Romania costs 7\.40 RON\/L/,
    bad: { fuel: 'benzina_standard', city: 'Cluj-Napoca' },
    refuses: /Too few days .* are known in Cluj-Napoca/,
  },
  {
    name: 'why_this_price',
    good: { station_id: TURZII, fuel: 'benzina_premium' },
    says: /1\. benzina_premium: no price\. Withdrawn: the source gives the premium fuel a price below/,
    bad: { station_id: 'nothing' },
    refuses: /No station has the id "nothing"/,
  },
] as const;

for (const era of ERAS)
  describe(`a client of the ${era} era`, () => {
    test('sees every tool as read-only, described, with schemas that refuse other arguments', async () => {
      const client = await connect({ era });
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [...CALLS.map(({ name }) => name), 'changes_since'],
      );
      for (const { name, description, annotations, inputSchema } of tools) {
        assert.ok(description, name);
        assert.equal(annotations?.readOnlyHint, true);
        assert.equal(inputSchema.additionalProperties, false);
      }
    });

    for (const { name, good, says } of CALLS)
      test(`${name}: answers at most ten rows, with units, age, licence and source`, async () => {
        const { isError, text, data } = await callTool(await connect({ era }), name, good);
        assert.equal(isError, false, text);
        assert.match(text, says);
        assert.match(
          text,
          /\nPrices in RON per litre; updated 30 minutes ago\. Source: Pompa, .*; licence CC BY 4\.0\.$/,
        );
        assert.ok(data.rows.length <= 10);
        assert.equal(data.unit, 'RON per litre');
        assert.equal(data.updated_at, '2026-11-20T07:30:00+00:00');
      });
  });

test('a wrong call is answered in words that say what would be right, and costs nothing', async () => {
  const client = await connect();
  for (const { name, bad, refuses, good } of CALLS) {
    const { isError, text } = await callTool(client, name, bad);
    assert.equal(isError, true);
    assert.match(text, refuses);
    assert.equal((await callTool(client, name, good)).isError, false, name);
  }
});

test('a wrong argument is named, with those that are known', async () => {
  const client = await connect();
  const { text: fuel } = await callTool(client, 'cheapest_near', { fuel: 'kerosen' });
  assert.match(fuel, /"fuel" must be one of benzina_standard, benzina_premium,/);
  const { text: missing } = await callTool(client, 'cheapest_near', {});
  assert.match(missing, /the argument "fuel" is missing/);
  const { text: unknown } = await callTool(client, 'cheapest_near', { fuel: 'gpl', plac: 'x' });
  assert.match(unknown, /there is no argument "plac"; known are fuel, place, lat, lon, radius_km/);
});

describe('changes_since', () => {
  const ELSEWHERE = { station: 'ffffffffffff', fuel: 'diesel', county: 'IS', city: 'iasi', network: 'mol' } as const;
  before(() => {
    feed.tellSome(11);
    feed.tell([ELSEWHERE, { after: { price: null, reason: 'expired' }, kind: 'withdrawn' }]);
  });
  const withKey = async () => connect({ key: (await guarded.key({ quota: 100 })).key });

  test('tells the newest changes and the cursor after them, then what followed, until nothing does', async () => {
    const client = await withKey();
    const { text, data } = await callTool(client, 'changes_since', { city: 'Cluj-Napoca', fuel: 'benzina_standard' });
    assert.match(
      text,
      /^The latest changes of benzina_standard in Cluj-Napoca, newest first:\n1\. 2026-11-20T\S+: benzina_standard no price, before 7\.12 RON\/L \(expired: not confirmed lately\) – Petrom, .*station_id 0a1b/,
    );
    assert.match(
      text,
      /\nTo ask for what follows: cursor epoch_01\.d\nPrices in RON per litre; updated 30 minutes ago\./,
    );
    assert.equal(data.rows.length, 10);
    assert.deepEqual([data.cursor, data.unit, data.licence.slice(0, 5)], [`${EPOCH}.d`, 'RON per litre', 'CC BY']);
    assert.deepEqual([data.rows[1].price, data.rows[1].price_before, data.rows[1].kind], [7.11, 7.1, 'another price']);

    const more = await callTool(client, 'changes_since', { cursor: `${EPOCH}.1` });
    assert.match(more.text, /^What followed in Romania, oldest first:/);
    assert.deepEqual([more.data.rows.length, more.data.cursor], [10, `${EPOCH}.b`]);
    assert.match(more.text, /More changes follow/);
    const rest = await callTool(client, 'changes_since', { cursor: more.data.cursor, county: 'Iași' });
    assert.match(rest.text, /1\. .*motorina_standard .* – a station that is gone \(station_id ffffffffffff\)/);
    const none = await callTool(client, 'changes_since', { cursor: rest.data.cursor, station_id: TURZII });
    assert.match(none.text, /^Nothing followed in Romania at station/);
    assert.deepEqual([none.data.rows, none.data.cursor], [[], `${EPOCH}.d`]);
  });

  test('needs a key, says so in words, and costs one request of it', async () => {
    const { isError, text } = await callTool(await connect(), 'changes_since');
    assert.equal(isError, true);
    assert.match(text, /^This needs an API key; a free one will do: http.*\/en\/plans; .*X-Api-Key/);
    const { key } = await guarded.key({ quota: 1 });
    const client = await connect({ key });
    assert.equal((await callTool(client, 'changes_since')).isError, false);
    assert.match(
      (await callTool(client, 'changes_since', { cursor: `${EPOCH}.1` })).text,
      /^Limit reached: the 1 requests/,
    );
  });

  test('says what is wrong with a cursor, a place or a station', async () => {
    const client = await withKey();
    for (const [args, refuses] of [
      [{ cursor: 'yesterday' }, /^"cursor" must be the cursor of an earlier answer/],
      [{ cursor: 'acum' }, /^"cursor" must be/],
      [{ cursor: 'epoch_00.1' }, /^The cursor is not valid any more\. Leave it out/],
      [{ county: 'Atlantida' }, /^No county of Romania is called/],
      [{ station_id: 'a,b' }, /^Give one "station_id"/],
    ] as const) {
      const { isError, text } = await callTool(client, 'changes_since', args);
      assert.equal(isError, true, text);
      assert.match(text, refuses);
    }
  });
});

describe('resources', () => {
  test('are the licence, the age of the data, the API and the averages of a county', async () => {
    const client = await connect();
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['pompa://licence', 'pompa://data-age', 'pompa://openapi'],
    );
    const read = async (uri: string) => {
      const [first] = (await client.readResource({ uri })).contents;
      return first !== undefined && 'text' in first ? first.text : '';
    };
    assert.match(await read('pompa://licence'), /CC BY 4\.0/);
    assert.equal(JSON.parse(await read('pompa://data-age')).actualizat_la, '2026-11-20T07:30:00+00:00');
    assert.equal(JSON.parse(await read('pompa://openapi')).openapi, '3.1.0');
    assert.equal(JSON.parse(await read('pompa://county/Cluj')).judet, 'CJ');
    await assert.rejects(client.readResource({ uri: 'pompa://county/XX' }), /No county of Romania is called "XX"/);
  });
});

describe('the server', () => {
  test('declares no notices of changed lists, since there are no subscriptions', async () => {
    const { tools, resources } = (await connect()).getServerCapabilities() ?? {};
    assert.deepEqual([tools, resources], [{ listChanged: false }, { listChanged: false }]);
  });
});

describe('a row of along_route', () => {
  test('names its station, with which the other tools go on, and the day of the price', async () => {
    const client = await connect();
    const good = { from: 'Cluj-Napoca', to: 'Turda', fuel: 'benzina_standard', corridor_km: 15 };
    const { data, text } = await callTool(client, 'along_route', good);
    const ids: unknown[] = data.rows.map((row: { station_id: unknown }) => row.station_id);
    const row = data.rows[ids.indexOf(TURZII)];
    assert.deepEqual([row?.price, row?.observed_at, row?.age_days], [7.45, '2026-11-19', 1]);
    assert.match(text, new RegExp(`7\\.45 RON/L – .*km from the route, observed yesterday, station_id ${TURZII}\\)`));
    for (const station_id of ids)
      assert.equal((await callTool(await connect(), 'why_this_price', { station_id })).isError, false);
  });
});

describe('limits are those of the API', () => {
  test('without a key, a tool answers an address once a week, and says when again and what a key costs', async () => {
    const from = newAddress();
    const client = await connect({ from });
    for (const { name, good } of CALLS) assert.equal((await callTool(client, name, good)).isError, false, name);
    for (const name of ['cheapest_near', 'along_route', 'price_history', 'why_this_price']) {
      const { good } = CALLS.find((each) => each.name === name) as (typeof CALLS)[number];
      const { isError, text } = await callTool(client, name, good);
      assert.equal(isError, true, name);
      assert.match(
        text,
        /^Limit reached: without an API key.*once a week.*20\d\d-.*A key lifts this limit: http.*\/en\/plans/,
      );
    }
    assert.equal((await callTool(client, 'national_prices')).isError, false);
    const { status } = await guarded.service.ask('/api/v1/statii', { headers: { 'X-Forwarded-For': from } });
    assert.equal(status, 429, 'the API counts the same');
  });

  test('with a key, each call uses one request of its quota, and what is refused none', async () => {
    const { key } = await guarded.key({ quota: 2 });
    const used = async () =>
      (await guarded.service.ask('/api/v1/cheie', { headers: { 'X-Api-Key': key } })).json.consum_luna;
    const client = await connect({ key });
    const { good } = CALLS[0];
    // Five requests in all: a sixth within the second would be refused.
    await callTool(client, 'cheapest_near', { ...good, place: 'Nicaieri' });
    assert.equal(await used(), 0);
    assert.equal((await callTool(client, 'cheapest_near', good)).isError, false);
    assert.equal((await callTool(client, 'is_it_cheap_now', { fuel: 'benzina_standard' })).isError, false);
    const { isError, text } = await callTool(client, 'cheapest_near', good);
    assert.equal(isError, true);
    assert.match(
      text,
      /^Limit reached: the 2 requests that this API key may make in a month, by its plan or by a limit that its holder set, are used up\. Try again in \d+ (hours|days)\./,
    );
    assert.equal(await used(), 2);
  });

  test('a burst of one key is told how long to wait', async () => {
    const { key } = await guarded.key({ quota: 100 });
    const client = await connect({ key });
    const replies = await Promise.all(Array.from({ length: 12 }, () => callTool(client, 'city_prices')));
    const refused = replies.filter(({ isError }) => isError);
    assert.ok(refused.length >= 1);
    for (const { text } of refused)
      assert.match(text, /^Limit reached: too many requests at once\. Try again in \d+ seconds?\./);
  });

  test('a key that is not accepted is refused in words, and never repeated', async () => {
    const { isError, text } = await callTool(
      await connect({ key: 'pompa_live_nonsense' }),
      'cheapest_near',
      CALLS[0].good,
    );
    assert.equal(isError, true);
    assert.match(text, /^The API key is not accepted/);
    assert.doesNotMatch(text, /nonsense/);
    const other = await callTool(await connect({ key: 'pompa_live_nonsense' }), 'why_this_price', { station_id: 'x' });
    assert.match(other.text, /^The API key is not accepted/);
  });
});
