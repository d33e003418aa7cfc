/** Faults in what is done about a database that says nothing any more. */
import type { Fault } from './fault.ts';

const PATIENCE = 'src/store/patience.ts';
const POOL = 'src/store/pool.ts';
const PATIENCE_TESTS = ['src/store/patience.test.ts'];
const HANG_TESTS = ['src/worker/hanging-database.test.ts'];

export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'silence-endured',
    harm: 'a collection waits for ever on a connection whose packets are dropped',
    file: PATIENCE,
    from: 'if (silent < LOOKS) return;',
    to: 'if (silent < LOOKS * 1e6) return;',
    tests: PATIENCE_TESTS,
  },
  {
    name: 'time-counted-for-silence',
    harm: 'a long reading is cut off though rows come all the time',
    file: PATIENCE,
    from: 'silent = moved() === heard ? silent + 1 : 0;',
    to: 'silent = moved() === heard ? silent + 1 : silent + 1;',
    tests: PATIENCE_TESTS,
  },
  {
    name: 'goodbye-for-ever',
    harm: 'a process that is told to end stays as long as the database is black-holed',
    file: PATIENCE,
    from: 'setTimeout(() => socket.destroy(), GOODBYE_MS)',
    to: 'setTimeout(() => socket.destroy(), GOODBYE_MS * 1e3)',
    tests: PATIENCE_TESTS,
  },
  {
    name: 'lost-connection-unnamed',
    harm: 'a collection that was cut off says that a client is not queryable, not why',
    file: PATIENCE,
    from: 'this.#lost ??= `',
    to: 'void `',
    tests: ['src/store/database.test.ts'],
  },
  {
    name: 'hung-question-keeps-its-connection',
    harm: 'after ten questions that hung no further one is asked',
    file: POOL,
    from: 'if (course.client instanceof PatientClient) course.client.giveUp(sentence);',
    to: '',
    tests: PATIENCE_TESTS,
  },
  {
    name: 'hung-transaction-keeps-its-connection',
    harm: 'a dozen subscriptions in a black hole keep a process away from its database for 20 seconds more',
    file: 'src/store/bounded-transaction.ts',
    from: 'if (course.client instanceof PatientClient) course.client.giveUp(sentence);',
    to: '',
    tests: ['test/contract/push.test.ts'],
  },
  {
    name: 'idle-connections-kept',
    harm: 'after a black hole one question after another hangs, each on another connection',
    file: POOL,
    from: "pool.on('connect', (client) => client.once('gave up', () => dropIdle(pool)));",
    to: 'void dropIdle;',
    tests: PATIENCE_TESTS,
  },
  {
    name: 'session-without-patience',
    harm: 'a start in a black hole takes 20 seconds to notice',
    file: POOL,
    from: 'await patiently(CONNECTED_WITHIN_MS, () =>',
    to: 'await patiently(CONNECTED_WITHIN_MS * 10, () =>',
    tests: PATIENCE_TESTS,
  },
  {
    name: 'listener-half-open',
    harm: 'after a black hole publications are not heard of, only found by the poll',
    file: 'src/store/listen.ts',
    from: "await patiently(HEARTBEAT_MS, () => client.query('select'));",
    to: '',
    tests: PATIENCE_TESTS,
  },
  {
    name: 'start-waits-for-migrations',
    harm: 'a start in a black hole hangs for an hour',
    file: 'src/store/migrations.ts',
    from: 'if (await nothingPending(database.pool, migrations)) return [];',
    to: 'await nothingPending(database.pool, migrations);',
    tests: PATIENCE_TESTS,
  },
  {
    name: 'reading-without-patience',
    harm: 'after a black hole a process serves old prices for 20 seconds',
    file: 'src/worker/follow.ts',
    from: 'await patiently(silentMs, () => readChanges(database, before, today));',
    to: 'await patiently(silentMs * 10, () => readChanges(database, before, today));',
    tests: HANG_TESTS,
  },
  {
    name: 'hung-publication-keeps-the-lease',
    harm: 'a publication that hangs keeps everybody from collecting for a minute',
    file: 'src/worker/collect.ts',
    from: 'const held = () => clearInterval(renewal);',
    to: 'const held = () => undefined;',
    tests: HANG_TESTS,
  },
];
