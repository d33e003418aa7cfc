/** Firefox, with a push service of ours. */
import puppeteer, { type Browser } from 'puppeteer-core';
import { browserPath } from './installed-browsers.ts';

/** Starts a Firefox with an empty profile that permits notifications and reaches no push service but this one. */
export function launchFirefox(pushServiceUrl: string): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: browserPath('firefox'),
    headless: true,
    // For clicks on notifications, which are windows of the browser itself.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      'dom.push.serverURL': pushServiceUrl,
      // Off in browsers under remote control.
      'dom.push.connection.enabled': true,
      'dom.push.testing.allowInsecureServerURL': true,
      'permissions.default.desktop-notification': 1,
      // There is no desktop that would show them.
      'alerts.useSystemBackend': false,
    },
  });
}

/** Waits until a notification with this title is shown, and clicks on it; resolves with its text. */
export async function clickNotification(browser: Browser, title: string): Promise<string> {
  const bidi = bidiOf(browser);
  const { contexts } = await bidi('browsingContext.getTree', { 'moz:scope': 'chrome' });
  const { result } = await bidi('script.evaluate', {
    expression: `(${clickInAlertWindow})(${JSON.stringify(title)})`,
    target: { context: contexts.find(({ url }) => url.endsWith('/browser.xhtml'))?.context },
    awaitPromise: true,
  });
  return result.value;
}

/**
 * Runs in the window of the browser itself: notifications are windows beside it. One that has only just opened may not
 * take a click yet; when it does, it closes.
 */
const clickInAlertWindow = `(title) => new Promise((resolve) => {
  let text = null;
  const click = () => {
    const alerts = [...Services.wm.getEnumerator('alert:alert')].map(({ document }) => document);
    const alert = alerts.find((each) => each.getElementById('alertTitleLabel')?.value === title);
    if (alert === undefined && text !== null) return resolve(text);
    text = alert?.getElementById('alertTextLabel').textContent ?? null;
    alert?.getElementById('alertTextLabel').click();
    setTimeout(click, 50);
  };
  click();
})`;

type Answers = {
  'browsingContext.getTree': { readonly contexts: readonly { readonly context: string; readonly url: string }[] };
  'script.evaluate': { readonly result: { readonly value: string } };
};

/** Commands of WebDriver BiDi that the library itself does not send: those for the browser's own windows. */
function bidiOf(
  browser: Browser,
): <Name extends keyof Answers>(name: Name, parameters: object) => Promise<Answers[Name]> {
  const { connection } = browser as unknown as {
    connection: { send(name: string, parameters: object): Promise<{ result: never }> };
  };
  return async (name, parameters) => (await connection.send(name, parameters)).result;
}
