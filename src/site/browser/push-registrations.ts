/** The registrations of the service worker, one for each page that the browser is subscribed on. */

/** The parts of the browser that subscriptions use. */
export type PushBrowser = {
  readonly serviceWorker: Pick<ServiceWorkerContainer, 'register' | 'getRegistrations'>;
  readonly requestPermission: () => Promise<NotificationPermission>;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** The address of the worker, as the page's policy wants it. */
  readonly workerUrl: string;
};

/** The paths of the pages that this browser is subscribed on. */
export async function subscribedPaths(browser: Pick<PushBrowser, 'serviceWorker'>): Promise<string[]> {
  const registrations = await browser.serviceWorker.getRegistrations();
  const paths = registrations.map(async (registration) =>
    (await registration.pushManager.getSubscription()) === null ? [] : [scopePath(registration)],
  );
  return (await Promise.all(paths)).flat().sort();
}

/** Registers the worker for a path, and waits until it is active: before that nothing can be subscribed. */
export async function registerWorker(
  { serviceWorker, workerUrl }: Pick<PushBrowser, 'serviceWorker' | 'workerUrl'>,
  scope: string,
): Promise<ServiceWorkerRegistration> {
  const registration = await serviceWorker.register(workerUrl, { scope, type: 'module' });
  const worker = registration.installing ?? registration.waiting;
  if (registration.active !== null || worker === null) return registration;
  return new Promise((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve(registration);
      if (worker.state === 'redundant') reject(new Error('the service worker could not be installed'));
    });
  });
}

/** The path of the page that a registration is for. */
export function scopePath({ scope }: ServiceWorkerRegistration): string {
  return decodeURI(new URL(scope).pathname);
}

const WORKER_PATH = '/sw.js';

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): string };
};

let trusted: string | undefined;

/**
 * The address of the service worker, as the policy of the pages wants it: they require trusted types. A browser without
 * them gets a plain text.
 */
export function trustedWorkerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trusted ??=
    trustedTypes?.createPolicy('pompa', { createScriptURL: () => WORKER_PATH }).createScriptURL(WORKER_PATH) ??
    WORKER_PATH;
  return trusted;
}
