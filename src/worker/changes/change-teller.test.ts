import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { changesAfter, readInto } from '../../../test/support/changes/feed-reader.ts';
import { COLLECTION_SETTINGS, setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { ChangeLog } from '../../api/changes/change-log.ts';
import { ChangeTeller } from './change-teller.ts';

const { database, fakeSource, bench } = setUpCollector();
const silentLog = { info: () => undefined, warn: () => undefined };
/** When the price of the publication expires. */
const EXPIRY = Date.parse('2026-11-21T08:00:00.001Z');

const aTeller = (clock: () => number, listen?: typeof database.listen) =>
  new ChangeTeller({
    database: listen === undefined ? database : Object.create(database, { listen: { value: listen } }),
    ...{ settings: COLLECTION_SETTINGS, clock, log: silentLog, pollMs: 3_600_000 },
  });
const told = async () =>
  changesAfter(await readInto(new ChangeLog(), database), 0).map(({ fel, motiv }) => `${fel} ${motiv}`);

describe('a worker that tells changes', () => {
  beforeEach(async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_500 } });
    await bench.run('2026-11-20T08:00Z', { force: true });
  });

  test('tells what time alone changes, without a publication', async () => {
    let now = bench.clock.now;
    const teller = aTeller(() => now);
    await teller.tell();
    now = EXPIRY - 1;
    await teller.tell();
    assert.deepEqual(await told(), []);
    now = EXPIRY;
    await teller.tell();
    assert.deepEqual(await told(), ['retras expirat']);
  });

  test('wakes up by itself when a verdict falls due', async (t) => {
    let clock = () => bench.clock.now;
    const teller = aTeller(() => clock());
    t.after(() => teller.close());
    await teller.tell();
    const begun = performance.now();
    clock = () => Math.floor(EXPIRY - 300 + performance.now() - begun);
    teller.start();
    await waitFor('the change', 10_000, async () => (await told()).length > 0);
    assert.deepEqual(await told(), ['retras expirat']);
  });

  test('tells a publication that is notified, without looking for one', async (t) => {
    const listening = Promise.withResolvers<void>();
    const teller = aTeller(
      () => bench.clock.now,
      (channel, { onNotify }) => database.listen(channel, { onNotify, onListening: () => listening.resolve() }),
    );
    t.after(() => teller.close());
    await teller.tell();
    teller.start();
    await listening.promise;
    fakeSource.respondsWith({ R1: { petrol: 7_600 } });
    await bench.run('2026-11-20T08:10Z', { force: true });
    await waitFor('the change of the price', 10_000, async () => (await told()).length > 0);
    assert.deepEqual(await told(), ['pret null']);
  });

  test('is not held up by notifications that follow each other', async (t) => {
    let notify: (payload: string) => void = () => undefined;
    const teller = aTeller(
      () => bench.clock.now,
      (_channel, { onNotify }) => {
        notify = onNotify;
        return { close: async () => undefined };
      },
    );
    t.after(() => teller.close());
    await teller.tell();
    teller.start();
    fakeSource.respondsWith({ R1: { petrol: 7_600 } });
    await bench.run('2026-11-20T08:10Z', { force: true });
    let isTold = false;
    const notifyAgain = () => {
      notify('');
      if (!isTold) setImmediate(notifyAgain);
    };
    notifyAgain();
    await waitFor('the change of the price', 10_000, async () => (await told()).length > 0).finally(() => {
      isTold = true;
    });
  });

  test('tells what another one left out, whoever told last', async () => {
    let now = bench.clock.now;
    const [one, other] = [aTeller(() => now), aTeller(() => now)];
    await one.tell();
    await other.tell();
    now = EXPIRY;
    await other.tell();
    await one.tell();
    assert.deepEqual(await told(), ['retras expirat']);
  });
});
