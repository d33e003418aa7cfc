import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and its parents, each for its owner alone; leaves existing ones unchanged. Throws the system's error
 * on failure: Node's own `recursive` never ends on file systems that refuse new names (`/proc`).
 */
export function makeDirectory(folder: string): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const each of missing) {
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no folder`);
}
