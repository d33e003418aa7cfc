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
const verb = commandWithSubCommands('band', 'It plays.', {
  play: part('play', 1, { loud: { type: 'boolean' }, times: { type: 'string' } }),
  stop: part('stop', 0, {}),
});

async function call(...args: string[]): Promise<number> {
  return verb.run({ ...parseCommandLine(verb, args) } as CommandCall);
}

test('each part gets its own words and flags', async () => {
  assert.equal(await call('play', '--times', '3', 'song', '--json'), 0);
  assert.equal(await call('--json', 'stop'), 0);
  const [[first, play], [second, stop]] = called.splice(0) as [(typeof called)[0], (typeof called)[0]];
  assert.deepEqual([first, [...play.args], { ...play.flags }], ['play', ['song'], { times: '3', json: true }]);
  assert.deepEqual([second, [...stop.args], { ...stop.flags }], ['stop', [], { json: true }]);
});

test('a flag of another part, an unknown part, and words too few or too many are refused with what would be right', async () => {
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

test('what a flag is given is for the part to judge, also where it begins with a dash', async () => {
  for (const times of ['-1', '--json']) {
    assert.equal(await call('play', 'song', '--times', times), 0);
    assert.deepEqual({ ...called.pop()?.[1].flags }, { times });
  }
});

test('--help tells the usage of each part', () => {
  assert.match(verb.details, /^band play WORDS \[--flags\]\nband stop WORDS \[--flags\]\n\nIt plays\.$/);
});
