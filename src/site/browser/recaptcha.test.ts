import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Recaptcha } from './recaptcha.ts';

const SITE_KEY = 'a site key';

/** A script element as far as the module uses it. */
class Script extends EventTarget {
  src = '';
}

/**
 * A page into which Google's script loads as it does in a browser: `api.js` defines `ready` alone; a second script,
 * that it loads itself, defines `execute` and calls back. `execute` returns an object with `then` only.
 */
function aPage() {
  const scripts: Script[] = [];
  const callbacks: (() => void)[] = [];
  const executed: unknown[] = [];
  const window: { grecaptcha?: object } = {};
  const grecaptcha = { ready: (callback: () => void) => callbacks.push(callback) };
  const page = {
    defaultView: window,
    createElement: () => new Script(),
    head: { append: (script: Script) => scripts.push(script) },
  };
  return {
    page: page as unknown as Document,
    scripts,
    executed,
    loadFirst() {
      window.grecaptcha = grecaptcha;
      scripts.at(-1)?.dispatchEvent(new Event('load'));
    },
    loadSecond(outcome: { token: string } | { why: Error }) {
      const execute = (siteKey: string, options: unknown) => {
        executed.push([siteKey, options]);
        return {
          // biome-ignore lint/suspicious/noThenProperty: so does Google's script
          then(resolve: (token: string) => void, reject: (why: Error) => void) {
            if ('token' in outcome) resolve(outcome.token);
            else reject(outcome.why);
          },
        };
      };
      Object.assign(grecaptcha, { execute });
      for (const callback of callbacks.splice(0)) callback();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a token of reCAPTCHA', () => {
  test('comes from a script that is loaded once, and only when it is wanted', async () => {
    const { page, scripts, executed, loadFirst, loadSecond } = aPage();
    const recaptcha = new Recaptcha(SITE_KEY, page);
    assert.equal(scripts.length, 0);
    recaptcha.load();
    recaptcha.load();
    const token = recaptcha.token();
    assert.deepEqual(
      scripts.map(({ src }) => src),
      ['https://www.google.com/recaptcha/api.js?render=a%20site%20key'],
    );
    loadFirst();
    await turn();
    assert.deepEqual(executed, []);
    loadSecond({ token: 'a token' });
    assert.equal(await token, 'a token');
    assert.deepEqual(executed, [[SITE_KEY, { action: 'review' }]]);
  });

  test('comes from the same script for two forms of a page', async () => {
    const { page, scripts, loadFirst, loadSecond } = aPage();
    new Recaptcha(SITE_KEY, page).load();
    loadFirst();
    const token = new Recaptcha(SITE_KEY, page).token();
    assert.equal(scripts.length, 1);
    await turn();
    loadSecond({ token: 'a token' });
    assert.equal(await token, 'a token');
  });

  test('is wanted again after a script that could not be loaded', async () => {
    const { page, scripts, loadFirst, loadSecond } = aPage();
    const recaptcha = new Recaptcha(SITE_KEY, page);
    recaptcha.load();
    scripts[0]?.dispatchEvent(new Event('error'));
    await turn();
    const token = recaptcha.token();
    assert.equal(scripts.length, 2);
    loadFirst();
    await turn();
    loadSecond({ token: 'a token' });
    assert.equal(await token, 'a token');
  });

  test('is refused by a script that refuses it, or defines nothing', async () => {
    const refusing = aPage();
    const refused = new Recaptcha(SITE_KEY, refusing.page).token();
    refusing.loadFirst();
    await turn();
    refusing.loadSecond({ why: new Error('invalid site key') });
    await assert.rejects(refused, /invalid site key/);
    const empty = aPage();
    const missing = new Recaptcha(SITE_KEY, empty.page).token();
    empty.scripts[0]?.dispatchEvent(new Event('load'));
    await assert.rejects(missing, /defines no grecaptcha/);
  });

  test('fails after 15 seconds where the second script never comes', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { page, loadFirst } = aPage();
    const token = new Recaptcha(SITE_KEY, page).token();
    loadFirst();
    await turn();
    t.mock.timers.tick(15_000);
    await assert.rejects(token, /no answer in time/);
  });
});
