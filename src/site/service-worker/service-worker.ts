/**
 * The service worker, served at `/sw.js`: shows price alerts, opens their page, and answers with a page of our own when
 * a page is asked for without a connection. It imports nothing, so that one request brings all of it.
 */

/** What an alert says; `docs/ALERTS.md` documents the message. */
type ShownAlert = { readonly title: string; readonly options: NotificationOptions };

const CACHE = 'pompa-offline';
const OFFLINE = { ro: '/fara-conexiune', en: '/en/offline' } as const;
const ICON = '/favicon.svg';
/** A browser must show something for every message, even for one that it cannot read. */
const UNREADABLE: ShownAlert = {
  title: 'Pompa: s-a schimbat un preț',
  options: { body: 'Deschideți pagina pentru detalii.', icon: ICON, data: { url: '/' } },
};

/** The notification of a message; an alert of the same place and fuel replaces the one that is shown. */
export function alertOf(message: string): ShownAlert {
  try {
    const { title, body, tag, url } = JSON.parse(message) as Record<string, unknown>;
    if (typeof title !== 'string' || typeof body !== 'string') return UNREADABLE;
    const options = { body, icon: ICON, lang: 'ro', data: { url: pathOf(url) } };
    return { title, options: typeof tag === 'string' && tag !== '' ? { ...options, tag } : options };
  } catch {
    return UNREADABLE;
  }
}

/** The path to open for the `url` of a message: never one of another site. */
export function pathOf(url: unknown): string {
  return typeof url === 'string' && /^\/(?![/\\])/.test(url) ? url : '/';
}

/** The page to show instead of one that cannot be loaded, in the language of its address. */
export function offlinePathFor(address: string): string {
  return /^\/en(\/|$)/.test(new URL(address).pathname) ? OFFLINE.en : OFFLINE.ro;
}

/** Registers what the worker does. */
export function startServiceWorker(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('install', (event) => {
    event.waitUntil(cacheOfflinePages(worker).then(() => worker.skipWaiting()));
  });
  worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener('push', (event) => {
    const { title, options } = alertOf(event.data?.text() ?? '');
    event.waitUntil(worker.registration.showNotification(title, options));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openPage(worker, pathOf((event.notification.data as { url?: unknown } | null)?.url)));
  });
  worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(worker)));
  worker.addEventListener('fetch', (event) => {
    if (event.request.mode === 'navigate') event.respondWith(pageOrOffline(worker, event.request));
  });
}

/** The worker works without these pages: alerts must not fail because one of them cannot be loaded. */
async function cacheOfflinePages({ caches }: ServiceWorkerGlobalScope): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.allSettled(Object.values(OFFLINE).map((path) => cache.add(path)));
}

async function pageOrOffline({ caches }: ServiceWorkerGlobalScope, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await (await caches.open(CACHE)).match(offlinePathFor(request.url));
    if (cached === undefined) throw error;
    return cached;
  }
}

/** Opens a page: in a window that shows it already, else in a new one. */
async function openPage({ clients, location }: ServiceWorkerGlobalScope, path: string): Promise<void> {
  const address = new URL(path, location.origin).href;
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === address);
  await (shown === undefined ? clients.openWindow(address) : shown.focus());
}

/** Subscribes again when the browser has replaced a subscription; the scope is the page that it was made on. */
async function renewSubscription({ registration }: ServiceWorkerGlobalScope): Promise<void> {
  const key = await fetch('/api/v1/push/vapid-key');
  if (!key.ok) return;
  const { publicKey } = (await key.json()) as { publicKey: string };
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = made.toJSON();
  await fetch('/api/v1/push/subscribe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, ...keys, pagina: new URL(registration.scope).pathname }),
  });
}

if ('ServiceWorkerGlobalScope' in globalThis) startServiceWorker(globalThis as unknown as ServiceWorkerGlobalScope);
