import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { emptyDatabase } from '../../test/support/database/test-database.ts';
import { assertRefused, type CommandOutput, runCommand } from '../../test/support/run-command.ts';
import { CommandError, UsageError } from '../app/command.ts';
import { isWellFormedKey } from '../domain/access/api-key.ts';
import { keysCommand } from './keys.ts';

let made: Awaited<ReturnType<typeof emptyDatabase>>;
before(async () => {
  made = await emptyDatabase();
});
after(() => made.drop());

const keys = (line: string): Promise<CommandOutput> => runCommand(keysCommand, line, { DATABASE_URL: made.url });

/** The one object that a call with --json prints. */
async function object(line: string): Promise<Record<string, unknown>> {
  const { out } = await keys(`${line} --json`);
  assert.equal(out.length, 1);
  return JSON.parse(out[0] as string) as Record<string, unknown>;
}

const refused = (line: string, kind: typeof CommandError | typeof UsageError, message: RegExp) =>
  assertRefused(keys(line), kind, message);

describe('pompa keys', () => {
  test('creates, changes, rotates, revokes and deletes a key with --json', async () => {
    const one = await object('create --plan pro --email ana@example.org --subscription sub_1');
    assert.deepEqual(Object.keys(one), ['id', 'key', 'plan', 'quota']);
    assert.ok(isWellFormedKey(one.key as string));
    assert.deepEqual([one.plan, one.quota], ['pro', 100_000]);
    const { id } = one;
    const listed = await object('list');
    assert.deepEqual(
      { ...listed, created: typeof listed.created },
      {
        id,
        last4: (one.key as string).slice(-4),
        plan: 'pro',
        quota: 100_000,
        email: 'ana@example.org',
        subscription: 'sub_1',
        created: 'string',
        last_used: null,
        revoked: null,
      },
    );
    assert.deepEqual((await object(`set ${id} --plan dedicat --quota 5`)).quota, 5);
    assert.deepEqual((await object(`set ${id} --plan starter`)).quota, 10_000);
    const rotated = await object(`rotate ${id} --overlap 0h`);
    assert.deepEqual([rotated.id, rotated.plan, rotated.quota], [id, 'starter', 10_000]);
    assert.notEqual(rotated.key, one.key);
    assert.match(String((await object(`revoke ${id}`)).revoked), /^20\d\d-.*\+00:00$/);
    assert.deepEqual(Object.keys(await object('list')).at(-1), 'revoked');
    assert.deepEqual(await object(`delete ${id}`), { id, deleted: true });
    assert.deepEqual((await keys('list')).out, ['no keys yet']);
  });

  test('shows a person a key once, on its own line, and says so', async () => {
    const { code, out, err } = await keys('create --plan dedicat --quota 7');
    const [about, key = '', once] = out;
    const id = Number(/^key (\d+), plan dedicat, 7 requests a month:$/.exec(about ?? '')?.[1]);
    assert.ok(isWellFormedKey(key));
    assert.match(once ?? '', /will not be shown again/);
    assert.deepEqual([code, out.length, err], [0, 3, []]);
    const all = [await keys('list'), await keys(`set ${id} --quota 8`), await keys(`revoke ${id}`), await keys('list')];
    const printed = all.flatMap(({ out }) => out).join('\n');
    assert.ok(!printed.includes(key.slice(11, -4)) && printed.includes(`…${key.slice(-4)}`));
    assert.match(printed, /dedicat, 8 requests a month, made .*, never used, REVOKED 20/);
  });

  test('prints after a rotation until when the old key is valid', async () => {
    const { id } = await object('create --plan starter');
    assert.match((await keys(`rotate ${id}`)).out[3] as string, /^The old key is valid until 20.*\+00:00\.$/);
    assert.equal((await keys(`rotate ${id} --overlap 0h`)).out[3], 'The old key is revoked.');
  });

  test('refuses invalid arguments with the valid ones, before doing anything', async () => {
    const calls: [words: string, advice: RegExp][] = [
      ['create', /^--plan must be given: one of starter, pro, business, dedicat$/],
      ['create --plan gold', /^--plan must be one of starter, pro, business, dedicat, not "gold"$/],
      ['create --plan dedicat', /^--quota must be given for the plan dedicat/],
      [
        'create --plan pro --quota -1',
        /^--quota must be a whole number from 0 to 2000000000, such as 250000, not "-1"$/,
      ],
      ['create --plan pro --quota 1e3', /^--quota must be a whole number from 0 to 2000000000, such as 250000, not/],
      ['create --plan pro --email ana', /^--email must be an e-mail address, such as/],
      ['create --plan pro --email ana\u001b[31m@example.org', /^--email must be an e-mail address, such as/],
      ['create --plan pro --email ana\u3164@example.org', /^--email must be an e-mail address, such as/],
      ['create --plan pro --overlap 1h', /^keys create has no --overlap; usage: pompa keys create --plan P/],
      ['set 1', /^keys set needs --plan, --quota or both$/],
      ['set 1 --plan dedicat', /^--quota must be given for the plan dedicat/],
      ['set --quota 5', /^usage: pompa keys set ID/],
      ['rotate 1 --overlap soon', /^--overlap must be a duration from 0h to 90d, such as 24h, not "soon"$/],
      ['rotate 1 --overlap 91d', /^--overlap must be a duration/],
      ['lits', /^keys takes create, list, show, set, revoke, rotate, delete, not "lits"$/],
    ];
    for (const [words, advice] of calls) await refused(words, UsageError, advice);
    await assert.rejects(keys('revoke pompa_live_secret'), (error: Error) => !error.message.includes('secret'));
  });

  test('names an unknown or revoked key by its number', async () => {
    for (const words of ['set 999 --quota 1', 'rotate 999', 'revoke 999', 'delete 999', 'revoke 99999999999']) {
      await refused(words, CommandError, /^there is no key 9+; keys list shows all keys$/);
    }
    const { id } = await object('create --plan starter');
    await keys(`revoke ${id}`);
    for (const words of [`set ${id} --quota 1`, `rotate ${id}`]) {
      await refused(words, CommandError, new RegExp(`^key ${id} is revoked, which is permanent`));
    }
    assert.equal((await keys(`revoke ${id}`)).code, 0);
  });
});
