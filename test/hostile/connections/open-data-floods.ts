/** Requests of one address to what programs read besides the API: `/mcp`, and the files of open data. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dataPackage } from '../../../src/dumps/description/data-package.ts';
import { MANIFEST_FILE } from '../../../src/dumps/manifest.ts';
import { dumpFolder } from '../../../src/dumps/published/dump-folder.ts';
import type { EndpointFlood } from './endpoint-floods.ts';

const FILE = { path: 'preturi/preturi.parquet', bytes: 400_000 };

const get = (name: string, path: EndpointFlood['path']): EndpointFlood => ({ name, path });
const call = (name: string, method: string, params: (at: number) => object): EndpointFlood => ({
  ...{ name, method: 'POST', path: '/mcp', header: () => 'Accept: application/json, text/event-stream' },
  body: (at) => JSON.stringify({ jsonrpc: '2.0', id: at, method, params: params(at) }),
});
const tool = (name: string, args: (at: number) => object) =>
  call(`/mcp, ${name}`, 'tools/call', (at) => ({ name, arguments: args(at) }));

export const OPEN_DATA_FLOODS: readonly EndpointFlood[] = [
  call('/mcp, tools', 'tools/list', () => ({})),
  tool('cheapest_near', (at) => ({ place: at % 2 ? 'Iași' : `Craiovvaxx${at}` })),
  tool('along_route', (at) => ({ from: 'Satu Mare', to: 'Constanța', fuel: at % 2 ? 'benzina_standard' : 'gpl' })),
  tool('no_such_tool', () => ({})),
  { ...call('/mcp, no JSON', '', () => ({})), body: (at) => `{"${at}": [[[[` },
  get('/date/v1, a file', () => `/date/v1/${FILE.path}`),
  get('/date/v1, no such files', (at) => `/date/v1/preturi/${at}.parquet`),
];

/** Writes what a service with this data folder publishes: one file, described in the manifest. */
export function writeDumps(dataDir: string): void {
  const folder = dumpFolder(dataDir);
  mkdirSync(path.join(folder, path.dirname(FILE.path)), { recursive: true });
  writeFileSync(path.join(folder, FILE.path), Buffer.alloc(FILE.bytes));
  const described = {
    ...({ ...FILE, table: 'preturi', format: 'parquet', month: null, isFinal: false } as const),
    ...{ revision: 1, sha256: '0'.repeat(64), rows: 1, sources: ['register'] },
  };
  const manifest = {
    ...{ madeAt: Date.now(), updatedAt: null, cursor: null, simulated: false, allowed: ['register'] },
    ...{ files: [described], emptyMonths: [], errata: [] },
  };
  writeFileSync(path.join(folder, MANIFEST_FILE), JSON.stringify(dataPackage(manifest, 'http://127.0.0.1/date/v1/')));
}
