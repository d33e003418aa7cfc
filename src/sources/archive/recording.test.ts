import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { NoResponse, type ReceivedResponse } from '../../clients/http/response.ts';
import { type Fetch, SourceFailed } from '../source.ts';
import { archiveFolder, archivePath, listArchives, readArchive } from './archive.ts';
import { openRecorder } from './recorder.ts';
import { type ArchivedAnswer, recordFetch, replayFetch } from './recording.ts';

const RUN = Date.parse('2026-11-20T08:00:00Z');
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pompa-recording-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('recording and replaying', () => {
  test('the archive is for its owner alone, even in a folder that others can read', async () => {
    await chmod(dataDir, 0o755);
    const recorder = await openRecorder(dataDir, 'register');
    await recorder.discard();
    for (const folder of [join(dataDir, 'archive'), archiveFolder(dataDir, 'register')])
      assert.equal((await stat(folder)).mode & 0o777, 0o700, folder);
  });

  test('every answer is replayed byte for byte, even if it is not text', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    const live: Fetch = async (target) =>
      target === 'binary'
        ? { status: 200, contentType: 'application/octet-stream', body: bytes }
        : answer('\u{feff}{"updatedate":"11/06/2026 00:19 ", "ș":"\u2028"}\r\n', 500);
    const replay = await recordAndReplay(live, ['text', 'binary']);

    assert.deepEqual(await replay.fetch('text'), await live('text'));
    assert.deepEqual((await replay.fetch('binary')).body, bytes);
  });

  test('a target requested twice gets its answers in the order of the recording, whatever is requested in between', async () => {
    let asked = 0;
    const live: Fetch = async (target) => {
      asked += 1;
      return answer(`${target}${asked}`);
    };
    const replay = await recordAndReplay(live, ['a', 'b', 'a', 'c']);

    assert.equal(text(await replay.fetch('c')), 'c4');
    assert.equal(text(await replay.fetch('a')), 'a1');
    assert.equal(text(await replay.fetch('a')), 'a3');
    assert.equal(text(await replay.fetch('b')), 'b2');
    await assert.rejects(replay.fetch('a'), /the archive holds no answer to a/);
  });

  test('concurrent requests each get their own answer', async () => {
    const targets = Array.from({ length: 200 }, (_, i) => `unit-${i}`);
    const replay = await recordAndReplay(async (target) => answer(target.repeat(500)), targets);
    const answers = await Promise.all(targets.toReversed().map((target) => replay.fetch(target)));
    assert.deepEqual(
      answers.map((one) => text(one).length),
      targets.toReversed().map((target) => target.length * 500),
    );
  });

  test('a missing answer is replayed as such, with its message', async () => {
    const replay = await recordAndReplay(async () => {
      throw new NoResponse('no answer from register: it answered 503');
    }, ['x']);
    await assert.rejects(
      replay.fetch('x'),
      (error) => error instanceof NoResponse && /it answered 503/.test(error.message),
    );
  });

  test('any other error is a bug: it is passed on and not recorded', async () => {
    const recorder = await openRecorder(dataDir, 'register');
    const fetch = recordFetch(() => Promise.reject(new TypeError('bug')), recorder);
    await assert.rejects(fetch('x'), TypeError);
    await recorder.finish(RUN);
    assert.deepEqual(await all(await readArchive(dataDir, 'register', RUN)), []);
  });
});

describe('the archive', () => {
  test('gets its final name only when the run is complete', async () => {
    const recorder = await openRecorder(dataDir, 'register');
    await recorder.write({ target: 'x', accept: null, failed: 'y' });
    assert.deepEqual(await listArchives(dataDir, 'register'), []);
    const path = await recorder.finish(RUN);
    assert.equal(path, join(dataDir, 'archive', 'register', '20261120T080000Z.ndjson.zst'));
    assert.deepEqual(await listArchives(dataDir, 'register'), [RUN]);
    assert.deepEqual(await readdir(archiveFolder(dataDir, 'register')), ['20261120T080000Z.ndjson.zst']);
  });

  test('a discarded run leaves nothing, and its late answers are dropped', async () => {
    const recorder = await openRecorder(dataDir, 'register');
    await recorder.write({ target: 'x', accept: null, failed: 'y' });
    await recorder.discard();
    await recorder.write({ target: 'late', accept: null, failed: 'y' });
    assert.deepEqual(await readdir(archiveFolder(dataDir, 'register')), []);
  });

  test('a recorder that cannot write rejects', async () => {
    const recorder = await openRecorder(dataDir, 'register');
    await rm(dataDir, { recursive: true });
    await assert.rejects(recorder.finish(RUN));
  });

  test('the error for a missing run names its time and its neighbours', async () => {
    for (const hours of [-5, -2, 2, 9]) await record(RUN + hours * 3_600_000);
    await assert.rejects(readArchive(dataDir, 'register', RUN), (error: Error) => {
      assert.ok(error instanceof SourceFailed);
      assert.equal(
        error.message,
        'no archived run of register at 2026-11-20T08:00:00+00:00; the nearest are 2026-11-20T06:00:00+00:00 and 2026-11-20T10:00:00+00:00',
      );
      return true;
    });
    await assert.rejects(readArchive(dataDir, 'manual', RUN), /no run is archived/);
  });

  test('runs are distinguished to the millisecond, and source names cannot leave the folder', async () => {
    await record(RUN + 7);
    assert.deepEqual(await listArchives(dataDir, 'register'), [RUN + 7]);
    assert.equal(archivePath('/d', '../prices:A/B', RUN).startsWith('/d/archive/%2E%2E%2Fprices%3AA%2FB/'), true);
  });

  test('a damaged archive is a failed source, not a shorter run', async () => {
    const path = await record(RUN, 3000);
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, whole.length - 200));
    await assert.rejects(readArchive(dataDir, 'register', RUN).then(all), (error: Error) => {
      assert.ok(error instanceof SourceFailed, `${error}`);
      return /is damaged/.test(error.message);
    });
  });

  test('an archive that ends in the middle of a record is damaged too, even if it unpacks', async () => {
    const path = await record(RUN);
    await writeFile(path, zstdCompressSync('{"target":"x","accept":null,"failed":"y"}\n{"target":"y",'));
    await assert.rejects(
      readArchive(dataDir, 'register', RUN).then(all),
      /is damaged: it ends in the middle of a record/,
    );
  });
});

async function recordAndReplay(live: Fetch, targets: readonly string[]) {
  const recorder = await openRecorder(dataDir, 'register');
  const fetch = recordFetch(live, recorder);
  for (const target of targets) await fetch(target).catch(() => undefined);
  await recorder.finish(RUN);
  return replayFetch(await readArchive(dataDir, 'register', RUN));
}

async function record(instant: number, lines = 1): Promise<string> {
  const recorder = await openRecorder(dataDir, 'register');
  for (let i = 0; i < lines; i += 1) {
    await recorder.write({ target: `t${i}`, accept: null, failed: `${Math.sin(i)}` });
  }
  return recorder.finish(instant);
}

async function all(records: AsyncIterable<ArchivedAnswer>): Promise<ArchivedAnswer[]> {
  return Array.fromAsync(records);
}

function answer(body: string, status = 200): ReceivedResponse {
  return { status, contentType: 'application/json', body: Buffer.from(body) };
}

function text(one: ReceivedResponse): string {
  return one.body.toString();
}
