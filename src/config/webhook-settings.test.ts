import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from './config.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-webhook-settings-'));
});
after(() => rmSync(folder, { recursive: true }));

const read = (origins?: string) =>
  readConfig(origins === undefined ? {} : { WEBHOOK_ORIGINS: origins }, folder).WEBHOOK_ORIGINS;

describe('origins that webhooks may be sent to although they are private', () => {
  it('are none unless they are set', () => assert.deepEqual(read(), []));

  it('are a list in their normal form', () => {
    assert.deepEqual(read(' http://127.0.0.1:9000 ,https://Intern.example/,'), [
      'http://127.0.0.1:9000',
      'https://intern.example',
    ]);
  });

  const wrong = [
    ...['127.0.0.1:9000', 'intern', 'ftp://intern.example', 'https://intern.example/path', 'https://*.example'],
    ...['https://user:secret@intern.example', 'https://intern.example?a', 'http://a.example http://b.example'],
  ];
  for (const origins of wrong)
    it(`are refused when one is ${origins}`, () => {
      assert.throws(() => read(`http://127.0.0.1:9000,${origins}`), /WEBHOOK_ORIGINS.* must be origins such as/s);
    });
});
