import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AccessControl } from '../../src/api/access/access-rules.ts';
import { createGermanSearchService } from '../../src/api/endpoints/german-search.ts';
import { germanEndpoint } from '../../src/api/endpoints/germany.ts';
import type { RenderedSnapshot } from '../../src/api/rendering/rendered-snapshot.ts';
import { createTankerkoenig } from '../../src/clients/tankerkoenig.ts';
import { openDatabase } from '../../src/store/connection/database.ts';
import { GermanStore } from '../../src/store/germany/german-store.ts';
import type { KeyedHasher } from '../../src/store/limits/address-hash.ts';
import { DatabaseProxy } from '../support/database/database-proxy.ts';
import { addressHashOn } from '../support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { TestService } from '../support/service/test-service.ts';
import { GermanSourceDouble, identifyAsNew, json } from '../support/simulators/german-source.ts';
import { timed } from '../support/stopwatch.ts';

const BERLIN = '/api/v1/de-statii?lat=52.5219&lng=13.4132&rad=5';
/** The budget for all statements of one answer together, ms. */
const ALL_MS = 800;
const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
let hasher: KeyedHasher;
before(async () => {
  database = await testDatabase();
  hasher = (await addressHashOn(database)).for('german shares');
});
after(() => database.drop());

/** Reports each statement and its timeout before it runs. */
class RecordingStore extends GermanStore {
  readonly timeouts: (number | undefined)[] = [];
  before: (statement: 'readCell' | 'takeLease' | 'takeCall' | 'saveAnswer' | 'release') => void = () => undefined;

  override readCell(...[cell, caller, ms]: Parameters<GermanStore['readCell']>) {
    return this.#watch('readCell', ms, () => super.readCell(cell, caller, ms));
  }

  override takeLease(...[cell, leaseMs, ms]: Parameters<GermanStore['takeLease']>) {
    return this.#watch('takeLease', ms, () => super.takeLease(cell, leaseMs, ms));
  }

  override takeCall(...[caller, ms]: Parameters<GermanStore['takeCall']>) {
    return this.#watch('takeCall', ms, () => super.takeCall(caller, ms));
  }

  override saveAnswer(...[lease, search, stations, ms]: Parameters<GermanStore['saveAnswer']>) {
    return this.#watch('saveAnswer', ms, () => super.saveAnswer(lease, search, stations, ms));
  }

  override release(...[lease, failed, ms]: Parameters<GermanStore['release']>) {
    return this.#watch('release', ms, () => super.release(lease, failed, ms));
  }

  #watch<T>(statement: Parameters<RecordingStore['before']>[0], ms: number | undefined, work: () => Promise<T>) {
    this.timeouts.push(ms);
    this.before(statement);
    return work();
  }
}

const WORK_MS = 20;
function blockFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('GET /api/v1/de-statii when the database falls silent', () => {
  for (const step of ['readCell', 'takeCall', 'saveAnswer', 'release'] as const) {
    test(`at its statement “${step}”: answers within a second, and earlier statements use up the budget of later ones`, async (t) => {
      await database.pool.query(`truncate german_answers; update german_budget set recent = '{}'`);
      const proxy = await DatabaseProxy.inFrontOf(database.url);
      t.after(() => proxy.close());
      const proxied = await openDatabase({ databaseUrl: proxy.url, dataDir: '', log: silentLog });
      t.after(() => proxied.close());
      const upstream = await GermanSourceDouble.start();
      t.after(() => upstream.close());
      if (step === 'release') upstream.answer = json({ ok: false });
      const source = createTankerkoenig({ url: upstream.url, apiKey: 'x', userAgent: 'x', allowPrivate: true });
      t.after(() => source.close());
      const store = new RecordingStore(proxied, 100, hasher);
      store.before = (statement) => {
        if (statement === step) proxy.hang();
        else blockFor(WORK_MS);
      };
      const germany = createGermanSearchService({ source, store, identify: identifyAsNew, log: silentLog });
      const service = await TestService.during(t, { germany });
      const { ms, result } = await timed(() => service.ask(BERLIN));
      assert.equal(result.status, step === 'release' ? 502 : 503);
      assert.ok(ms < 1_000, `${ms} ms`);
      const withinBudget = (given = 0, at = 0) => given > 0 && given <= ALL_MS - at * WORK_MS;
      assert.ok(store.timeouts.every(withinBudget), `${store.timeouts}`);
    });
  }
});

describe('the time that a request has waited before', () => {
  const search = { lat: 52.52, lng: 13.41, radiusKm: 7 };
  const caller = { headers: {}, peer: {} };

  test('is taken from that of the source, which is not called if too little is left', async () => {
    const given: number[] = [];
    const source = {
      ask: async (_: unknown, ms: number) => {
        given.push(ms);
        return { failed: 'busy' };
      },
    };
    const store = new GermanStore(database, 100, hasher);
    const service = createGermanSearchService({ source, store, identify: identifyAsNew, log: silentLog });
    const outcomeAfter = async (ms: number) => (await service.find(search, caller, performance.now() - ms)).kind;
    assert.equal(await outcomeAfter(4_000), 'unavailable');
    assert.equal(given.at(0), undefined);
    assert.equal(await outcomeAfter(2_000), 'failed');
    assert.ok(given.length === 1 && (given.at(0) ?? 0) <= 2_400, `${given} ms`);
  });

  test('counts from before its minute limit', async () => {
    let startedAt = Number.NaN;
    const find = (_: unknown, __: unknown, from: number) => {
      startedAt = from;
      return { kind: 'not configured' } as const;
    };
    let limitPassedAt = Number.NaN;
    const accessControl: AccessControl = ({ prepare }) => {
      const prepared = prepare(null);
      assert.ok('work' in prepared);
      limitPassedAt = performance.now();
      return prepared.work();
    };
    const incoming = { ...caller, query: 'lat=52.52&lng=13.41&rad=7', segments: {} };
    const rendered = { snapshot: { version: 1 } } as unknown as RenderedSnapshot;
    await germanEndpoint({ find }).answer(incoming, rendered, accessControl);
    assert.ok(startedAt <= limitPassedAt, `${startedAt} > ${limitPassedAt}`);
  });
});
