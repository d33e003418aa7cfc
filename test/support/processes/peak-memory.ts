/** The memory that a command took at its highest, as the kernel counts it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type PompaResult, runPompa } from './pompa-process.ts';

/** `VmHWM` of the process, not of the one that started it, is written when it exits. */
const RECORDER = `
  import { readFileSync, writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(process.env.PEAK_FILE, readFileSync('/proc/self/status')));
`;

/** Runs `bin/pompa` to its end; `peakMb` is `null` where there is no `/proc`. */
export async function runWithPeakMemory(
  folder: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<PompaResult & { readonly peakMb: number | null }> {
  const [recorder, peak] = [path.join(folder, 'recorder.mjs'), path.join(folder, 'peak')];
  writeFileSync(recorder, RECORDER);
  rmSync(peak, { force: true });
  const isLinux = process.platform === 'linux';
  const own = isLinux ? { NODE_OPTIONS: `--import=file://${recorder}`, PEAK_FILE: peak } : {};
  const result = await runPompa(folder, args, { ...settings, ...own });
  if (!isLinux) return { ...result, peakMb: null };
  const kilobytes = Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(peak, 'utf8'))?.[1]);
  return { ...result, peakMb: kilobytes / 1024 };
}
