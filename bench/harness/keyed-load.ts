/** Load with keys in turn, by wrk: each connection asks again once it is answered. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

export type KeyedLoad = {
  readonly port: number;
  readonly path: string;
  /** `Accept-Encoding`. */
  readonly coding: string;
  readonly connections: number;
};

export type KeyedLoadResult = {
  readonly requests: number;
  readonly perSecond: number;
  /** Ms until half, and 99 of 100, were answered. */
  readonly p50: number;
  readonly p99: number;
};

/** Returns a function that runs rounds; each round begins with the key after the last one of the round before. */
export function keyedLoads(folder: string, keys: readonly string[]) {
  const script = path.join(folder, 'keys.lua');
  writeFileSync(path.join(folder, 'keys'), keys.join('\n'));
  writeFileSync(script, wrkScript(path.join(folder, 'keys')));
  let sent = 0;
  return async ({ port, path: target, coding, connections }: KeyedLoad, seconds: number): Promise<KeyedLoadResult> => {
    const url = `http://127.0.0.1:${port}${target}`;
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, '-H', `Accept-Encoding: ${coding}`, url];
    const child = spawn('wrk', [...args, String(sent % keys.length)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const found = /result (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output)?.slice(1).map(Number);
    const [requests = 0, errors = 0, micros = 0, p50 = 0, p99 = 0] = found ?? [];
    if (found === undefined || errors > 0) throw new Error(`${url}: ${output}`);
    sent += requests;
    return { requests, perSecond: (requests * 1e6) / micros, p50: p50 / 1_000, p99: p99 / 1_000 };
  };
}

const wrkScript = (keysFile: string) => `
local keys = {}
for key in io.lines('${keysFile}') do keys[#keys + 1] = key end
local turn = 0
init = function(args) turn = tonumber(args[1]) end
request = function()
  turn = turn % #keys + 1
  wrk.headers['X-Api-Key'] = keys[turn]
  return wrk.format('GET')
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('result %d %d %d %d %d\\n', summary.requests, e.connect + e.read + e.write + e.status + e.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
`;
