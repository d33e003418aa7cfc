import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseSync } from 'oxc-parser';
import { withoutComments } from './strip-comments.ts';

const FOLDERS = ['../browser', '../embed-code', '../service-worker'].map((folder) =>
  path.join(import.meta.dirname, folder),
);

/** The syntax tree of a module, without the places of its nodes. */
function treeOf(code: string): string {
  const { program, errors } = parseSync('module.js', code);
  assert.deepEqual(errors, []);
  return JSON.stringify(program, (key, value) => (['start', 'end', 'loc', 'range'].includes(key) ? undefined : value));
}

describe('a module without its comments', () => {
  for (const folder of FOLDERS)
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts')))
      it(`means the same as before: ${name}`, () => {
        const whole = stripTypeScriptTypes(readFileSync(path.join(folder, name), 'utf8'));
        const stripped = withoutComments(whole);
        assert.equal(treeOf(stripped), treeOf(whole));
        const left = stripped.split('\n').filter((line) => /^(\s|\/[*/])/.test(line));
        assert.deepEqual(left, []);
      });

  it('keeps texts that only contain what begins a comment', () => {
    assert.equal(withoutComments("/* one\n * two */\n  const a = '/* b */'; // c\n\n"), "const a = '/* b */'; // c\n");
  });
});
