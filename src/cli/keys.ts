/** `pompa keys`: manages API keys. A key is shown when it is created, and never again. */

import { CommandError, UsageError } from '../app/command.ts';
import { withDatabase } from '../app/database/configured-database.ts';
import { BadValue, durationBetween, integerBetween, oneOf } from '../config/parse.ts';
import { PLANS, type SubscriptionPlan } from '../domain/access/plans.ts';
import { parseEmailAddress } from '../domain/mail/email-address.ts';
import { readCustomerOfKey } from '../store/billing/support.ts';
import type { Database } from '../store/connection/database.ts';
import { databaseTime } from '../store/connection/database-time.ts';
import {
  type CreatedKey,
  createKey,
  deleteKey,
  type KeyChangeRefusal,
  type KeyRecord,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from '../store/keys/keys.ts';
import { type IdWords, parseFlag, parseId, unknownId } from './arguments.ts';
import { deleteCommand } from './delete-for-good.ts';
import { printCustomer } from './reports/customer-report.ts';
import { printKey, printNewKey, printRotatedKey } from './reports/key-report.ts';
import { commandWithSubCommands, type SubCommand } from './sub-commands.ts';

const DEFAULT_OVERLAP = '24h';
const MAX_OVERLAP_MS = 90 * 86_400_000;
const MAX_QUOTA = 2_000_000_000;
const create: SubCommand = {
  usage: '--plan P [--quota N] [--email E] [--subscription ID] [--json]',
  flags: {
    plan: { type: 'string' },
    quota: { type: 'string' },
    email: { type: 'string' },
    subscription: { type: 'string' },
  },
  argCount: 0,
  async run(call) {
    const plan = parseFlag(call, 'plan', parsePlanCode);
    if (plan === undefined) throw new UsageError(`--plan must be given: one of ${PLAN_CODES.join(', ')}`);
    const quota = parseFlag(call, 'quota', parseQuota);
    requireQuota(plan, quota);
    const email = parseFlag(call, 'email', parseEmail) ?? null;
    const subscription = parseFlag(call, 'subscription', parseSubscriptionId) ?? null;
    const wanted = { plan, quota: quota ?? null, email, subscription };
    printNewKey(call, await withDatabase(call, (database) => createKey(database, wanted)));
    return 0;
  },
};

const list: SubCommand = {
  usage: '[--json]',
  flags: {},
  argCount: 0,
  async run(call) {
    const all = await withDatabase(call, ({ kysely }) => listKeys(kysely));
    for (const record of all) printKey(call, record);
    if (all.length === 0 && !call.flags.json) call.terminal.out('no keys yet');
    return 0;
  },
};

const show: SubCommand = {
  usage: 'ID [--json]',
  flags: {},
  argCount: 1,
  async run(call) {
    const id = parseId(call, KEY_ID);
    await withDatabase(call, async (database) => {
      const record = (await listKeys(database.kysely)).find((each) => each.id === id);
      if (record === undefined) throw unknownId(id, KEY_ID);
      printKey(call, record);
      const customer = await readCustomerOfKey(database.kysely, id);
      if (customer !== null) printCustomer(call, customer, await databaseTime(database));
    });
    return 0;
  },
};

const set: SubCommand = {
  usage: 'ID [--plan P] [--quota N] [--json]',
  flags: { plan: { type: 'string' }, quota: { type: 'string' } },
  argCount: 1,
  async run(call) {
    const id = parseId(call, KEY_ID);
    const plan = parseFlag(call, 'plan', parsePlanCode);
    const quota = parseFlag(call, 'quota', parseQuota);
    if (plan === undefined && quota === undefined) throw new UsageError('keys set needs --plan, --quota or both');
    requireQuota(plan, quota);
    const change = { ...(plan === undefined ? {} : { plan }), ...(quota === undefined ? {} : { quota }) };
    const work = async (database: Database) => {
      if (plan !== undefined) await refuseIfPaid(database, id);
      return updateKey(database, id, change);
    };
    printKey(call, requireChanged(id, await withDatabase(call, work)));
    return 0;
  },
};

const revoke: SubCommand = {
  usage: 'ID [--json]',
  flags: {},
  argCount: 1,
  async run(call) {
    const id = parseId(call, KEY_ID);
    const work = async (database: Database) => {
      await refuseIfPaid(database, id);
      return revokeKey(database, id);
    };
    printKey(call, requireChanged(id, await withDatabase(call, work)));
    return 0;
  },
};

const rotate: SubCommand = {
  usage: `ID [--overlap ${DEFAULT_OVERLAP}] [--json]`,
  flags: { overlap: { type: 'string' } },
  argCount: 1,
  async run(call) {
    const id = parseId(call, KEY_ID);
    const overlapMs = parseFlag(call, 'overlap', parseOverlap) ?? parseOverlap(DEFAULT_OVERLAP);
    printRotatedKey(
      call,
      requireChanged(id, await withDatabase(call, (database) => rotateKey(database, id, overlapMs))),
    );
    return 0;
  },
};

const KEY_ID: IdWords = { name: 'key', list: 'keys list', shown: 'all keys' };

const remove = deleteCommand(
  {
    words: KEY_ID,
    table: 'api_keys',
    async remove(database, id) {
      await refuseIfPaid(database, id);
      return deleteKey(database, id);
    },
  },
  'its counters',
);

/** What somebody pays for is ended at Stripe, so that nobody pays for a key that is gone. */
async function refuseIfPaid({ kysely }: Pick<Database, 'kysely'>, id: number): Promise<void> {
  const key = (await listKeys(kysely)).find((each) => each.id === id);
  if (key?.standing?.isOpen !== true) return;
  throw new CommandError(
    `key ${id} is paid for by the subscription ${key.subscription}, which decides about it: pompa orders close ${key.subscription} ends both`,
  );
}

export const keysCommand = commandWithSubCommands(
  'keys',
  `  --plan P            ${PLANS.map(({ code }) => code).join(', ')}
  --quota N           requests a month, instead of the plan's; required for dedicat
  --email E           whose key it is
  --subscription ID   the subscription it is tied to
  --overlap TIME      how long the old secret stays valid (${DEFAULT_OVERLAP}); 0h revokes it immediately`,
  { create, list, show, set, revoke, rotate, delete: remove },
);

const PLAN_CODES = PLANS.map(({ code }) => code);
const parsePlanCode = oneOf(PLAN_CODES);
const parseQuota = integerBetween(0, MAX_QUOTA, 250_000);
const parseOverlap = durationBetween(0, MAX_OVERLAP_MS, '0h to 90d', '24h');

function parseEmail(text: string): string {
  const email = parseEmailAddress(text);
  if (email === null) throw new BadValue('must be an e-mail address, such as ana@example.org');
  return email;
}

function parseSubscriptionId(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw new BadValue('must be at most 200 letters, digits and punctuation without spaces, such as sub_1QxYz');
}

function requireQuota(plan: SubscriptionPlan['code'] | undefined, quota: number | undefined): void {
  if (plan === 'dedicat' && quota === undefined) {
    throw new UsageError('--quota must be given for the plan dedicat: requests a month, as agreed');
  }
}

function requireChanged<T extends KeyRecord | CreatedKey>(id: number, result: T | KeyChangeRefusal): T {
  if (result === 'unknown') throw unknownId(id, KEY_ID);
  if (result === 'revoked') {
    throw new CommandError(`key ${id} is revoked, which is permanent: create another one with keys create`);
  }
  return result;
}
