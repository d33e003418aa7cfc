/** Load from another process: wrk if it is installed, else our own client. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { cpuMs } from '../../test/support/processes/child-process.ts';

const DEFAULT_CONNECTIONS = 16;

export type LoadTarget = {
  readonly port: number;
  /** Requested in turn. */
  readonly paths: readonly string[];
  /** `Accept-Encoding`. */
  readonly coding: string;
  /** 16 by default. */
  readonly connections?: number;
  /** Each request has a connection of its own; only with wrk. */
  readonly newConnections?: boolean;
  /** Each request has another client address, behind a trusted proxy: capped endpoints answer all of them. */
  readonly distinctClients?: boolean;
  /** The core that the generator is pinned to; only with wrk. */
  readonly generatorCore?: number;
};

export type LoadMeasurement = { readonly requests: number; readonly cpuMs: number; readonly seconds: number };

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** The load generator in use. */
export const GENERATOR = hasWrk ? 'wrk' : 'bench/processes/load-client.ts (wrk is not installed: apt-get install wrk)';

/** Runs load on connections that stay open, and returns its cost for the server's processes. */
export async function runLoad(
  folder: string,
  target: LoadTarget,
  seconds: number,
  pids: readonly number[],
): Promise<LoadMeasurement> {
  const before = cpuMs(...pids);
  const requests = hasWrk ? await runWrk(folder, target, seconds) : await runLoadClient(target, seconds);
  return { requests, cpuMs: cpuMs(...pids) - before, seconds };
}

async function runWrk(
  folder: string,
  {
    port,
    paths,
    coding,
    connections = DEFAULT_CONNECTIONS,
    distinctClients = false,
    newConnections = false,
    generatorCore,
  }: LoadTarget,
  seconds: number,
): Promise<number> {
  const script = path.join(folder, 'paths.lua');
  writeFileSync(
    script,
    `local ready = {}
local turn = 0
init = function()
  for _, path in ipairs({${paths.map((each) => JSON.stringify(each)).join(',')}}) do
    ready[#ready + 1] = wrk.format('GET', path)
  end
end
request = function() turn = turn % #ready + 1; return ready[turn] end
${distinctClients ? distinctClientsScript(port, paths, coding) : ''}`,
  );
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, '-H', `Accept-Encoding: ${coding}`];
  if (newConnections) args.push('-H', 'Connection: close');
  const command = ['wrk', ...args, `http://127.0.0.1:${port}`];
  const pinned = generatorCore === undefined ? [] : ['taskset', '-c', String(generatorCore)];
  const output = await outputOf([...pinned, ...command]);
  const errors = /Socket errors: connect [1-9].*|Non-2xx.*/.exec(output);
  if (errors) throw new Error(`${paths[0]}: ${errors[0]}`);
  return Number(/(\d+) requests in/.exec(output)?.[1]);
}

/**
 * A block of 65,536 addresses for each load, so that no address repeats: from 10.0.0.0 on, 256 blocks in each network.
 */
let loadCount = 0;

function distinctClientsScript(port: number, paths: readonly string[], coding: string): string {
  loadCount += 1;
  return `
local paths = {${paths.map((each) => JSON.stringify(each)).join(',')}}
local asked = 0
request = function()
  asked = asked + 1
  local from = string.format('${10 + (loadCount >> 8)}.${loadCount & 255}.%d.%d', math.floor(asked / 256) % 256, asked % 256)
  return wrk.format('GET', paths[asked % #paths + 1], {
    ['Host'] = '127.0.0.1:${port}', ['Accept-Encoding'] = '${coding}', ['X-Forwarded-For'] = from })
end
`;
}

async function runLoadClient(
  { port, paths, coding, connections = DEFAULT_CONNECTIONS }: LoadTarget,
  seconds: number,
): Promise<number> {
  const client = path.resolve(import.meta.dirname, '../processes/load-client.ts');
  const options = { port, paths, coding, seconds, connections };
  return Number(await outputOf([process.execPath, client, JSON.stringify(options)]));
}

async function outputOf([program = '', ...args]: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode}: ${output}`);
  return output;
}
