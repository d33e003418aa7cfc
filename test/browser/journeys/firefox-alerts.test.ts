/** The whole way of a price alert, in Firefox: from the tap on a page to the tap on the notification. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { alertMessage } from '../../../src/api/rendering/alert-message.ts';
import { createPushSender, makeVapidPair } from '../../../src/clients/web-push.ts';
import { isNight } from '../../../src/domain/alerts/alert.ts';
import { type AlertRunner, createAlertRunner } from '../../../src/worker/alerts/alert-job.ts';
import {
  COLLECTION_SETTINGS,
  type CollectorFixture,
  collectorFixture,
  FakeSource,
} from '../../support/collection/collector-fixture.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { type TestDatabase, testDatabase } from '../../support/database/test-database.ts';
import { servePompa } from '../../support/processes/pompa-process.ts';
import { clickNotification, launchFirefox } from '../support/firefox.ts';
import { type FirefoxPushService, startFirefoxPushService } from '../support/firefox-push-service.ts';

type City = { readonly oras: string; readonly slug: string; readonly benzina: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Alerts wait until the morning: the last publication is ten hours old if it is night. */
const NOW = isNight(Date.now()) ? Date.now() - 10 * HOUR : Date.now();
const SUBSCRIBED = 'Gata: acest browser primește alertele.';

let database: TestDatabase;
let folder: string;
let push: FirefoxPushService;
let service: Awaited<ReturnType<typeof servePompa>>;
let bench: CollectorFixture;
let alerts: AlertRunner;
let firefox: Browser;
const source = new FakeSource('register');

before(async () => {
  [database, push] = await Promise.all([testDatabase(), startFirefoxPushService()]);
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-alerts-'));
  const vapid = { ...makeVapidPair(), subject: 'mailto:test@example.org' };
  bench = collectorFixture(database, folder, [source]);
  await publish(NOW - 24 * HOUR, 7_500);
  await publish(NOW - 2 * MINUTE, 7_500);
  const sender = createPushSender({ vapid, hosts: [push.origin], userAgent: 'pompa' });
  const job = {
    db: database.kysely,
    settings: COLLECTION_SETTINGS,
    clock: () => bench.clock.now,
    log: { info: () => undefined, warn: (text: string) => assert.fail(text) },
    holder: 'test',
    leaseMs: 30_000,
    renderMessage: alertMessage,
    send: sender.send,
  };
  alerts = createAlertRunner(job, sender.close);
  service = await servePompa(folder, {
    DATABASE_URL: database.url,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: vapid.subject,
    PUSH_HOSTS: push.origin,
  });
  firefox = await launchFirefox(push.webSocketUrl);
});
after(async () => {
  // Where the service or the browser did not start, the rest still ends.
  await firefox?.close();
  await service?.end();
  await alerts.close();
  await push.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a price alert', () => {
  test('reaches the browser that subscribed by a tap, leads to the page, and ends by a tap', async () => {
    const { oras: town, slug } = await firstCity();
    const address = `${service.address}/preturi-carburanti/${slug}/benzina`;
    const page = await firefox.newPage();
    await page.goto(address);
    await page.locator('.alert-offer button:not(.needs-code)').click();
    await waitForText(page, '.alert-offer [role=status]', SUBSCRIBED);
    assert.match(await textOf(page, '.figures'), /7,50/);

    await page.goto(`${service.address}/alerte`);
    await waitForText(page, '.subscriptions li', 'benzină');

    const [received, acknowledged] = [once(push.events, 'message'), once(push.events, 'ack')];
    await publish(NOW - MINUTE, 7_300);
    await alerts.run(new AbortController().signal, false);
    const [headers, key] = await received;
    assert.equal(headers['content-encoding'], 'aes128gcm');
    assert.match(headers.authorization ?? '', new RegExp(`^vapid t=.+, *k=${key}$`));
    assert.deepEqual(await acknowledged, [100], 'Firefox decrypts the message and the service worker shows it');

    const opened = firefox.waitForTarget((target) => target.url() === address);
    const text = await clickNotification(firefox, `Benzină standard: 7,30 lei/l în ${town}`);
    assert.match(text, /^Prețul minim este cu 0,20 lei sub cel din /);
    const shown = await (await opened).page();
    assert.ok(shown);
    await waitForText(shown, '.figures', '7,30');

    const ended = once(push.events, 'unregister');
    await page.bringToFront();
    await page.locator('.subscriptions li button').click();
    await ended;
    await waitForText(page, '.subscriptions', 'Acest browser nu are nicio alertă.');
    await publish(NOW, 7_200);
    await alerts.run(new AbortController().signal, false);
    assert.deepEqual((await database.pool.query('select from push_subscriptions')).rowCount, 0);
  });
});

/** Publishes a price of petrol at the first of two stations, as of a moment. */
async function publish(at: number, petrol: number): Promise<void> {
  source.respondsWith({ R1: { petrol }, R2: { petrol: 7_900 } });
  await bench.run(new Date(at).toISOString(), { force: true });
}

/** The city of the first station, once the service has read the prices. */
function firstCity(): Promise<City> {
  return waitFor('the prices of the service', 10_000, async () => {
    const answer = await fetch(`${service.address}/api/v1/preturi`);
    const { rezultate } = (await answer.json()) as { rezultate: City[] };
    return rezultate.find(({ benzina }) => benzina === 7.5);
  });
}

async function waitForText(page: Page, selector: string, text: string): Promise<void> {
  await page.waitForFunction(
    (where, wanted) => document.querySelector<HTMLElement>(where)?.innerText.includes(wanted) === true,
    {},
    selector,
    text,
  );
}

function textOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => (element as HTMLElement).innerText);
}
