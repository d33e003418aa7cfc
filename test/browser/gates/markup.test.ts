/** Every kind of page is valid HTML: by html-validate, and by the Nu HTML checker of the W3C. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ConfigData, HtmlValidate, StaticConfigLoader } from 'html-validate/node';
import { newClientAddress, siteAddress } from '../support/demo-site.ts';
import { browserPath } from '../support/installed-browsers.ts';
import { type ExamplePage, examplePages } from './example-pages.ts';

/** Our doctype is in small letters, which HTML allows. */
const RULES: ConfigData = { root: true, extends: ['html-validate:recommended'], rules: { 'doctype-style': 'off' } };
/** Properties of SVG that the checker does not know in style sheets. */
const UNKNOWN_TO_CHECKER = /^CSS: “(paint-order|vector-effect)”: Property “\1” doesn't exist\.$/;
const CHECKER = fileURLToPath(import.meta.resolve('vnu-jar/build/dist/vnu.jar'));

type Message = { readonly url: string; readonly lastLine?: number; readonly type: string; readonly message: string };

let pages: (ExamplePage & { readonly html: string })[];
before(async () => {
  pages = await Promise.all(
    (await examplePages(siteAddress())).map(async (page) => {
      const response = await fetch(siteAddress() + page.path, { headers: { 'X-Forwarded-For': newClientAddress() } });
      return { ...page, html: await response.text() };
    }),
  );
});

describe('the markup of every kind of page', () => {
  test('satisfies html-validate', async () => {
    const validator = new HtmlValidate(new StaticConfigLoader(RULES));
    const found: string[] = [];
    for (const { path: page, html } of pages) {
      const { results } = await validator.validateString(html, page);
      for (const { line, ruleId, message } of results.flatMap(({ messages }) => messages))
        found.push(`${page}:${line} ${message} (${ruleId})`);
    }
    assert.deepEqual(found, []);
  });

  describe('as files', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-markup-'));
    after(() => rmSync(folder, { recursive: true }));

    test('satisfies the Nu HTML checker', () => {
      for (const [index, { html }] of pages.entries()) writeFileSync(path.join(folder, `${index}.html`), html);
      const args = ['-jar', CHECKER, '--format', 'json', '--stdout', '--exit-zero-always', folder];
      const { stdout } = spawnSync(browserPath('java'), args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
      const { messages } = JSON.parse(stdout) as { messages: Message[] };
      const found = messages
        .filter(({ type, message }) => type !== 'info' && !UNKNOWN_TO_CHECKER.test(message))
        .map(({ url, lastLine, message }) => `${pages[Number(path.parse(url).name)]?.path}:${lastLine} ${message}`);
      assert.deepEqual(found, []);
    });
  });
});
