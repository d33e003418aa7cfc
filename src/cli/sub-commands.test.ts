import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandCall, parseCommandLine, UsageError } from '../app/command.ts';
import { commandWithSubCommands } from './sub-commands.ts';

const called: [part: string, call: CommandCall][] = [];
const part = (name: string, argCount: number, flags: Record<string, { type: 'string' | 'boolean' }>) => ({
  usage: 'WORDS [--flags]',
  flags,
  argCount,
  run: async (call: CommandCall) => {
    called.push([name, call]);
    return 0;
  },
});
const command = commandWithSubCommands('band', 'It plays.', {
  play: part('play', 1, { loud: { type: 'boolean' }, times: { type: 'string' } }),
  stop: part('stop', 0, {}),
});

async function call(...args: string[]): Promise<number> {
  return command.run({ ...parseCommandLine(command, args) } as CommandCall);
}

test('each sub-command gets its own arguments and flags', async () => {
  assert.equal(await call('play', '--times', '3', 'song', '--json'), 0);
  assert.equal(await call('--json', 'stop'), 0);
  const [[first, play], [second, stop]] = called.splice(0) as [(typeof called)[0], (typeof called)[0]];
  assert.deepEqual([first, [...play.args], { ...play.flags }], ['play', ['song'], { times: '3', json: true }]);
  assert.deepEqual([second, [...stop.args], { ...stop.flags }], ['stop', [], { json: true }]);
});

test('a flag of another sub-command, an unknown sub-command and a wrong number of arguments are refused with the usage', async () => {
  for (const [args, advice] of [
    [['stop', '--loud'], /^band stop has no --loud; usage: pompa band stop WORDS/],
    [['stop', '--quiet'], /^band has no --quiet; usage: pompa band play\|stop …$/],
    [['stop', '-1'], /^band has no -1; usage: /],
    [['play', 'song', '--times'], /^--times needs a value; usage: /],
    [['play', 'song', '--loud=9'], /^--loud takes no value; usage: /],
    [['pause'], /^band takes play, stop, not "pause"$/],
    [['constructor'], /^band takes play, stop, not "constructor"$/],
    [['play'], /^usage: pompa band play WORDS/],
    [['stop', 'now'], /^usage: pompa band stop WORDS/],
    [[], /^usage: pompa band play\|stop …$/],
  ] as const) {
    const refused = async () => call(...args);
    await assert.rejects(refused, (error: Error) => error instanceof UsageError && advice.test(error.message));
  }
  assert.deepEqual(called, []);
});

test('a sub-command validates the values of its flags, also a value that begins with a dash', async () => {
  for (const times of ['-1', '--json']) {
    assert.equal(await call('play', 'song', '--times', times), 0);
    assert.deepEqual({ ...called.pop()?.[1].flags }, { times });
  }
});

test('--help shows the usage of each sub-command', () => {
  assert.match(command.details, /^band play WORDS \[--flags\]\nband stop WORDS \[--flags\]\n\nIt plays\.$/);
});
