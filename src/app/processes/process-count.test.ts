import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../command.ts';
import { drainingInMemory, processCount } from './process-count.ts';

const machine = { cores: 8, memoryBytes: 16e9 };

test('auto is one process per core, as far as the memory goes', () => {
  assert.equal(processCount('auto', machine), 8);
  assert.equal(processCount('auto', { ...machine, memoryBytes: 1.6e9 }), 4);
  assert.equal(processCount('auto', { ...machine, memoryBytes: 0.3e9 }), 1);
  assert.equal(processCount('auto', { cores: 256, memoryBytes: 1e12 }), 64);
  assert.ok(processCount('auto') >= 1, 'of this machine');
});

test('replaced processes may drain as far as the memory goes, one in any case', () => {
  assert.equal(drainingInMemory(8, machine), 8);
  assert.equal(drainingInMemory(4, { ...machine, memoryBytes: 2.1e9 }), 2);
  assert.equal(drainingInMemory(4, { ...machine, memoryBytes: 1.6e9 }), 1);
  assert.equal(drainingInMemory(4, { ...machine, memoryBytes: 0.3e9 }), 1);
});

test('a number is taken as it is, even if the machine is smaller', () => {
  assert.equal(processCount('1', machine), 1);
  assert.equal(processCount('64', machine), 64);
});

test('anything else is refused with what would be right', () => {
  for (const text of ['0', '65', '-1', '2.5', 'many', '', '1e1'])
    assert.throws(
      () => processCount(text, machine),
      (error) => {
        return (
          error instanceof UsageError &&
          error.message === `--processes must be auto or a number from 1 to 64, not "${text}"`
        );
      },
    );
});
