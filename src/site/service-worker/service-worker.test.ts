import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alertMessage } from '../../api/rendering/alert-message.ts';
import { alertOf, offlinePathFor, pathOf, startServiceWorker } from './service-worker.ts';

const FACTS = {
  ...({ rule: 'day', change: 150, since: '2026-11-19', simulated: false, city: 'Cluj-Napoca' } as const),
  ...{ station: '0a1b2c3d4e5f', network: 'Petrom', address: 'Calea Turzii 178', stationCity: 'Cluj-Napoca' },
};
const MESSAGE = alertMessage({ city: 'cluj-napoca', fuel: 'petrol', price: 7_190, details: FACTS }).payload;

type Listener = (event: Record<string, unknown>) => void;

/** A worker that only records what it is told to do. */
function aWorker({ openWindows = [] as string[] } = {}) {
  const listeners = new Map<string, Listener>();
  const done: string[] = [];
  const cached = new Map<string, Response>();
  const cache = {
    add: async (path: string) => void cached.set(path, new Response('cached')),
    match: async (path: string) => cached.get(path),
  };
  const worker = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    skipWaiting: async () => done.push('skip waiting'),
    location: { origin: 'https://pompa.example' },
    caches: { open: async () => cache },
    registration: {
      showNotification: async (title: string, { tag, data }: NotificationOptions) =>
        done.push(`show ${title} ${tag} ${JSON.stringify(data)}`),
    },
    clients: {
      claim: async () => undefined,
      matchAll: async () => openWindows.map((url) => ({ url, focus: async () => done.push(`focus ${url}`) })),
      openWindow: async (url: string) => done.push(`open ${url}`),
    },
  };
  startServiceWorker(worker as unknown as ServiceWorkerGlobalScope);
  /** Sends an event, and waits for what the worker does with it. */
  const send = async (name: string, event: Record<string, unknown> = {}): Promise<unknown> => {
    let result: unknown;
    const settle = (value: unknown) => {
      result = value;
    };
    listeners.get(name)?.({ waitUntil: settle, respondWith: settle, ...event });
    return result;
  };
  return { send, done, cached };
}

describe('a push message', () => {
  it('is shown as the alert that the service sends, one for each place and fuel', () => {
    const { title, options } = alertOf(MESSAGE);
    assert.equal(title, 'Benzină standard: 7,19 lei/l în Cluj-Napoca');
    assert.match(
      options.body ?? '',
      /^Prețul minim este cu 0,15 lei sub cel din 19\.11\.2026: Petrom, Calea Turzii 178/,
    );
    assert.equal(options.tag, JSON.parse(MESSAGE).tag);
    assert.deepEqual(options.data, { url: '/preturi-carburanti/cluj-napoca/benzina' });
  });

  it('shows something even when it cannot be read, because a browser demands it', () => {
    for (const message of ['', 'null', '{', '[]', '{"title":1}', '"text"'])
      assert.equal(alertOf(message).title, 'Pompa: s-a schimbat un preț', message);
  });

  it('never opens a page of another site', () => {
    for (const url of ['https://example.org/', '//example.org', '/\\example.org', '', undefined, 7])
      assert.equal(pathOf(url), '/');
    assert.equal(pathOf('/preturi-carburanti/turda'), '/preturi-carburanti/turda');
  });

  it('opens its page on a click, in the window that shows it already', async () => {
    const page = '/preturi-carburanti/cluj-napoca/benzina';
    const click = { notification: { close() {}, data: { url: page } } };
    const closed = aWorker();
    await closed.send('notificationclick', click);
    const open = aWorker({ openWindows: ['https://pompa.example/', `https://pompa.example${page}`] });
    await open.send('notificationclick', click);
    assert.deepEqual(
      [...closed.done, ...open.done],
      [`open https://pompa.example${page}`, `focus https://pompa.example${page}`],
    );
  });

  it('makes the worker show a notification', async () => {
    const { send, done } = aWorker();
    await send('push', { data: { text: () => MESSAGE } });
    await send('push', { data: null });
    assert.match(done[0] ?? '', /^show Benzină standard: 7,19 lei\/l în Cluj-Napoca [\w-]{24} \{"url":"\/preturi/);
    assert.match(done[1] ?? '', /^show Pompa: s-a schimbat un preț/);
  });
});

describe('without a connection', () => {
  it('the page that says so is in the language of the address', () => {
    assert.equal(offlinePathFor('https://pompa.example/en/map'), '/en/offline');
    assert.equal(offlinePathFor('https://pompa.example/energie'), '/fara-conexiune');
  });

  it('a page is answered with the one that was cached, and other requests are left to the browser', async (t) => {
    t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('no connection')));
    const { send, cached } = aWorker();
    const page = { request: { mode: 'navigate', url: 'https://pompa.example/harta' } };
    await assert.rejects(send('fetch', page), /no connection/);
    await send('install');
    assert.deepEqual([...cached.keys()].sort(), ['/en/offline', '/fara-conexiune']);
    assert.equal(await ((await send('fetch', page)) as Response).text(), 'cached');
    assert.equal(await send('fetch', { request: { mode: 'cors', url: 'https://pompa.example/api' } }), undefined);
  });
});
