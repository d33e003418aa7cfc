import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readConfig } from '../../config/config.ts';
import { settingsFindings } from './settings-checks.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-settings-'));
});
after(() => rmSync(folder, { recursive: true }));

function wrong(environment: Record<string, string>): string[] {
  const findings = settingsFindings(readConfig(environment, folder), folder);
  return findings.filter(({ ok }) => !ok).map(({ check }) => check);
}

test('settings that are each valid but do not fit together are reported', () => {
  assert.deepEqual(wrong({}), []);
  assert.deepEqual(wrong({ HOST: '0.0.0.0' }), ['public address']);
  assert.deepEqual(wrong({ HOST: '0.0.0.0', PUBLIC_URL: 'http://pompa.example.ro' }), []);
  assert.deepEqual(wrong({ PUBLIC_URL: 'https://pompa.example.ro' }), ['proxies']);
  assert.deepEqual(wrong({ PUBLIC_URL: 'https://pompa.example.ro', TRUSTED_PROXIES: '127.0.0.1' }), []);
  assert.deepEqual(wrong({ CAPTCHA_SECRET: 'x' }), ['captcha']);
  assert.deepEqual(wrong({ CAPTCHA_SECRET: 'x', CAPTCHA_HOSTNAMES: 'pompa.example.ro' }), []);
});

test('the captcha in use is reported', () => {
  const reported = (environment: Record<string, string>) =>
    settingsFindings(readConfig(environment, folder), folder).find(({ check }) => check === 'captcha');
  assert.match(reported({})?.detail ?? '', /^proof of work/);
  assert.match(reported({ CAPTCHA_SECRET: 'x', CAPTCHA_KIND: 'altcha' })?.detail ?? '', /^proof of work/);
  assert.match(reported({ CAPTCHA_KIND: 'none' })?.detail ?? '', /^off: reviews with text are refused/);
  const elsewhere = { CAPTCHA_SECRET: 'x', CAPTCHA_HOSTNAMES: 'x.ro' };
  assert.match(reported(elsewhere)?.detail ?? '', /^tokens of x\.ro are accepted; .* our own pages take no text$/);
  assert.match(reported({ ...elsewhere, CAPTCHA_SITE_KEY: 'k' })?.detail ?? '', /^tokens of x\.ro are accepted$/);
});

test('an .env that others can read is reported with the command that fixes it', () => {
  const file = path.join(folder, '.env');
  writeFileSync(file, 'CONTACT=geheim@x.ro\n', { mode: 0o644 });
  const bad = settingsFindings(readConfig({}, folder), folder).find(({ check }) => check === '.env');
  assert.deepEqual([bad?.ok, bad?.advice], [false, `chmod 600 ${file}`]);
  assert.doesNotMatch(JSON.stringify(bad), /geheim/);
  chmodSync(file, 0o600);
  assert.deepEqual(wrong({}), []);
  rmSync(file);
});
