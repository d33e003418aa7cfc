import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

const URL = 'https://tiles.example.org/{z}/{x}/{y}.png';
const ATTRIBUTION = '© [OpenStreetMap contributors](https://www.openstreetmap.org/copyright)';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-map-settings-'));
});
after(() => rmSync(folder, { recursive: true }));

const read = (url: string, attribution = ATTRIBUTION) =>
  readConfig({ MAP_TILES_URL: url, MAP_ATTRIBUTION: attribution }, folder).mapTiles;

function refusal(url: string, attribution = ATTRIBUTION): string {
  try {
    read(url, attribution);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return 'accepted';
}

describe('map tiles of another service', () => {
  it('are off unless both settings are there', () => {
    assert.equal(read('', ''), null);
    assert.match(refusal(URL, ''), /^MAP_ATTRIBUTION must be set as well: who made the tiles/);
    assert.match(refusal('', ATTRIBUTION), /^MAP_TILES_URL must be set as well/);
    assert.deepEqual(read(URL), { url: URL, origin: 'https://tiles.example.org', attribution: ATTRIBUTION });
  });

  it('may have a key in the query, a port, and plain http on this machine', () => {
    assert.equal(read(`${URL}?key=abc`)?.origin, 'https://tiles.example.org');
    assert.equal(read('https://tiles.example.org:8443/{y}/{x}/{z}')?.origin, 'https://tiles.example.org:8443');
    assert.equal(read('http://127.0.0.1:9000/{z}/{x}/{y}.png')?.origin, 'http://127.0.0.1:9000');
    assert.equal(read('http://[::1]:9000/?z={z}&x={x}&y={y}')?.origin, 'http://[::1]:9000');
  });

  it('are refused from an address that is not https, has a user, or is none', () => {
    for (const url of [
      ...['http://tiles.example.org/{z}/{x}/{y}.png', 'https://me:geheim@tiles.example.org/{z}/{x}/{y}.png'],
      ...[
        'https://geheim@tiles.example.org/{z}/{x}/{y}.png',
        'ftp://tiles.example.org/{z}/{x}/{y}',
        '/{z}/{x}/{y}.png',
      ],
      ...['//tiles.example.org/{z}/{x}/{y}', `${URL}#a`, `${URL} `, 'x'],
      // Characters that mean something in the page's policy.
      ...['https://a;script-src/{z}/{x}/{y}.png', 'https://*/{z}/{x}/{y}.png', "https://a'b/{z}/{x}/{y}.png"],
    ]) {
      const message = refusal(url);
      assert.match(message, /^MAP_TILES_URL must be an https address without a user or password/, url);
      assert.doesNotMatch(message, /geheim/);
    }
  });

  it('are refused without each of the three placeholders exactly once', () => {
    for (const url of [
      ...['https://tiles.example.org/', 'https://tiles.example.org/{z}/{x}.png', `${URL}?{z}`, `${URL}?{r}`],
      ...['https://tiles.example.org/{z}/{x}/{y', 'https://tiles.example.org/{z}/{x}/{y}}', `${URL}?{s}`],
    ])
      assert.match(refusal(url), /^MAP_TILES_URL must have \{z\}, \{x\} and \{y\} once each after the host/, url);
    for (const url of ['https://{s}.example.org/{z}/{x}/{y}.png', 'https://{z}.example.org/{x}/{y}.png'])
      assert.match(refusal(url), /^MAP_TILES_URL must/, url);
  });

  it('have an attribution of plain text with web links', () => {
    assert.equal(read(URL, 'Hărți: Exemplu S.R.L.')?.attribution, 'Hărți: Exemplu S.R.L.');
    for (const text of [
      ...['<b>x</b>', '© [X](javascript:alert(1))', '[X](/local)', '[X](https://a:b@example.org)', '[X]()', 'a\nb'],
      ...['x'.repeat(301), '`x`', '[X](data:text/html,x)', '[](https://ok/[a](javascript:alert(1))'],
    ])
      assert.match(refusal(URL, text), /^MAP_ATTRIBUTION must be at most 300 characters of text without HTML/, text);
  });
});
