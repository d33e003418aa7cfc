/**
 * Tools of others read the description as it is: Spectral, a second linter with opinions beside redocly, and Prism, a
 * mock server made from a description alone. Their packages are installed when this runs.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { installPackages } from '../support/install-packages.ts';
import { TestService } from '../support/service/test-service.ts';

const TOOLS = path.resolve(import.meta.dirname, '../openapi-tools');
const run = promisify(execFile);
let folder: string;
let file: string;
before(async () => {
  assert.ok(installPackages(TOOLS), 'npm could not install the packages of test/openapi-tools, see above');
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-openapi-'));
  file = path.join(folder, 'openapi.json');
  const service = await TestService.start();
  await writeFile(file, (await service.ask('/openapi.json')).text);
  await service.api.close();
});
after(() => rm(folder, { recursive: true }));

describe('the description as it is', () => {
  test('has no error, warning or hint for Spectral and its recommended rules', async () => {
    const rules = path.join(folder, 'rules.json');
    await writeFile(rules, JSON.stringify({ extends: ['spectral:oas'] }));
    const cli = path.join(TOOLS, 'node_modules/@stoplight/spectral-cli/dist/index.js');
    const { stdout } = await run(process.execPath, [cli, 'lint', file, '--ruleset', rules, '--fail-severity', 'hint']);
    assert.match(stdout, /No results with a severity of 'hint' or higher found!/);
  });

  test('is a mock server for Prism, which answers 200 and the kinds of 429 with the examples', async () => {
    const prism = await startPrism();
    try {
      const ask = async (prefer: string) => {
        const response = await fetch(`${prism.address}/api/v1/retele`, { headers: { Prefer: prefer } });
        return { status: response.status, json: (await response.json()) as Record<string, unknown> };
      };
      const usual = await ask('');
      assert.deepEqual([usual.status, usual.json.data], [200, '2026-11-20']);
      const [weekly, monthly] = [await ask('code=429, example=weekly'), await ask('code=429, example=monthly')];
      assert.deepEqual([weekly.status, weekly.json.retry_after_seconds], [429, 604_740]);
      assert.deepEqual([monthly.status, monthly.json.limit], [429, 100_000]);
    } finally {
      await prism.close();
    }
  });
});

async function startPrism(): Promise<{ address: string; close(): Promise<void> }> {
  const cli = path.join(TOOLS, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const child = spawn(process.execPath, [cli, 'mock', file, '--host', '127.0.0.1', '--port', '0']);
  const exited = once(child, 'exit');
  const close = async () => {
    child.kill();
    await exited;
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
    const address = /listening on (http:\S+)/.exec(output)?.[1];
    if (address !== undefined) resolve(address);
  });
  child.on('exit', () => reject(new Error(`Prism ended: ${output}`)));
  return { address: await promise, close };
}
