import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createGermanChannel } from '../../src/api/endpoints/german-lookup.ts';
import { createTankerkoenig } from '../../src/clients/tankerkoenig.ts';
import { openDatabase } from '../../src/store/connection/database.ts';
import { GermanStore } from '../../src/store/germany/german-cache.ts';
import { DatabaseProxy } from '../support/database/database-proxy.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { Service } from '../support/service/service.ts';
import { GermanSourceDouble, json } from '../support/simulators/german-source.ts';
import { timed } from '../support/stopwatch.ts';

const BERLIN = '/api/v1/de-statii?lat=52.5219&lng=13.4132&rad=5';
/** The budget for all statements of one answer together, ms. */
const ALL_MS = 800;
const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

/** Reports each statement and its timeout before it runs. */
class RecordingStore extends GermanStore {
  readonly timeouts: (number | undefined)[] = [];
  before: (statement: 'look' | 'claim' | 'spend' | 'keep' | 'end') => void = () => undefined;

  override readCell(...[cell, ms]: Parameters<GermanStore['readCell']>) {
    return this.#watch('look', ms, () => super.readCell(cell, ms));
  }

  override claim(...[cell, leaseMs, ms]: Parameters<GermanStore['claim']>) {
    return this.#watch('claim', ms, () => super.claim(cell, leaseMs, ms));
  }

  override spend(ms?: number) {
    return this.#watch('spend', ms, () => super.spend(ms));
  }

  override saveAnswer(...[lease, search, stations, ms]: Parameters<GermanStore['saveAnswer']>) {
    return this.#watch('keep', ms, () => super.saveAnswer(lease, search, stations, ms));
  }

  override release(...[lease, failed, ms]: Parameters<GermanStore['release']>) {
    return this.#watch('end', ms, () => super.release(lease, failed, ms));
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
  for (const step of ['look', 'spend', 'keep', 'end'] as const) {
    test(`at its statement “${step}”: answers within a second, and earlier statements use up the budget of later ones`, async (t) => {
      await database.pool.query(`truncate german_answers; update german_budget set recent = '{}'`);
      const proxy = await DatabaseProxy.inFrontOf(database.url);
      t.after(() => proxy.close());
      const proxied = await openDatabase({ databaseUrl: proxy.url, dataDir: '', log: silentLog });
      t.after(() => proxied.close());
      const upstream = await GermanSourceDouble.start();
      t.after(() => upstream.close());
      if (step === 'end') upstream.answer = json({ ok: false });
      const source = createTankerkoenig({ url: upstream.url, apiKey: 'x', userAgent: 'x', allowPrivate: true });
      t.after(() => source.close());
      const store = new RecordingStore(proxied, 100);
      store.before = (statement) => {
        if (statement === step) proxy.hang();
        else blockFor(WORK_MS);
      };
      const germany = createGermanChannel({ source, store, log: silentLog });
      const service = await Service.during(t, { germany });
      const { ms, result } = await timed(() => service.ask(BERLIN));
      assert.equal(result.status, step === 'end' ? 502 : 503);
      assert.ok(ms < 1_000, `${ms} ms`);
      const withinBudget = (given = 0, at = 0) => given > 0 && given <= ALL_MS - at * WORK_MS;
      assert.ok(store.timeouts.every(withinBudget), `${store.timeouts}`);
    });
  }
});
