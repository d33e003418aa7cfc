/** The checks of the protocol's own conformance suite that apply: the others need tools and features of its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { withMcp } from '../support/service/mcp-service.ts';
import { TestService } from '../support/service/test-service.ts';

const SUITE = path.resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];

let service: TestService;
let folder: string;
before(async () => {
  service = await TestService.start(withMcp());
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-mcp-'));
});
after(async () => {
  await service.api.close();
  await rm(folder, { recursive: true });
});

describe('the conformance suite accepts', () => {
  for (const scenario of SCENARIOS)
    test(scenario, async () => {
      const url = `http://localhost:${service.port}/mcp`;
      const args = [SUITE, 'server', '--url', url, '--scenario', scenario];
      const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      const [out, err] = [text(child.stdout), text(child.stderr)];
      const [code] = await once(child, 'close');
      assert.equal(code, 0, `${await out}${await err}`);
      assert.match(await out, /Passed: (\d+)\/\1, 0 failed/);
    });
});
