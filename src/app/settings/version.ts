import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_DIR } from '../../config/config.ts';

/** The version of this program, from package.json. */
export function version(): string {
  return (JSON.parse(readFileSync(path.join(PROJECT_DIR, 'package.json'), 'utf8')) as { version: string }).version;
}
