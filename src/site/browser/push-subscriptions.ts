/**
 * Begins and ends push subscriptions of this browser: loaded once somebody taps a button. Each page that somebody
 * subscribes on has a registration of the service worker of its own, whose scope is the path of the page: a
 * registration has at most one subscription, and the list of registrations is the list of subscriptions, so nothing can
 * disagree with what the browser really holds.
 */

import { type PushBrowser, registerWorker, scopePath } from './push-registrations.ts';
import { withTimeout } from './with-timeout.ts';

export type SubscribeOutcome = 'subscribed' | 'denied' | 'unavailable';

/** The registration that also answers without a connection: it stays when its alerts end. */
const WHOLE_SITE = '/';
/** A browser tries for minutes to reach a push service that does not answer. */
const PUSH_SERVICE_TIMEOUT_MS = 20_000;
const SUBSCRIBE = '/api/v1/push/subscribe';
const KEY = '/api/v1/push/vapid-key';

/** Asks for permission, subscribes the browser, and tells the service; call it only when somebody taps a button. */
export async function subscribe(browser: PushBrowser, path: string): Promise<SubscribeOutcome> {
  if ((await browser.requestPermission()) !== 'granted') return 'denied';
  try {
    const publicKey = await readKey(browser);
    const registration = await registerWorker(browser, path);
    const subscription = await withTimeout(
      subscribeWith(registration, publicKey),
      PUSH_SERVICE_TIMEOUT_MS,
      'the push service does not answer',
    );
    if (await send(browser, subscription, path)) return 'subscribed';
  } catch {
    // The browser, its push service or ours refuses: nothing may be left half done.
  }
  await endSubscription(browser, path).catch(() => undefined);
  return 'unavailable';
}

/** Ends the subscription of a page; the service forgets it when its push service reports it as gone. */
export async function endSubscription(browser: Pick<PushBrowser, 'serviceWorker'>, path: string): Promise<void> {
  const registrations = await browser.serviceWorker.getRegistrations();
  for (const registration of registrations.filter((each) => scopePath(each) === path)) {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    if (path !== WHOLE_SITE) await registration.unregister();
  }
}

async function readKey({ fetch }: PushBrowser): Promise<string> {
  const response = await fetch(KEY);
  if (!response.ok) throw new Error(`no key: ${response.status}`);
  return ((await response.json()) as { publicKey: string }).publicKey;
}

/** A subscription with an earlier key of the service is of no use, and stands in the way of a new one. */
async function subscribeWith(
  { pushManager }: ServiceWorkerRegistration,
  applicationServerKey: string,
): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const earlier = await pushManager.getSubscription();
    if (earlier === null) throw error;
    await earlier.unsubscribe();
    return pushManager.subscribe(options);
  }
}

async function send({ fetch }: PushBrowser, subscription: PushSubscription, path: string): Promise<boolean> {
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ endpoint, ...keys, pagina: path });
  const response = await fetch(SUBSCRIBE, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return response.ok;
}
