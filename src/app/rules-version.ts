import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_DIR } from '../config/config.ts';

/** What decides which price is served: how sources are read, matched, judged and placed. */
const RULE_FILES = ['src/{domain,sources,snapshot,worker}/**/*.{ts,json}', 'geography/*.json'];

/** Twelve hex digits that name the state of the rules in this copy of the program. */
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
