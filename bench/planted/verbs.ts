/** Faults on the command line and in the simulated country. */
import type { Fault } from './fault.ts';

const CLI = ['test/cli.test.ts'];

export const VERB_FAULTS: readonly Fault[] = [
  {
    name: 'failure-ends-with-0',
    harm: 'cron and systemd take a failed collection for a good one',
    file: 'src/main.ts',
    from: 'console.error(error);\n  return 1;',
    to: 'console.error(error);\n  return 0;',
    tests: CLI,
  },
  {
    name: 'set-aside-ends-with-0',
    harm: 'a collection of which nothing came ends as if it were done',
    file: 'src/verbs/collect.ts',
    from: 'if (failed.length > 0) throw',
    to: 'if (failed.length > 99) throw',
    tests: CLI,
  },
  {
    name: 'usage-ends-with-1',
    harm: 'a script cannot tell its own mistake from an outage',
    file: 'src/main.ts',
    from: 'if (error instanceof UsageError) return 2;',
    to: '',
    tests: CLI,
  },
  {
    name: 'pipe-closed-is-a-failure',
    harm: '`pompa runs | head` ends with a stack trace',
    file: 'src/main.ts',
    from: "if (error.code !== 'EPIPE') throw error;",
    to: 'throw error;',
    tests: CLI,
  },
  {
    name: 'collect-without-contact',
    harm: '`pompa collect register` asks the real register without a contact',
    file: 'src/verbs/collect.ts',
    from: 'requireContact(config, sources);',
    to: 'void requireContact;',
    tests: CLI,
  },
  {
    name: 'run-of-the-future',
    harm: 'a mistyped --at makes prices fresh until next year',
    file: 'src/verbs/collect.ts',
    from: 'if (at > Date.now() + TOLERATED_AHEAD_MS) throw',
    to: 'if (at > Date.now() + 1e3 * TOLERATED_AHEAD_MS) throw',
    tests: CLI,
  },
  {
    name: 'simulated-address-unmarked',
    harm: 'made-up stations are taken for real ones',
    file: 'src/demo/labels.ts',
    from: "export const MARK = '[simulat]';",
    to: "export const MARK = '';",
    tests: ['src/demo/country.test.ts', 'src/demo/register-answers.test.ts', 'src/demo/manual-stations.test.ts'],
  },
  {
    name: 'simulated-register-uncapped',
    harm: 'the simulation hides what a capped register does to us',
    file: 'src/demo/register-answers.ts',
    from: 'return records.slice(0, CAP);',
    to: 'return records;',
    also: [{ file: 'src/demo/register-answers.ts', from: 'if (records.length >= CAP) break;', to: '' }],
    tests: ['src/demo/register-answers.test.ts'],
  },
  {
    name: 'simulated-history-of-orphans',
    harm: 'simulated histories show prices that no rule would serve',
    file: 'src/demo/history.ts',
    from: 'const ORPHAN_DAYS = 30;',
    to: 'const ORPHAN_DAYS = 31;',
    tests: ['src/demo/history.test.ts'],
  },
];
