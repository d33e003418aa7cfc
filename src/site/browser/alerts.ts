/**
 * Price alerts: a button that subscribes this browser on a page or ends that, and the list of what it is subscribed to.
 * Nothing is asked for before somebody taps.
 */
import { type PushBrowser, subscribedPaths, trustedWorkerUrl } from './push-registrations.ts';
import { forgetPage, pageLink, pageOfElement, type SavedPage, savedPages, savePage } from './saved-pages.ts';

/** Names of the pages that the browser is subscribed on; the subscriptions themselves are the browser's. */
const ALERT_NAMES = 'alerte';
/** Told to the list of subscriptions when one begins or ends. */
const CHANGED = 'alertschanged';

/** What this browser lacks: alerts on iPhones and iPads need the page on the home screen. */
export type Support = 'supported' | 'add to home screen' | 'unsupported';

type SupportInput = {
  readonly isSecure: boolean;
  readonly hasPush: boolean;
  readonly standalone?: boolean | undefined;
};

/** Whether alerts work here. `standalone` exists in Safari on iPhones and iPads alone. */
export function alertSupport({ isSecure, hasPush, standalone }: SupportInput): Support {
  if (isSecure && hasPush) return 'supported';
  return standalone === false ? 'add to home screen' : 'unsupported';
}

/** The pages that the browser is subscribed on, by the names known here; others by their path. */
export function namedPages(paths: readonly string[], known: readonly SavedPage[]): SavedPage[] {
  return paths.map(
    (path) =>
      known.find(({ paths: each }) => each.ro === path) ?? {
        names: { ro: path, en: path },
        paths: { ro: path, en: path },
      },
  );
}

/** Starts the button of a page. */
async function startButton(offer: HTMLElement, browser: PushBrowser): Promise<void> {
  const page = pageOfElement(offer);
  const button = offer.querySelector('button');
  const status = offer.querySelector<HTMLElement>('[role="status"]');
  if (page === null || button === null || status === null) return;
  const show = async (): Promise<boolean> => {
    const isOn = (await subscribedPaths(browser)).includes(page.paths.ro);
    button.textContent = (isOn ? button.dataset.end : button.dataset.begin) ?? '';
    button.setAttribute('aria-pressed', String(isOn));
    return isOn;
  };
  const toggle = async (): Promise<void> => {
    button.disabled = true;
    status.textContent = status.dataset.working ?? '';
    const wasOn = button.getAttribute('aria-pressed') === 'true';
    const outcome = wasOn ? await end(browser, page.paths.ro) : await begin(browser, page);
    status.textContent = status.dataset[outcome] ?? '';
    await show();
    button.disabled = false;
    document.dispatchEvent(new Event(CHANGED));
  };
  await show();
  button.classList.remove('needs-code');
  button.addEventListener('click', () => void toggle());
  document.addEventListener(CHANGED, () => void show());
}

/** Shows the subscriptions of this browser, each with a button that ends it. */
function startList(section: HTMLElement, browser: PushBrowser): void {
  const list = section.querySelector('ul');
  const none = section.querySelector('p');
  if (list === null || none === null) return;
  const show = async (): Promise<void> => {
    const pages = namedPages(await subscribedPaths(browser), savedPages(localStorage, ALERT_NAMES));
    list.replaceChildren(...pages.map((page) => listItem(page, section.dataset.end ?? '', browser)));
    none.hidden = pages.length > 0;
    section.classList.remove('needs-code');
  };
  void show();
  document.addEventListener(CHANGED, () => void show());
}

function listItem(page: SavedPage, endText: string, browser: PushBrowser): HTMLLIElement {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'action';
  button.textContent = endText;
  button.addEventListener('click', () => {
    button.disabled = true;
    void end(browser, page.paths.ro).then(() => document.dispatchEvent(new Event(CHANGED)));
  });
  item.append(pageLink(page), button);
  return item;
}

/** Browsers ask for permission only at the tap itself, not once more code is loaded. */
async function begin(browser: PushBrowser, page: SavedPage) {
  const permission = browser.requestPermission();
  const { subscribe } = await loadSubscriptions();
  const outcome = await subscribe({ ...browser, requestPermission: () => permission }, page.paths.ro);
  if (outcome === 'subscribed') savePage(localStorage, ALERT_NAMES, page);
  return outcome;
}

/** Most visitors tap no button. */
const loadSubscriptions = () => import('./push-subscriptions.ts');

async function end(browser: Pick<PushBrowser, 'serviceWorker'>, path: string): Promise<'ended'> {
  const { endSubscription } = await loadSubscriptions();
  await endSubscription(browser, path);
  forgetPage(localStorage, ALERT_NAMES, path);
  return 'ended';
}

/** Says in place of the button why there is none. */
function explainAbsence(offer: HTMLElement, support: Support): void {
  const button = offer.querySelector('button');
  const status = offer.querySelector<HTMLElement>('[role="status"]');
  if (button === null || status === null) return;
  button.hidden = true;
  status.textContent =
    (support === 'add to home screen' ? status.dataset.homeScreen : status.dataset.unsupported) ?? '';
}

function startAlerts(): void {
  const offers = document.querySelectorAll<HTMLElement>('.alert-offer');
  const { standalone } = navigator as { standalone?: boolean };
  const hasPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  const support = alertSupport({ isSecure: isSecureContext, hasPush, standalone });
  const sections = document.querySelectorAll<HTMLElement>('.subscriptions');
  if (support !== 'supported') {
    for (const offer of offers) explainAbsence(offer, support);
    for (const section of sections) section.hidden = true;
    return;
  }
  const browser: PushBrowser = {
    serviceWorker: navigator.serviceWorker,
    requestPermission: () => Notification.requestPermission(),
    fetch: (path, init) => fetch(path, init),
    workerUrl: trustedWorkerUrl(),
  };
  for (const offer of offers) void startButton(offer, browser);
  for (const section of sections) startList(section, browser);
}

if (typeof document !== 'undefined') startAlerts();
