import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { atAddress, snippetsOf } from '../../support/documented-code.ts';
import { allowAll, SOME_KEY } from '../../support/service/open-access.ts';
import { TestService } from '../../support/service/test-service.ts';
import { world } from '../../support/worlds/contract-world.ts';

const run = promisify(execFile);
const [settings = '', ...blocks] = snippetsOf('docs/CURL.md', 'sh');
const commands = blocks.flatMap((block) => block.trim().split('\n'));
const REPORT = { month: 3, total: 9, lastUsed: null, days: [] };

describe('The commands with curl', () => {
  let service: TestService;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pompa-curl-'));
    const keyReport = () => Promise.resolve(REPORT);
    service = await TestService.start({ accessControl: allowAll(SOME_KEY), snapshot: world(), keyReport });
  });
  after(async () => {
    await service.api.close();
    await rm(folder, { recursive: true });
  });
  /** As a reader would who pastes the settings with an address of their own, then the command. */
  const paste = (command: string) => {
    const own = atAddress(settings, `http://127.0.0.1:${service.port}`);
    return run('sh', ['-euc', `${own}\n${command}`], { cwd: folder });
  };

  for (const command of commands) {
    test(command.replaceAll(/-H "X-Api-Key: \$POMPA_API_KEY" /g, ''), async () => {
      const { stdout } = await paste(command);
      const file = / -o (\w\S+)$/.exec(command)?.[1];
      const text = file === undefined ? stdout : readFileSync(path.join(folder, file), 'utf8');
      if (command.includes(' -D - ')) assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
      else if (file?.endsWith('.csv')) assert.match(text, /^id,brand,.*\r\n3d4e5f607182,MOL,Targu Mures,/);
      else assert.equal(typeof JSON.parse(text), 'object');
    });
  }

  test('a refusal ends curl with an error, as -f promises', async () => {
    await assert.rejects(paste('curl -fsS "$POMPA/statii?limita=0"'), /400/);
  });

  test('are all there', () => assert.equal(commands.length, 13));
});
