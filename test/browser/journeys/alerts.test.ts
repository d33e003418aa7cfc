/** Price alerts as far as Chromium goes without its own push service; `firefox-alerts.test.ts` goes the whole way. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';

const PAGE = '/preturi-carburanti/brasov/benzina';
const MESSAGE = {
  title: 'Benzină standard: 7,19 lei/l în Brașov',
  body: 'Cu 16 bani mai puțin decât ieri.',
  tag: 'brasov-benzina',
  url: PAGE,
};

type Notice = { readonly title: string; readonly body: string; readonly path: string };

describe('alerts', () => {
  useChromium();

  test('ask for permission at a tap, and say what to do when it is denied', async () => {
    const page = await visit(PAGE, { permissions: [] });
    assert.equal(await page.evaluate(() => Notification.permission), 'denied');
    await alertButton(page).click();
    await page.getByText('Browserul nu permite notificări de la acest site.').waitFor();
    assert.equal(await alertButton(page).getAttribute('aria-pressed'), 'false');
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  });

  test('leave nothing half done when the push service of the browser refuses', async () => {
    const page = await visit(PAGE, { permissions: ['notifications'] });
    await alertButton(page).click();
    await page.getByText('Abonarea nu a reușit. În ferestre private nu se poate. Încercați mai târziu.').waitFor();
    assert.equal(await alertButton(page).isEnabled(), true);
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
    await page.goto('/alerte');
    await page.getByText('Acest browser nu are nicio alertă.').waitFor();
  });

  test('are shown by the service worker with their text, and a later one replaces that of the same place and fuel', async () => {
    const page = await visit('/preturi-carburanti/brasov', { permissions: ['notifications'] });
    // Favourites register the worker for the whole site.
    await page.getByRole('button', { name: 'Adaugă la favorite' }).click();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const older = { title: MESSAGE.title, body: MESSAGE.body, path: PAGE };
    const newer = { ...older, title: 'Benzină standard: 7,09 lei/l în Brașov' };
    const unreadable = { title: 'Pompa: s-a schimbat un preț', body: 'Deschideți pagina pentru detalii.', path: '/' };
    const deliver = await pushMessages(page);
    await deliver(JSON.stringify(MESSAGE));
    await assertNotifications(page, [older]);
    await deliver(JSON.stringify({ ...MESSAGE, title: newer.title }));
    await assertNotifications(page, [newer]);
    await deliver('unreadable');
    await assertNotifications(page, [newer, unreadable]);
  });

  testWithAndWithoutCode('are explained on their page', async (hasCode) => {
    const page = await visit(PAGE, { hasCode });
    assert.equal(await alertButton(page).count(), hasCode ? 1 : 0);
    await page.getByRole('link', { name: 'Când primiți o alertă' }).click();
    await page.getByRole('heading', { name: 'Alerte de preț' }).waitFor();
    assert.equal(await page.locator('.subscriptions').isVisible(), hasCode);
    await page.getByRole('heading', { name: 'Cum porniți o alertă' }).waitFor();
  });
});

function alertButton(page: Page) {
  return page.getByRole('button', { name: 'Anunță-mă când scade prețul' });
}

/**
 * Hands push messages to the service worker of the page, as the browser does once they are decrypted, and waits until
 * it shows a notification. To ask the page meanwhile would disturb it: Chromium forgets a notification that it has
 * stored and does not show yet.
 */
async function pushMessages(page: Page): Promise<(data: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId } of registrations) resolve(registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('BackgroundService.startObserving', { service: 'notifications' });
  await session.send('BackgroundService.setRecording', { service: 'notifications', shouldRecord: true });
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (data) => {
    const shown = new Promise<void>((resolve) => {
      session.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent: { eventName } }) => {
        if (eventName === 'Notification displayed') resolve();
      });
    });
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    await shown;
  };
}

/** Checks that exactly these notifications are shown, in any order. */
async function assertNotifications(page: Page, expected: readonly Notice[]): Promise<void> {
  assert.equal(textsOf(await shownNotifications(page)), textsOf(expected));
}

function textsOf(notices: readonly Notice[]): string {
  return notices
    .map(({ title, body, path }) => `${title} | ${body} | ${path}`)
    .sort()
    .join('\n');
}

function shownNotifications(page: Page): Promise<Notice[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, data }) => ({ title, body, path: data.url }));
  });
}
