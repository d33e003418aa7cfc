/** What is invalid in HTML: by html-validate, and by the Nu HTML checker of the W3C. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ConfigData, HtmlValidate, StaticConfigLoader } from 'html-validate/node';
import { browserPath } from './installed-browsers.ts';

/** A page as it was sent; its path names it in what is found. */
export type SentPage = { readonly path: string; readonly html: string };

/** Our doctype is in small letters, which HTML allows. */
const RULES: ConfigData = { root: true, extends: ['html-validate:recommended'], rules: { 'doctype-style': 'off' } };
/** Properties of SVG that the checker does not know in style sheets. */
const UNKNOWN_TO_CHECKER = /^CSS: “(paint-order|vector-effect)”: Property “\1” doesn't exist\.$/;
const CHECKER = fileURLToPath(import.meta.resolve('vnu-jar/build/dist/vnu.jar'));

type Message = { readonly url: string; readonly lastLine?: number; readonly type: string; readonly message: string };

/** What html-validate finds in the pages. */
export async function defectsByHtmlValidate(pages: readonly SentPage[]): Promise<string[]> {
  const validator = new HtmlValidate(new StaticConfigLoader(RULES));
  const found: string[] = [];
  for (const { path: page, html } of pages) {
    const { results } = await validator.validateString(html, page);
    for (const { line, ruleId, message } of results.flatMap(({ messages }) => messages))
      found.push(`${page}:${line} ${message} (${ruleId})`);
  }
  return found;
}

/** What the Nu HTML checker finds in the pages. */
export function defectsByNuChecker(pages: readonly SentPage[]): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-markup-'));
  try {
    for (const [index, { html }] of pages.entries()) writeFileSync(path.join(folder, `${index}.html`), html);
    const args = ['-jar', CHECKER, '--format', 'json', '--stdout', '--exit-zero-always', folder];
    const { stdout } = spawnSync(browserPath('java'), args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    const { messages } = JSON.parse(stdout) as { messages: Message[] };
    return messages
      .filter(({ type, message }) => type !== 'info' && !UNKNOWN_TO_CHECKER.test(message))
      .map(({ url, lastLine, message }) => `${pages[Number(path.parse(url).name)]?.path}:${lastLine} ${message}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
