import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ToldFeed } from '../../support/changes/told-changes.ts';
import { DOCUMENTED_ADDRESS, snippetsOf } from '../../support/documented-code.ts';
import { FakeWebhooks } from '../../support/service/fake-webhooks.ts';
import { allowAll, SOME_KEY } from '../../support/service/open-access.ts';
import { TestService } from '../../support/service/test-service.ts';
import { checkReceiver } from './webhook-receivers.ts';

const run = promisify(execFile);
const CLIENT = pathToFileURL(path.resolve(import.meta.dirname, '../../../clients/typescript/src/index.ts'));

describe('The page on webhooks', () => {
  test('its commands make, test, pause, resume, replay, rotate and delete one', async (t) => {
    const service = await TestService.during(t, {
      accessControl: allowAll(SOME_KEY),
      changes: new ToldFeed().log,
      webhooks: { service: new FakeWebhooks(), limits: () => 0, allowedOrigins: [] },
    });
    const [settings = '', ...blocks] = snippetsOf('docs/WEBHOOKS.md', 'sh');
    const commands = blocks.flatMap((block) => block.trim().split('\n'));
    const own = settings.replace(DOCUMENTED_ADDRESS, `http://127.0.0.1:${service.port}`);
    const states: string[] = [];
    for (const command of commands) {
      const { stdout } = await run('sh', ['-euc', `${own}\n${command}`]);
      const { webhook, livrari, status, total } = JSON.parse(stdout);
      assert.equal(status, 'ok', command);
      states.push(webhook?.stare ?? livrari?.[0].stare ?? total ?? status);
    }
    const afterwards = ['pauza', 'activ', 'activ', 'activ', 'livrata', 1, 'ok'];
    assert.deepEqual(states, ['neverificat', 'activ', ...afterwards]);
  });

  test('its receiver for Node takes what is genuine, once, and refuses the rest', async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pompa-receiver-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'receiver.mjs');
    const [code = ''] = snippetsOf('docs/WEBHOOKS.md', 'js');
    await writeFile(file, code.replace("'pompa-client'", `'${CLIENT}'`));
    await checkReceiver(t, [process.execPath, file]);
  });
});
