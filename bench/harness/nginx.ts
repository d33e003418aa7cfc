/** The reference: nginx from Debian, sending the same bytes with the same headers from files. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, stopProcess } from '../../test/support/processes/child-process.ts';

export type NginxServer = { readonly port: number; readonly pids: readonly number[]; end(): Promise<void> };

/** Headers that nginx sets itself, or that make no sense for a file. */
const NOT_COPIED = ['content-length', 'content-type', 'date', 'connection', 'keep-alive', 'transfer-encoding'];
const NGINX_PATHS = ['/usr/sbin/nginx', 'nginx'];

const program = NGINX_PATHS.find((each) => spawnSync(each, ['-v']).error === undefined);

export const NGINX_VERSION = program === undefined ? null : spawnSync(program, ['-v']).stderr.toString().trim();
export const NGINX_MISSING = 'nginx is not installed, so there is no ratio: apt-get install -y nginx-light wrk';

/** One of our addresses, which nginx answers under `name`. */
export type CopiedResponse = {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly coding: string;
  /** Sent besides, to us alone. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Fetches our answers and starts nginx with them, in a folder of its own. Of several workers each has a socket. */
export async function startNginx(
  folder: string,
  port: number,
  copied: readonly CopiedResponse[],
  workers = 1,
): Promise<NginxServer> {
  const locations: string[] = [];
  for (const each of copied) {
    const { headers, body } = await fetchResponse(each);
    writeFileSync(path.join(folder, each.name), body);
    locations.push(locationBlock(each.name, headers));
  }
  const config = path.join(folder, 'nginx.conf');
  writeFileSync(config, configuration(folder, port, locations, workers));
  const child = spawn(program as string, ['-p', folder, '-c', config, '-e', path.join(folder, 'error.log')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await waitUntilIdentical(port, copied, child);
  return { port, pids: childrenOf(child.pid as number), end: () => stopProcess(child) };
}

function locationBlock(name: string, headers: IncomingHttpHeaders): string {
  const added = Object.entries(headers)
    .filter(([header]) => !NOT_COPIED.includes(header))
    .map(([header, value]) => `add_header ${header} '${String(value).replaceAll("'", String.raw`\'`)}';`);
  return `location = /${name} { default_type "${headers['content-type']}"; ${added.join(' ')} }`;
}

/** Debian's default; `--no-sendfile` is more expensive for large files and a quarter cheaper for small ones. */
const SENDFILE = process.argv.includes('--no-sendfile') ? 'sendfile off;' : 'sendfile on; tcp_nopush on;';

/** Without a log, and without checking the disk for open files. */
function configuration(folder: string, port: number, locations: readonly string[], workers: number): string {
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user}
daemon off;
worker_processes ${workers};
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${SENDFILE}
  etag off;
  open_file_cache max=100 inactive=1h;
  open_file_cache_valid 1h;
  keepalive_requests 100000000;
  keepalive_timeout 65;
  types { }
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server {
    listen 127.0.0.1:${port}${workers > 1 ? ' reuseport' : ''};
    root ${folder};
    ${locations.join('\n    ')}
  }
}
`;
}

function fetchResponse({
  port,
  path,
  coding,
  headers = {},
}: Omit<CopiedResponse, 'name'>): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    http
      .get(
        { port, host: '127.0.0.1', path, headers: { 'accept-encoding': coding, ...headers }, agent: false },
        (response) => {
          if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
          buffer(response).then((body) => resolve({ headers: response.headers, body }), reject);
        },
      )
      .on('error', reject);
  });
}

/** The comparison is fair only if nginx sends exactly our bytes. */
async function waitUntilIdentical(port: number, copied: readonly CopiedResponse[], child: ChildProcess): Promise<void> {
  for (const { name, ...ours } of copied) {
    const own = await fetchResponse(ours);
    for (let tries = 0; ; tries += 1) {
      const theirs = await fetchResponse({ port, path: `/${name}`, coding: ours.coding }).catch(
        (error: Error) => error,
      );
      if (theirs instanceof Error) {
        if (tries > 50 || child.exitCode !== null) throw theirs;
        await sleep(50);
        continue;
      }
      const missing = Object.keys(own.headers).filter((header) => theirs.headers[header] === undefined);
      if (!theirs.body.equals(own.body)) throw new Error(`nginx sends other bytes for ${ours.path}`);
      const notOurs = missing.filter((header) => header !== 'keep-alive');
      if (notOurs.length > 0) throw new Error(`nginx sends no ${notOurs} for ${ours.path}`);
      break;
    }
  }
}
