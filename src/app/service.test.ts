import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../config/config.ts';
import { startService } from './service.ts';

test('the built-in roads are read once, as soon as the service listens, not at the first journey', async (t) => {
  let reads = 0;
  const { readFileSync } = fs;
  t.mock.method(fs, 'readFileSync', (...args: Parameters<typeof readFileSync>) => {
    if (String(args[0]).endsWith('roads.txt')) reads += 1;
    return readFileSync(...args);
  });
  syncBuiltinESMExports();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pompa-service-'));
  const stop = new AbortController();
  const settings = { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0' };
  const service = await startService({
    config: readConfig(settings, folder),
    log: pino({ level: 'silent' }),
    worker: false,
    simulated: false,
    signal: stop.signal,
  });
  t.after(async () => {
    stop.abort();
    await service.close();
    t.mock.restoreAll();
    syncBuiltinESMExports();
    fs.rmSync(folder, { recursive: true });
  });
  assert.equal(reads, 1, 'before any journey');
  const response = await fetch(`${service.address}/api/v1/traseu/custom`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ start: 'Cluj', end: 'Turda' }),
  });
  assert.equal(response.status, 200);
  assert.equal(reads, 1);
});
