/** Faults in API keys: their form, their changes, and what a process believes of them. */
import type { Fault } from './fault.ts';

const FORM = 'src/domain/api-key.ts';
const RING = 'src/store/key-ring.ts';
const READS = 'src/store/key-reads.ts';
const KEYS = 'src/store/keys.ts';
const RINGS = ['src/store/key-ring.test.ts'];
const CHANGES = ['src/store/keys.test.ts'];

export const KEY_FAULTS: readonly Fault[] = [
  {
    name: 'key-checksum-unchecked',
    harm: 'made-up keys have the database asked, each of them',
    file: FORM,
    from: 'return told === crc32(',
    to: 'return told !== -crc32(',
    tests: ['src/domain/api-key.test.ts', ...RINGS],
  },
  {
    name: 'key-trusted-without-a-look',
    harm: 'while the database is away a revoked key is good for ever',
    file: RING,
    from: '<= CURRENT_MS;',
    to: '<= 1_000_000;',
    tests: RINGS,
  },
  {
    name: 'key-look-dated-by-its-end',
    harm: 'a key revoked during a slow look is good for longer than a second',
    file: RING,
    from: 'this.#asOf = begunAt;',
    to: 'this.#asOf = clock();',
    tests: RINGS,
  },
  {
    name: 'key-changes-not-polled',
    harm: 'after each quiet second the next request with a key waits for the database',
    file: RING,
    from: 'this.#poll = setInterval(look, POLL_MS);',
    to: '',
    tests: RINGS,
  },
  {
    name: 'each-unknown-key-looks',
    harm: 'a flood of well-formed keys that nobody made keeps the database busy',
    file: 'src/store/shared-look.ts',
    from: 'const PAUSE_MS = 75;',
    to: 'const PAUSE_MS = 0;',
    tests: RINGS,
  },
  {
    name: 'revoked-key-held',
    harm: 'a revoked key is good until the process ends',
    file: RING,
    from: 'for (const id of ids) this.#held.forget(id);',
    to: '',
    tests: RINGS,
  },
  {
    name: 'revoked-key-read-at-start',
    harm: 'a revoked key is good again after the next start',
    file: READS,
    from: 'where id > $1 and revoked_at is null',
    to: 'where id > $1',
    tests: RINGS,
  },
  {
    name: 'expired-secret-good',
    harm: 'the old text of a rotated key is good for ever',
    file: RING,
    from: '< secret.until ? secret.key : null;',
    to: '< secret.until ? secret.key : secret.key;',
    tests: RINGS,
  },
  {
    name: 'second-rotation-prolongs',
    harm: 'a text that was to end today is good for another month',
    file: KEYS,
    from: `least(expires_at, \${NOW} +`,
    to: `greatest(expires_at, \${NOW} +`,
    tests: CHANGES,
  },
  {
    name: 'key-changes-out-of-order',
    harm: 'a process that saw a later change never hears of an earlier one',
    file: KEYS,
    from: 'await sql`lock table key_changes in share row exclusive mode`.execute(tx);',
    to: '',
    tests: CHANGES,
  },
  {
    name: 'quota-outlives-its-plan',
    harm: 'who goes from dedicat to starter keeps the quota that was agreed for dedicat',
    file: KEYS,
    from: 'quota: change.quota ?? null }',
    to: '...(change.quota !== undefined && { quota: change.quota }) }',
    tests: CHANGES,
  },
];
