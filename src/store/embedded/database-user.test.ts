import assert from 'node:assert/strict';
import { chownSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { databaseUser, giveTo, NOBODY } from './database-user.ts';

const ALL_IDS = '         0          0 4294967295\n';

test('each folder has a user of its own, always the same, that no system gives out', () => {
  const names = ['000000000000', '2cd025411bc9', 'ffffffffffff', '00000000ffff'];
  const users = names.map((name) => databaseUser(`/var/lib/pompa/${name}`, ALL_IDS));
  assert.equal(new Set(users.map(({ uid }) => uid)).size, names.length);
  for (const { uid, gid } of users) {
    assert.ok(uid >= 2_010_000_000 && uid < 2_110_000_000);
    assert.equal(uid, gid);
  }
  assert.deepEqual(databaseUser('/elsewhere/2cd025411bc9', null), users[1]);
});

test('it is nobody in a container that has only the usual ids', () => {
  assert.equal(databaseUser('/var/lib/pompa/2cd025411bc9', '0 1000 1\n1 100000 65536\n'), NOBODY);
});

if (process.getuid?.() === 0) {
  test('a folder is given away whole, without following links, and never with what belongs to others', (t) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-give-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [home, outside] = [path.join(folder, 'home'), path.join(folder, 'outside')];
    mkdirSync(path.join(home, 'data/base'), { recursive: true });
    writeFileSync(outside, '');
    for (const file of ['password', 'data/base/1']) writeFileSync(path.join(home, file), '', { mode: 0o640 });
    chownSync(path.join(home, 'data/base/1'), NOBODY.uid, NOBODY.gid);
    symlinkSync(outside, path.join(home, 'data/link'));
    const user = { uid: 2_010_000_001, gid: 2_010_000_001 };
    giveTo(home, user);
    for (const entry of ['', 'password', 'data', 'data/base', 'data/base/1'])
      assert.equal(statSync(path.join(home, entry)).uid, user.uid);
    assert.equal(statSync(outside).uid, 0);
    assert.equal(statSync(path.join(home, 'password')).mode & 0o777, 0o600);
    linkSync(outside, path.join(home, 'data/hard'));
    assert.throws(() => giveTo(home, user), /data\/hard belongs to user 0 or has another name/);
    assert.equal(statSync(outside).uid, 0);
    rmSync(path.join(home, 'data/hard'));
    writeFileSync(path.join(home, 'data/foreign'), '');
    chownSync(path.join(home, 'data/foreign'), 1_000, 1_000);
    assert.throws(() => giveTo(home, user), /data\/foreign belongs to user 1000/);
  });
}
