import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { startTextForm } from './text-form.ts';

/** What the module uses of a form. */
function aForm(captcha: { challenge: string } | { siteKey: string } = { challenge: '/captcha/provocare' }) {
  const form = new EventTarget();
  const comment = { value: '' };
  const token = { value: '' };
  const button = { disabled: false };
  const status = { textContent: '', dataset: { working: 'working', failed: 'failed' } };
  const text = Object.assign(new EventTarget(), {
    dataset: captcha,
    hidden: true,
    disabled: true,
    querySelectorAll: () => [comment],
  });
  const scripts: EventTarget[] = [];
  const page = {
    defaultView: Object.assign(new EventTarget(), { grecaptcha: undefined as object | undefined }),
    createElement: () => new EventTarget(),
    head: { append: (script: EventTarget) => scripts.push(script) },
    scripts,
  };
  const parts: Record<string, unknown> = {
    'fieldset[data-challenge], fieldset[data-site-key]': text,
    'input[name="recaptcha_token"]': token,
    '[role="status"]': status,
    button,
  };
  const sent = Promise.withResolvers<void>();
  Object.assign(form, {
    ownerDocument: page,
    querySelector: (selector: string) => parts[selector] ?? null,
    submit: sent.resolve,
  });
  const submit = () => form.dispatchEvent(new Event('submit', { cancelable: true }));
  return { form: form as HTMLFormElement, page, comment, token, button, status, text, submit, sent: sent.promise };
}

const answering = (t: TestContext, answer: () => Promise<Response>) => t.mock.method(globalThis, 'fetch', answer);

describe('a form that takes a text', () => {
  test('offers the fields of a text once its code runs', () => {
    const { form, text } = aForm();
    startTextForm(form);
    assert.deepEqual([text.hidden, text.disabled], [false, false]);
  });

  test('is sent without a text without a challenge', (t) => {
    const fetched = answering(t, () => Promise.reject(new Error('offline')));
    const { form, comment, submit } = aForm();
    startTextForm(form);
    comment.value = ' \n';
    assert.equal(submit(), true);
    assert.equal(fetched.mock.callCount(), 0);
  });

  test('is sent with the solution of a fresh challenge if there is a text', async (t) => {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('salt7'));
    const challenge = Buffer.from(hash).toString('hex');
    const rest = { algorithm: 'SHA-256', maxnumber: 10, salt: 'salt', signature: 'signed' };
    answering(t, async () => Response.json({ challenge, ...rest }));
    const { form, comment, token, button, status, submit, sent } = aForm();
    startTextForm(form);
    comment.value = 'Curat';
    assert.equal(submit(), false);
    assert.deepEqual([button.disabled, status.textContent], [true, 'working']);
    await sent;
    assert.equal(JSON.parse(atob(token.value)).number, 7);
  });

  test('loads the captcha elsewhere once a field is touched, not before, and sends its token', async () => {
    const { form, text, comment, token, submit, sent, page } = aForm({ siteKey: 'a site key' });
    startTextForm(form);
    assert.deepEqual([text.hidden, page.scripts.length], [false, 0]);
    text.dispatchEvent(new Event('focusin'));
    text.dispatchEvent(new Event('focusin'));
    while (page.scripts.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(page.scripts.length, 1);
    page.defaultView.grecaptcha = {
      ready: (callback: () => void) => callback(),
      execute: async () => 'a token',
    };
    page.scripts[0]?.dispatchEvent(new Event('load'));
    comment.value = 'Curat';
    assert.equal(submit(), false);
    await sent;
    assert.equal(token.value, 'a token');
  });

  test('says when there is no challenge, and can be sent again', async (t) => {
    answering(t, async () => new Response('', { status: 503 }));
    const { form, comment, button, status, submit } = aForm();
    startTextForm(form);
    comment.value = 'Curat';
    submit();
    while (button.disabled) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(status.textContent, 'failed');
  });

  test('stays as it is where the page offers no text', () => {
    const { form, submit } = aForm();
    Object.assign(form, { querySelector: () => null });
    startTextForm(form);
    assert.equal(submit(), true);
  });
});
