import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_DIR } from '../config/config.ts';

/** The files that decide which price is served: they read, match, judge and place what sources report. */
const RULE_FILES = ['src/{domain,sources,snapshot,worker}/**/*.{ts,json}', 'geography/*.json'];

/** Twelve hexadecimal digits that identify the rules in this copy of the program. */
export function rulesVersion(): string {
  const hash = createHash('sha256');
  const names = globSync(RULE_FILES, { cwd: PROJECT_DIR }).map((name) => name.split(path.sep).join('/'));
  for (const name of names.filter((each) => !each.includes('.test.')).sort()) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(path.join(PROJECT_DIR, name)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 12);
}
