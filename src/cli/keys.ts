/** `pompa keys`: what the operator does with keys. The text of a key is shown when it is made, and never again. */

import { type Call, Failure, UsageError } from '../app/command.ts';
import { withStore } from '../app/wiring.ts';
import { BadValue, durationBetween, oneOf, whole } from '../config/parse.ts';
import { PLANS, type Plan } from '../domain/access/plans.ts';
import {
  createKey,
  deleteKey,
  type KeyRecord,
  listKeys,
  type MadeKey,
  type NotChanged,
  revokeKey,
  rotateKey,
  setKey,
} from '../store/keys/keys.ts';
import { showKey, tellKey } from './reports/key-report.ts';
import { type SubVerb, verbOf } from './sub-commands.ts';

const OVERLAP = '24h';
const MOST_OVERLAP_MS = 90 * 86_400_000;
const MOST_REQUESTS = 2_000_000_000;
/** Ids are 32 bits in the database. */
const HIGHEST_ID = 2 ** 31 - 1;

const create: SubVerb = {
  usage: '--plan P [--quota N] [--email E] [--subscription ID] [--json]',
  flags: {
    plan: { type: 'string' },
    quota: { type: 'string' },
    email: { type: 'string' },
    subscription: { type: 'string' },
  },
  words: 0,
  async run(call) {
    const plan = flag(call, 'plan', planCode);
    if (plan === undefined) throw new UsageError(`--plan must be given: one of ${PLAN_CODES.join(', ')}`);
    const quota = flag(call, 'quota', requests);
    needsQuota(plan, quota);
    const email = flag(call, 'email', emailAddress) ?? null;
    const subscription = flag(call, 'subscription', subscriptionId) ?? null;
    const wanted = { plan, quota: quota ?? null, email, subscription };
    showKey(call, await withStore(call, (database) => createKey(database, wanted)));
    return 0;
  },
};

const list: SubVerb = {
  usage: '[--json]',
  flags: {},
  words: 0,
  async run(call) {
    const all = await withStore(call, ({ kysely }) => listKeys(kysely));
    for (const record of all) tellKey(call, record);
    if (all.length === 0 && !call.flags.json) call.terminal.out('no key yet');
    return 0;
  },
};

const set: SubVerb = {
  usage: 'ID [--plan P] [--quota N] [--json]',
  flags: { plan: { type: 'string' }, quota: { type: 'string' } },
  words: 1,
  async run(call) {
    const id = idOf(call);
    const plan = flag(call, 'plan', planCode);
    const quota = flag(call, 'quota', requests);
    if (plan === undefined && quota === undefined) throw new UsageError('keys set needs --plan, --quota or both');
    needsQuota(plan, quota);
    const change = { ...(plan === undefined ? {} : { plan }), ...(quota === undefined ? {} : { quota }) };
    tellKey(call, changed(id, await withStore(call, (database) => setKey(database, id, change))));
    return 0;
  },
};

const revoke: SubVerb = {
  usage: 'ID [--json]',
  flags: {},
  words: 1,
  async run(call) {
    const id = idOf(call);
    tellKey(call, changed(id, await withStore(call, (database) => revokeKey(database, id))));
    return 0;
  },
};

const rotate: SubVerb = {
  usage: `ID [--overlap ${OVERLAP}] [--json]`,
  flags: { overlap: { type: 'string' } },
  words: 1,
  async run(call) {
    const id = idOf(call);
    const overlapMs = flag(call, 'overlap', overlap) ?? overlap(OVERLAP);
    showKey(call, changed(id, await withStore(call, (database) => rotateKey(database, id, overlapMs))), overlapMs);
    return 0;
  },
};

const remove: SubVerb = {
  usage: 'ID [--json]',
  flags: {},
  words: 1,
  async run(call) {
    const id = idOf(call);
    if (!(await withStore(call, (database) => deleteKey(database, id)))) throw new Failure(WHY_NOT.unknown(id));
    call.terminal.out(
      call.flags.json ? JSON.stringify({ id, deleted: true }) : `key ${id} is deleted, with its counters`,
    );
    return 0;
  },
};

export const keysVerb = verbOf(
  'keys',
  `  --plan P            ${PLANS.map(({ code }) => code).join(', ')}
  --quota N           requests a month, instead of the plan's; required for dedicat
  --email E           whose key it is
  --subscription ID   the subscription it is tied to
  --overlap TIME      how long the key until now is still good (${OVERLAP}); 0h = it dies at once`,
  { create, list, set, revoke, rotate, delete: remove },
);

const PLAN_CODES = PLANS.map(({ code }) => code);
const planCode = oneOf(PLAN_CODES);
const requests = whole(0, MOST_REQUESTS, 250_000);
const overlap = durationBetween(0, MOST_OVERLAP_MS, 'from 0h to 90d, such as 24h');

function emailAddress(text: string): string {
  if (/^[^\s\p{C}@<>()]+@[^\s\p{C}@<>()]+\.[^\s\p{C}@<>()]+$/u.test(text) && text.length <= 254) return text;
  throw new BadValue('must be an e-mail address, such as ana@example.org');
}

function subscriptionId(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw new BadValue('must be at most 200 letters, digits and signs without spaces, such as sub_1QxYz');
}

/** The value of a flag, `undefined` where it is not given. */
function flag<T>({ flags }: Call, name: string, parse: (text: string) => T): T | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  try {
    return parse(String(given));
  } catch (error) {
    if (error instanceof BadValue) throw new UsageError(`--${name} ${error.message}, not "${given}"`);
    throw error;
  }
}

function needsQuota(plan: Plan['code'] | undefined, quota: number | undefined): void {
  if (plan === 'dedicat' && quota === undefined) {
    throw new UsageError('--quota must be given for the plan dedicat: requests a month, as agreed');
  }
}

function idOf({ words }: Call): number {
  const [word = ''] = words;
  // What stands there instead may be a key: it is not repeated.
  if (!/^\d{1,15}$/.test(word)) throw new UsageError('ID must be the number of a key, as keys list shows it');
  if (Number(word) > HIGHEST_ID) throw new Failure(WHY_NOT.unknown(Number(word)));
  return Number(word);
}

const WHY_NOT = {
  unknown: (id: number) => `there is no key ${id}; keys list shows those there are`,
  revoked: (id: number) => `key ${id} is revoked, which is for good: make another one with keys create`,
} as const;

function changed<T extends KeyRecord | MadeKey>(id: number, result: T | NotChanged): T {
  if (typeof result === 'string') throw new Failure(WHY_NOT[result](id));
  return result;
}
