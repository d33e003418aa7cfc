/** The workflow of GitHub runs what `.ci/run` does, where its tests can install what they need. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './project-files.ts';

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };

const { jobs } = parse(readFileSync(path.join(ROOT, '.github/workflows/ci.yml'), 'utf8'));
const steps: Step[] = jobs.test.steps;

test('the workflow runs .ci/run, and nothing else tests', () => {
  const commands = steps.flatMap(({ run }) => run ?? []);
  assert.equal(commands.at(-1), '.ci/run');
  assert.deepEqual(
    commands.filter((command) => /npm|scripts\//.test(command)),
    [],
  );
});

test('it runs as root on Debian 12, with the rights to mount', () => {
  const { image, options } = jobs.test.container;
  assert.equal(image, 'debian:12');
  assert.match(options, /--privileged/);
  assert.doesNotMatch(options, /--user/);
});

test('its clone has the whole history, and git before it is made', () => {
  const checkout = steps.findIndex(({ uses }) => uses?.startsWith('actions/checkout@'));
  assert.equal(steps[checkout]?.with?.['fetch-depth'], 0);
  assert.match(steps[checkout - 1]?.run ?? '', /apt-get install .*\bgit\b/);
});
