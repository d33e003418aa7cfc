import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PushBrowser, subscribedPaths } from './push-registrations.ts';
import { endSubscription, subscribe } from './push-subscriptions.ts';

const ORIGIN = 'https://pompa.example';
const CLUJ = '/preturi-carburanti/cluj-napoca';

type Given = { permission?: NotificationPermission; earlierKey?: string; statusOf?: (path: string) => number };

/** A browser with one registration of the worker for each scope, and a service that records what is sent to it. */
function aBrowser({ permission = 'granted', earlierKey, statusOf = () => 200 }: Given = {}) {
  const registrations = new Map<string, ReturnType<typeof aRegistration>>();
  const sent: unknown[] = [];
  const asked: string[] = [];
  function aRegistration(scope: string) {
    let key = earlierKey ?? null;
    const subscription = {
      toJSON: () => ({ endpoint: `https://push.example${scope}`, keys: { p256dh: 'P', auth: 'A' } }),
      unsubscribe: async () => {
        key = null;
        return true;
      },
    };
    const worker = Object.assign(new EventTarget(), { state: 'installing' });
    const registration = {
      scope: `${ORIGIN}${scope}`,
      installing: worker as typeof worker | null,
      waiting: null,
      active: null as typeof worker | null,
      unregister: async () => registrations.delete(scope),
      pushManager: {
        getSubscription: async () => (key === null ? null : subscription),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          if (registration.active === null) throw new Error('no active worker');
          if (key !== null && key !== applicationServerKey) throw new Error('another key');
          key = applicationServerKey;
          return subscription;
        },
      },
    };
    setImmediate(() => {
      worker.state = 'activated';
      registration.active = worker;
      registration.installing = null;
      worker.dispatchEvent(new Event('statechange'));
    });
    return registration;
  }
  const register = async (_: string | URL, { scope = '/' }: RegistrationOptions = {}) => {
    const registration = registrations.get(scope) ?? aRegistration(scope);
    registrations.set(scope, registration);
    return registration;
  };
  const browser: PushBrowser = {
    serviceWorker: {
      register: register as unknown as ServiceWorkerContainer['register'],
      getRegistrations: async () => [...registrations.values()] as unknown as ServiceWorkerRegistration[],
    },
    requestPermission: async () => {
      asked.push('permission');
      return permission;
    },
    fetch: async (path, init) => {
      if (init?.body) sent.push(JSON.parse(String(init.body)));
      return Response.json({ publicKey: 'key' }, { status: statusOf(path) });
    },
    workerUrl: '/sw.js',
  };
  return { browser, sent, asked, scopes: () => [...registrations.keys()] };
}

describe('a browser', () => {
  it('subscribes on several pages, tells the service which, and lists them', async () => {
    const { browser, sent } = aBrowser();
    assert.equal(await subscribe(browser, CLUJ), 'subscribed');
    assert.equal(await subscribe(browser, '/'), 'subscribed');
    assert.deepEqual(sent, [
      { endpoint: `https://push.example${CLUJ}`, p256dh: 'P', auth: 'A', pagina: CLUJ },
      { endpoint: 'https://push.example/', p256dh: 'P', auth: 'A', pagina: '/' },
    ]);
    assert.deepEqual(await subscribedPaths(browser), ['/', CLUJ]);
  });

  it('ends the subscription of one page, and keeps the worker of the whole site', async () => {
    const { browser, scopes } = aBrowser();
    for (const path of [CLUJ, '/']) await subscribe(browser, path);
    await endSubscription(browser, CLUJ);
    assert.deepEqual([await subscribedPaths(browser), scopes()], [['/'], ['/']]);
    await endSubscription(browser, '/');
    assert.deepEqual([await subscribedPaths(browser), scopes()], [[], ['/']]);
  });

  it('replaces a subscription made with an earlier key of the service', async () => {
    const { browser, sent } = aBrowser({ earlierKey: 'earlier' });
    assert.equal(await subscribe(browser, CLUJ), 'subscribed');
    assert.equal(sent.length, 1);
  });

  it('sends nothing to the service without the permission', async () => {
    for (const permission of ['denied', 'default'] as const) {
      const { browser, sent, scopes } = aBrowser({ permission });
      assert.equal(await subscribe(browser, CLUJ), 'denied');
      assert.deepEqual([sent, scopes()], [[], []]);
    }
  });

  it('is not subscribed when the service refuses, has no key, or does not answer', async () => {
    const noAnswer = () => {
      throw new TypeError('no connection');
    };
    for (const statusOf of [
      (path: string) => (path.endsWith('/subscribe') ? 503 : 200),
      (path: string) => (path.endsWith('/vapid-key') ? 500 : 200),
      noAnswer,
    ]) {
      const { browser } = aBrowser({ statusOf });
      assert.equal(await subscribe(browser, CLUJ), 'unavailable');
      assert.deepEqual(await subscribedPaths(browser), []);
    }
  });

  it('is asked for the permission by nothing but a subscription', async () => {
    const { browser, asked } = aBrowser();
    await subscribedPaths(browser);
    await endSubscription(browser, CLUJ);
    assert.deepEqual(asked, []);
  });
});
