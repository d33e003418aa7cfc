/**
 * The real Valhalla on loopback. The library answers in this process; this file imitates its HTTP server: `POST
 * /route`, and errors as JSON with their number (`src/exceptions.cc`, `docs/docs/api/turn-by-turn/api-reference.md` of
 * valhalla/valhalla).
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type LoopbackServer, startLoopbackServer } from './loopback.ts';
import { osmPbf, type Roads } from './osm-pbf.ts';
import defaults from './valhalla.json' with { type: 'json' };

type Actor = { route(query: string): Promise<string> };

const require = createRequire(import.meta.url);

/** Error codes in HTTP answers, by the beginning of the library's message. */
const ERROR_CODES: readonly (readonly [message: string, code: number])[] = [
  ['Failed to parse json request', 100],
  ['No costing method found', 125],
  ['Failed to parse location', 130],
  ['Path distance exceeds the max distance limit', 154],
  ['Locations are in unconnected regions', 170],
  ['No suitable edges near location', 171],
  ['No path could be found for input', 442],
];

/** Builds Valhalla's tiles of the roads in the folder; rejects with the builder's error. */
export async function buildTiles(graph: Roads, folder: string): Promise<string> {
  const [config, roads] = [path.join(folder, 'valhalla.json'), path.join(folder, 'roads.osm.pbf')];
  await mkdir(path.join(folder, 'tiles'), { recursive: true });
  await writeFile(roads, osmPbf(graph));
  await writeFile(config, JSON.stringify(settings(folder)));
  const programs = path.join(path.dirname(require.resolve('@valhallajs/valhallajs')), process.platform, process.arch);
  // The builder writes a list of duplicates into its working directory.
  await promisify(execFile)(path.join(programs, 'valhalla_build_tiles'), ['-c', config, roads], { cwd: folder });
  return folder;
}

type ValhallaOptions = {
  /** Valhalla refuses to search beyond this distance. */
  readonly maxKm?: number;
  /** Whether Valhalla knows which regions no road connects, and refuses such routes before it searches. */
  readonly useConnectivity?: boolean;
};

/** Serves routes from the tiles in the folder. */
export function serveValhalla(folder: string, options: ValhallaOptions = {}): Promise<LoopbackServer> {
  const { Actor } = require('@valhallajs/valhallajs') as { Actor: new (config: unknown) => Actor };
  const actor = new Actor(settings(folder, options));
  const listener: RequestListener = async (request, response) => {
    if (request.url !== '/route') return error(response, 404, 106, 'Try any of: /route');
    if (request.method !== 'POST') return error(response, 405, 101, 'Try a POST or GET request instead');
    try {
      reply(response, 200, await actor.route(await text(request)));
    } catch (refusal) {
      const message = (refusal as Error).message.replace('Route error: ', '');
      const [, code] = ERROR_CODES.find(([start]) => message.startsWith(start)) ?? ['', 199];
      error(response, code === 199 ? 500 : 400, code, message);
    }
  };
  return startLoopbackServer((request, response) => void listener(request, response));
}

function error(response: ServerResponse, status: number, code: number, message: string): void {
  const named: Readonly<Record<number, string>> = { 400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed' };
  const body = {
    error_code: code,
    error: message,
    status_code: status,
    status: named[status] ?? 'Internal Server Error',
  };
  reply(response, status, JSON.stringify(body));
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' }).end(body);
}

/**
 * Valhalla's own defaults (`valhalla.json` has those of `valhalla_build_config` that it requires), no file outside the
 * folder, and no log.
 */
function settings(folder: string, { maxKm = 5_000, useConnectivity = true }: ValhallaOptions = {}): unknown {
  return {
    ...defaults,
    mjolnir: { ...defaults.mjolnir, tile_dir: path.join(folder, 'tiles') },
    loki: { ...defaults.loki, use_connectivity: useConnectivity },
    service_limits: {
      ...defaults.service_limits,
      auto: { ...defaults.service_limits.auto, max_distance: maxKm * 1_000 },
    },
  };
}
