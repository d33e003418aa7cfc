/** A file for `replay --compare` that no replay wrote is refused in a clause, whatever is in it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BadReplayFile, readReplayFile } from './replay-file.ts';

const HEADER = `${JSON.stringify({ format: 'pompa-replay/1', from: '2026-11-20', to: '2026-11-20' })}\n`;
const DAY = '{"day":"2026-11-20","runs":1,"records":';

let file: string;
before(() => {
  file = path.join(mkdtempSync(path.join(os.tmpdir(), 'pompa-replay-')), 'a.ndjson');
});
after(() => rmSync(path.dirname(file), { recursive: true }));

async function refusal(content: string): Promise<string> {
  writeFileSync(file, content);
  return refusalOfFile();
}

async function refusalOfFile(): Promise<string> {
  try {
    const { days } = await readReplayFile(file);
    for await (const _ of days);
  } catch (error) {
    assert.ok(error instanceof BadReplayFile, String(error));
    assert.ok(error.message.length < 200, error.message);
    return error.message;
  }
  return 'accepted';
}

describe('a file for a comparison is refused', () => {
  test('with a line that is no object, too deep or too long', async () => {
    for (const line of ['null', '7', '"x"', '{', '[[[[[[[[[[[[]]]]]]]]]]]]']) {
      assert.match(
        await refusal(`${HEADER}${line}\n`),
        /^it is damaged: a line of it is not JSON of replay --out$/,
        line,
      );
    }
    assert.match(
      await refusal(`${HEADER}{"day":"${'x'.repeat(1_000_000)}`),
      /^it is damaged: a line is longer than 100000/,
    );
    assert.match(await refusal(`${HEADER}{"day":"${'x'.repeat(150_000)}"}\n`), /^it is damaged: /);
  });

  test('with more records than a day can have, or fewer than it says', async () => {
    assert.match(await refusal(`${HEADER}${DAY}1e300,"left_out":null}\n`), /^it has more than 200000 records a day$/);
    assert.match(await refusal(`${HEADER}${DAY}2,"left_out":null}\n`), /^it is truncated within 2026-11-20$/);
    assert.match(await refusal(`${HEADER}${DAY}"2"}\n`), /^it is cut off$/);
  });

  test('without a line end, however large', async () => {
    writeFileSync(file, '');
    truncateSync(file, 1e12);
    assert.match(await refusalOfFile(), /^it is damaged: a line is longer than 100000 characters$/);
  });

  test('unless it is whole', async () => {
    assert.equal(await refusal(`${HEADER}${DAY}0,"left_out":null}\n`), 'accepted');
  });
});
