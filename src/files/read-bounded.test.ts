import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { FileTooLarge, readBounded } from './read-bounded.ts';

const scratch = mkdtempSync(path.join(os.tmpdir(), 'pompa-bounded-'));
after(() => rmSync(scratch, { recursive: true }));
const file = path.join(scratch, 'file');

describe('a file that is read within a bound', () => {
  test('is read whole up to the bound, and refused beyond it', () => {
    const content = Buffer.alloc(200_001, 'ab');
    writeFileSync(file, content);
    assert.deepEqual(readBounded(file, 200_001), content);
    assert.throws(() => readBounded(file, 200_000), FileTooLarge);
    writeFileSync(file, '');
    assert.deepEqual(readBounded(file, 0), Buffer.alloc(0));
  });

  test('that has no end, or is larger than any memory, is refused', () => {
    assert.throws(() => readBounded('/dev/zero', 1_000_000), { message: '/dev/zero is larger than 1 MB' });
    writeFileSync(file, '');
    truncateSync(file, 1e12);
    assert.throws(() => readBounded(file, 1_000_000), FileTooLarge);
  });

  test('that cannot be read throws the system’s error', () => {
    assert.throws(() => readBounded(path.join(scratch, 'none'), 1), { code: 'ENOENT' });
    assert.throws(() => readBounded(scratch, 1), { code: 'EISDIR' });
  });
});
