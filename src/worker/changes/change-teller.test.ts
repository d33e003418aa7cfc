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

const aTeller = (clock: () => number) =>
  new ChangeTeller({ database, settings: COLLECTION_SETTINGS, clock, log: silentLog, pollMs: 3_600_000 });
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

  test('tells a publication soon, without looking for one', async (t) => {
    const teller = aTeller(() => bench.clock.now);
    t.after(() => teller.close());
    await teller.tell();
    teller.start();
    fakeSource.respondsWith({ R1: { petrol: 7_600 } });
    await waitFor('the change of the price', 10_000, async () => {
      // Again and again: the teller may not have listened to the first ones yet.
      await bench.run('2026-11-20T08:10Z', { force: true });
      return (await told()).length > 0;
    });
    assert.deepEqual(await told(), ['pret null']);
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
