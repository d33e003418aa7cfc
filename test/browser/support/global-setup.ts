/**
 * Before all tests in browsers: starts one demo of the simulated country, beside it a service of the same data that
 * search engines may list and that sends price alerts, and a database for tests that need a service of their own. After
 * them: stops all and removes their data.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import webpush from 'web-push';
import { type SimulatedTankerkoenig, startSimulatedTankerkoenig } from '../../../src/simulation/tankerkoenig-server.ts';
import { removeEmbeddedDatabase } from '../../../src/store/embedded/remove.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { globalSetup as startDatabase, globalTeardown as stopDatabase } from '../../support/global-setup.ts';
import { stopProcess } from '../../support/processes/child-process.ts';
import { servePompa, startPompa } from '../../support/processes/pompa-process.ts';
import { INDEXED_SITE_VARIABLE, SITE_VARIABLE } from './demo-site.ts';

const STATISTICS_MS = 240_000;

let demo: { readonly folder: string; stop(): Promise<void> } | undefined;
let indexed: Awaited<ReturnType<typeof servePompa>> | undefined;
let germany: SimulatedTankerkoenig | undefined;

export async function globalSetup(): Promise<void> {
  await Promise.all([startDemo(), startDatabase()]);
}

/** Stops them and deletes all their folders. */
export async function globalTeardown(): Promise<void> {
  await Promise.all([stopDemo(), stopDatabase()]);
}

/** Starts the demo, unless the caller names the address of one that trusts the proxy 127.0.0.1. */
async function startDemo(): Promise<void> {
  if (process.env[SITE_VARIABLE] !== undefined) return;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-browser-'));
  // Prices stay as a test has read them. Each visitor comes from an address of its own, named in X-Forwarded-For.
  const child = startPompa(folder, ['demo', '--still'], { PORT: '0', TRUSTED_PROXIES: '127.0.0.1' });
  demo = { folder, stop: () => stopProcess(child) };
  const output = { out: '', err: '' };
  child.stderr?.on('data', (text) => {
    output.err += text;
  });
  const complete = Promise.withResolvers<string>();
  child.stdout?.on('data', (text) => {
    output.out += text;
    const address = /listening on (\S+)/.exec(output.out)?.[1];
    // The last lines that a demo prints, once its days of history are stored and served.
    if (address !== undefined && output.out.includes('pompa reviews pending')) complete.resolve(address);
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the demo ended: ${output.err}`);
  });
  process.env[SITE_VARIABLE] = await Promise.race([complete.promise, ended]);
  ended.catch(() => undefined);
  const { publicKey, privateKey } = webpush.generateVAPIDKeys();
  germany = await startSimulatedTankerkoenig({ seed: 49, clock: Date.now });
  // Without the file by which serve knows the folder of a demo, and refuses it: the same data as if they were real.
  rmSync(path.join(folder, 'demo/demo.json'));
  indexed = await servePompa(path.join(folder, 'demo'), {
    TRUSTED_PROXIES: '127.0.0.1',
    TANKERKOENIG_URL: germany.url,
    TANKERKOENIG_API_KEY: 'simulated',
    TANKERKOENIG_PER_HOUR: '1000',
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: 'mailto:test@example.org',
  });
  process.env[INDEXED_SITE_VARIABLE] = indexed.address;
  for (const address of [process.env[SITE_VARIABLE], indexed.address])
    await waitFor('the statistics of a year', STATISTICS_MS, () => hasYear(address as string));
}

/** The demo stores the statistics of past days while it serves already. */
async function hasYear(address: string): Promise<boolean> {
  const response = await fetch(`${address}/statistici/national.csv`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  return new Set((await response.text()).match(/\d{4}-\d\d-\d\d/g)).size > 300;
}

async function stopDemo(): Promise<void> {
  if (demo === undefined) return;
  await indexed?.end();
  await germany?.close();
  await demo.stop();
  await removeEmbeddedDatabase(path.join(demo.folder, 'demo'));
  rmSync(demo.folder, { recursive: true, force: true });
}
